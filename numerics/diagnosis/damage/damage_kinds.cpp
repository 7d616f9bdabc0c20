#include "numerics/diagnosis/damage/damage_kinds.hpp"

#include <array>

#include "numerics/diagnosis/fault_kinds.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array damage_row_bugs{"ml-explore/mlx #3494"sv, "microsoft/onnxruntime #20204"sv};

}  // namespace

const FaultKind damage_non_finite{.id = "damage/non-finite",
                                  .stage = Stage::damage,
                                  .title = "elements are NaN or infinite",
                                  .means = "Such an element makes every score of its token NaN.",
                                  .advice =
                                      "Look at how these elements are computed: a division by zero, an "
                                      "overflow, or memory that was never written."};
const FaultKind damage_constant{
    .id = "damage/constant",
    .stage = Stage::damage,
    .title = "all elements are one number",
    .means = "No position can be told from another, and what zeros multiply is lost.",
    .advice =
        "Look for memory that is allocated and not filled, or filled before the weights are loaded, and "
        "for a kernel that is never launched."};
const FaultKind damage_element{.id = "damage/element",
                               .stage = Stage::damage,
                               .title = "single elements are wrong",
                               .means = "The scores of single tokens are off.",
                               .advice = "Look for a race, a write to the wrong index, or a damaged file."};
const FaultKind damage_row_zero{
    .id = "damage/row-zero",
    .stage = Stage::damage,
    .title = "rows are zero",
    .means = "What these zeros multiply is lost: positions, and with a rotation content.",
    .advice =
        "Look at how many rows are launched or written: the last block, or "
        "all batches but the first.",
    .similar = damage_row_bugs};
const FaultKind damage_row_copy{
    .id = "damage/row-copy",
    .stage = Stage::damage,
    .title = "rows are copies of other rows",
    .means = "Two tokens cannot be told apart.",
    .advice = "Look for an index that is clamped, or computed for the wrong block."};
const FaultKind damage_column_zero{.id = "damage/column-zero",
                                   .stage = Stage::damage,
                                   .title = "columns are zero",
                                   .means =
                                       "These dimensions carry no position, and with a rotation lose "
                                       "content.",
                                   .advice =
                                       "Look at how many columns are written: the tail of a vector loop, "
                                       "or a width that is no multiple of it."};
const FaultKind damage_column_copy{.id = "damage/column-copy",
                                   .stage = Stage::damage,
                                   .title = "columns are copies of others",
                                   .means = "Two dimensions carry the same, and one phase is missing.",
                                   .advice = "Look at the indices of the columns."};
const FaultKind damage_column_sign{.id = "damage/column-sign",
                                   .stage = Stage::damage,
                                   .title = "columns have the opposite sign",
                                   .means = "One component of these pairs turns the other way.",
                                   .advice = "Look at the sign of these columns."};

FaultKinds damage_kinds() {
  return {&damage_non_finite, &damage_constant,    &damage_element,     &damage_row_zero,
          &damage_row_copy,   &damage_column_zero, &damage_column_copy, &damage_column_sign};
}

}  // namespace vernier
