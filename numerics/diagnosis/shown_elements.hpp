#pragma once

#include <optional>
#include <span>
#include <string>

#include "numerics/cases/case.hpp"
#include "numerics/diagnosis/finding.hpp"

namespace vernier {

/// What all elements that fail are, whatever the tensors hold: zero, not a number, cut off or rounded to
/// whole numbers, without their sign. Told of the rows, or the columns, in which they stand; nothing where
/// they are several things, or where no such rows or columns can be told. \param roles of the tensors that
/// one computation makes
std::optional<Explanation> explain_elements(const Case& subject, std::span<const std::string> roles);

/// Which rows and columns fail, and the element that is off by the most: "rows 3 to 9 of cos fail; row 4,
/// column 7 holds 0.25, where 0.75 is declared". Of the first tensor that fails.
std::string failing_words(const Case& subject, std::span<const std::string> roles);

}  // namespace vernier
