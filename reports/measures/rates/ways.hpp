#pragma once

#include <string>

#include "reports/measures/rates/design.hpp"
#include "reports/measures/rates/draw.hpp"

namespace vernier::rates {

/// \name Sines and cosines as libraries compute them, and good ones of one's own
/// @{
Turn libm_double(double phase);
Turn libm_float(double phase);
/// Reduced by pi/2 in three parts with fused multiplications, then the C library between -pi/4 and pi/4.
Turn own_reduction(double phase);
/// The same reduction, but what is left is a float32, and the functions are the C library's for it.
Turn reduced_to_float(double phase);
/// @}

/// Chooses how a design computes its frequencies, phases, sines and cosines, honestly; and the contract that
/// this keeps, where it is not the default.
void choose_turns(Draw& draw, Design& design);

/// Chooses how it multiplies by them.
void choose_rotation(Draw& draw, Design& design);

/// Whether its frequencies are b^(-i/n), scaled or not: those that recipes compute.
bool descends_from_one(const Design& design);

/// \name The same without choice
/// @{
/// Frequencies 1 / pow(base, 2i/d) and their products with positions in float32, sines and cosines rounded
/// once. \pre descends_from_one(design)
void compute_in_float32(Design& design);
/// \param arithmetic of products and sums \param fused whether a product is added before it is rounded
void rotate_in(Design& design, Format arithmetic, bool fused);
/// Cosines and sines times a scale that is computed as a power in the format of the computation.
void grow_by(Design& design, const PositionScale& scale);
/// @}

}  // namespace vernier::rates
