#pragma once

#include "reference/registry.hpp"
#include "reports/checks/check_kind.hpp"

namespace vernier {

/// Every kind of check of tensors, in the order of reports; of ids that several kinds match, the first kind
/// is meant: the special before the general. A new one is a file here, which defines its function, and a line
/// here.
// clang-format off
VERNIER_REGISTRY(check_makers, CheckKind,
    values_check,
    scaled_check,
    axes_check,
    slopes_check,  // biases.cpp
    bias_check,  // biases.cpp
    buckets_check,
    rotated_check,
    rotated_keys_check,  // rotated.cpp
    gradients_check,  // rotated.cpp
    rotated_phases_check,
    accuracy_check,
    frequency_check,
    trigonometry_check,
    finite_check,
    pass_through_check,
    rotated_norm_check,
    distinct_rows_check,
    padding_row_check);
// clang-format on

}  // namespace vernier
