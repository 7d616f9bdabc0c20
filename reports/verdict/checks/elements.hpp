#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/elementwise_report.hpp"
#include "numerics/formats/tensor.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Significant digits of errors and budgets, and of what an element should be.
inline constexpr int error_digits = 3;
inline constexpr int truth_digits = 20;

/// Names and values that tell where something is: {"row", "12"}.
using Described = std::vector<std::pair<std::string, std::string>>;

/// Where a row of a tensor of several copies is.
struct RowPlace {
  std::vector<std::size_t> leading_index;  ///< of the copy: batch, head; empty where there is only one
  std::size_t row = 0;                     ///< in that copy
};

/// \param leading the sizes of the leading dimensions \param rows of all copies \param row among them
RowPlace row_place(const Shape& leading, std::size_t rows, std::size_t row);

/// Tells the rows of a check's elements as rows of a copy. \pre they are told as rows of all copies
void place_in_copy(Check& check, const Shape& leading, std::size_t rows);

/// "12", or "12 of [1, 3]".
std::string to_string(const RowPlace& place);

/// {"row", "12"}, and {"leading index", "[1, 3]"} where there is one.
Described described(const RowPlace& place);

/// The positions of a row, one an axis: "4, 4, 5".
std::string positions_text(const HeadRotation& rotation, std::span<const std::vector<std::int64_t>> by_axis,
                           std::size_t row);

/// {"turns by", "the position along axis 1"}. \param axis of a pair, or `all_axes`
Described::value_type turning_axis(int axis);

/// Whether implementations turn by positions as they are given, and compute no others of them: phases that
/// take more operations than a product are not attributed.
bool turns_by_given(const PositionMap& places);

/// The position of a place as it was given, where that is more than the integer.
std::optional<std::string> real_position(const PositionMap& places, std::int64_t place);

/// "all 64 pairs", or "60 of 64 pairs" where the format cannot judge some. \param all how many there are
std::string judged_text(const Counts& counts, const std::string& all);
/// What is said of those that the format cannot judge; empty where it can judge all.
std::string left_out_text(const Counts& counts);

/// The check of a tensor whose elements were judged one by one against a contract: what was required, the
/// first failing or else the worst element, and what follows from all.
/// \param place tells where the element of an index is
Check elementwise_check(std::string id, const Contract& contract, Format stored,
                        const ElementwiseReport& report,
                        const std::function<Described(std::size_t index)>& place);

/// Where an element of rotated vectors is, by its index in the tensor: row, position, dimension.
Described described(const RotatedTensor& tensor, std::size_t index);

/// The row of rotated vectors and its position.
Described described_row(const RotatedTensor& tensor, std::size_t row);

}  // namespace vernier
