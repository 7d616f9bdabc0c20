#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/computation/prediction.hpp"
#include "numerics/decoding/row_set.hpp"
#include "numerics/tensors/case.hpp"

namespace vernier {

/// A tensor whose elements stand beside what is said of them.
struct ShownTensor {
  std::string role;
  std::size_t columns = 0;
  RowGrid grid = {};
  Format stored = Format::binary64;
  /// "column 5 of row 33 (position 34)"
  std::function<std::string(std::size_t row, std::size_t column)> place_words = nullptr;
};

/// Tensors that one computation makes, row by row.
struct ShownElements {
  std::vector<ShownTensor> tensors;
  std::size_t rows = 0;  ///< of the longest
  /// Visits every element of a row of all tensors.
  std::function<void(std::size_t row, const Predictor::Visit& visit)> visit;
};

/// Those of a case beside what is declared (judged_tensors.cpp); nothing of so many that each takes its time.
std::optional<ShownElements> shown_elements(const Case& subject, std::span<const std::string> roles);

/// What all elements that fail are, whatever the tensors hold: zero, not a number, cut off or rounded to
/// whole numbers or steps, all of them one number, told of the rows, or the columns, in which they stand; or
/// a few elements, each told by itself. The prediction is of all others. Nothing where they are several
/// things, or where no such rows or columns can be told.
std::optional<Explanation> find_damage(const ShownElements& elements);
/// The same of a suspect, beside what a computation says of it.
std::optional<Explanation> find_damage(const Suspect& suspect, const Computation& computation);
/// The same of tensors of any kind, beside what is declared. \param roles of the tensors that one computation
/// makes
std::optional<Explanation> find_damage(const Case& subject, std::span<const std::string> roles);

/// Which rows and columns fail, and the element that is off by the most: "rows 3 to 9 of cos fail; row 4,
/// column 7 holds 0.25, where 0.75 is declared". Of the first tensor that fails.
std::string failing_words(const Case& subject, std::span<const std::string> roles);

/// "cos": of one of a suspect's tensors.
std::string role_of(const Suspect& suspect, std::size_t tensor);

}  // namespace vernier
