#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/encoding.hpp"
#include "reference/real.hpp"

namespace vernier {

/// Which elements of an encoding are meant: those of one position, and of one pair, head or column, whichever
/// its tensors have.
struct ElementWish {
  std::int64_t position = 0;  ///< within +-2^31; of a bias that of the key, with the query at 0
  std::optional<std::int64_t> pair = std::nullopt;
  std::optional<std::int64_t> head = std::nullopt;
  std::optional<std::int64_t> column = std::nullopt;
  std::string role = {};  ///< of one tensor alone; empty: of all
};

/// An entry of a table of sines and cosines, which recipes compute.
struct SineEntry {
  TrigTable table;
  std::size_t column = 0;
};

/// One element that an encoding defines.
struct DefinedElement {
  std::string role;     ///< of its tensor: "cos"
  std::string meaning;  ///< "cosine of pair 3"
  Real truth;
  std::optional<SineEntry> sine = std::nullopt;        ///< of a plain table of sines
  std::optional<std::int64_t> integer = std::nullopt;  ///< of an element that is one by definition
};

/// The elements that are meant, one tensor after another, the first of each role. At least one.
/// \throws InputError for a position, pair, head, column or role that there is not, one that is missing, and
/// one that nothing here has \param source what to call the encoding in sentences
std::vector<DefinedElement> defined_elements(const Encoding& encoding, const ElementWish& wish,
                                             const std::string& source);

}  // namespace vernier
