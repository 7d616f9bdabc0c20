#pragma once

#include "reports/checks/check_kind.hpp"

namespace vernier {

CheckKind accuracy_check();        // accuracy.cpp
CheckKind frequency_check();       // frequency.cpp
CheckKind trigonometry_check();    // trigonometry.cpp
CheckKind slopes_check();          // biases.cpp
CheckKind bias_check();            // biases.cpp
CheckKind buckets_check();         // buckets.cpp
CheckKind values_check();          // values.cpp
CheckKind streams_check();         // streams.cpp
CheckKind finite_check();          // finite.cpp
CheckKind distinct_rows_check();   // distinct_rows.cpp
CheckKind padding_row_check();     // padding_row.cpp
CheckKind rotated_check();         // rotated.cpp
CheckKind rotated_phases_check();  // rotated_phases.cpp
CheckKind rotated_norm_check();    // rotated_norm.cpp
CheckKind pass_through_check();    // pass_through.cpp
CheckKind rotated_keys_check();    // rotated.cpp
CheckKind scaled_check();          // scaled.cpp

}  // namespace vernier
