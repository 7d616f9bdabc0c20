#pragma once

#include "numerics/diagnosis/fault_kind.hpp"

namespace vernier {

/// \name Kinds of what is overwritten
/// @{
extern const FaultKind damage_non_finite;
extern const FaultKind damage_constant;
extern const FaultKind damage_element;
extern const FaultKind damage_row_zero;
extern const FaultKind damage_row_copy;
extern const FaultKind damage_column_zero;
extern const FaultKind damage_column_copy;
extern const FaultKind damage_column_sign;
/// @}

}  // namespace vernier
