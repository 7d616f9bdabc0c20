#pragma once

#include "reference/registry.hpp"
#include "reports/checks/check_kind.hpp"

namespace vernier {

/// Every kind of check of tensors, in the order of reports; of ids that several kinds match, the first kind
/// is meant: the special before the general. A new one is a file here, which defines its function, and a line
/// here.
VERNIER_REGISTRY(check_makers, CheckKind,
                 values_check,          // values.cpp
                 scaled_check,          // scaled.cpp
                 streams_check,         // streams.cpp
                 slopes_check,          // biases.cpp
                 bias_check,            // biases.cpp
                 buckets_check,         // buckets.cpp
                 rotated_check,         // rotated.cpp
                 rotated_keys_check,    // rotated.cpp
                 rotated_phases_check,  // rotated_phases.cpp
                 accuracy_check,        // accuracy.cpp
                 frequency_check,       // frequency.cpp
                 trigonometry_check,    // trigonometry.cpp
                 finite_check,          // finite.cpp
                 pass_through_check,    // pass_through.cpp
                 rotated_norm_check,    // rotated_norm.cpp
                 distinct_rows_check,   // distinct_rows.cpp
                 unit_norm_check,       // unit_norm.cpp
                 padding_row_check      // padding_row.cpp
);

}  // namespace vernier
