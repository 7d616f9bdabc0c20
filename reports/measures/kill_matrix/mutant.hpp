#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/measures/rates/design.hpp"
#include "reports/measures/rates/fault.hpp"

namespace vernier::kill_matrix {

/// What implementations are drawn from.
struct DrawOptions {
  std::uint64_t seed = 20170612;
  std::int64_t longest = 4096;      ///< context, >= 64
  std::int64_t elements = 1 << 15;  ///< of a table, about
};

/// A fault of a mutant.
struct PlantedFault {
  const rates::Fault* kind = nullptr;
  std::string words;                    ///< its parameters
  std::vector<std::string_view> names;  ///< the ids of findings that name it rightly
  double size = 0;  ///< how many times the budget of some element it is alone: see rates::size_of()
};

/// An implementation that was drawn: honest, or with one fault or two.
struct Specimen {
  int index = 0;              ///< draws it again, with the options
  std::string words = {};     ///< the encoding and how it is computed
  rates::Design honest = {};  ///< without the faults
  rates::Design design = {};  ///< with them
  std::vector<PlantedFault> faults = {};
  std::uint64_t seed = 0;  ///< of the vectors to rotate
};

/// The kinds that tensors can have, rather than conversations.
const std::vector<const rates::Fault*>& stored_kinds();

/// The n-th mutant: all kinds in turn, and every fifth has a second fault of another group.
Specimen draw_mutant(const DrawOptions& options, int index);

Specimen draw_honest_one(const DrawOptions& options, int index);

}  // namespace vernier::kill_matrix
