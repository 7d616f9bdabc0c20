#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "numerics/views/row_places.hpp"
#include "numerics/views/row_view.hpp"
#include "reference/schemes/encoding.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Significant digits of errors and budgets, and of what an element should be.
inline constexpr int error_digits = 3;
inline constexpr int truth_digits = 20;

/// Tells the rows of a check's elements as rows of a copy. \pre they are told as rows of all copies
void place_in_copy(Check& check, const Shape& leading, std::size_t rows);

/// An element of a plain table: where it is, what was expected and got. \param place of a row of all copies
ElementWitness placed_witness(const TensorPart& part, const Place& place, std::optional<double> expected,
                              double got);

/// Whether implementations turn by positions as they are given, and compute no others of them: phases that
/// take more operations than a product are not attributed.
bool turns_by_given(const Encoding& encoding);

/// "all 64 pairs", or "60 of 64 pairs" where the format cannot judge some. \param all how many there are
std::string judged_text(const Counts& counts, const std::string& judged_things);
/// What is said of those that the format cannot judge; empty where it can judge all.
std::string left_out_text(const Counts& counts);

/// The check of a tensor whose elements were judged one by one against a contract: what was required, the
/// first failing or else the worst element, and what follows from all.
/// \param kind of the check, whose sentences are in checks.json \param part of the view
Check element_check(std::string id, std::string_view kind, const RowView& view, std::size_t part,
                    const TensorFindings& findings);

}  // namespace vernier
