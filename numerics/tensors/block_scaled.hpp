#pragma once

#include "numerics/tensors/case.hpp"

namespace vernier {

/// The role of the scales of rows or blocks, [..., T] or [..., T, blocks].
inline constexpr std::string_view block_scales_role = "block_scales";

/// The case with vectors in place of the elements that have scales: float64 numbers, element times scale,
/// which is exact. Elements are of a type of eight bits or, if the case says so, of float4_e2m1: bytes of two
/// elements, the first in the low bits, or numbers of any type. Scales are numbers, or of uint8 the exponents
/// of powers of two with the bias 127 (ue8m0).
/// \throws InputError for scales without vectors or beside two of them, and for types and shapes that do not
/// fit
CaseInput with_block_scales(CaseInput parts);

}  // namespace vernier
