#pragma once

#include "numerics/cases/case.hpp"
#include "numerics/diagnosis/finding.hpp"

namespace vernier {

/// \name What is wrong where phases are sums over axes (mixed_axes.hpp)
/// A row shows sums alone, so that no frequency is measured: other specs are tried, and one or two edits of
/// the spec that predict every element are told.
/// @{
/// Of the tables by several positions of a case.
Diagnosis diagnose_mixed(const Case& subject);
Diagnosis diagnose_mixed(const Encoding& encoding, const RotatedTensor& vectors);
/// @}

}  // namespace vernier
