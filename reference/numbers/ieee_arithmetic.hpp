#pragma once

#include <cfloat>

// What every proof of an error bound assumes of the compiler: an operation on doubles is carried out as
// written and rounded to double once. Where a compiler says otherwise, it is refused. None says whether it
// fuses products with sums: -ffp-contract=off forbids that, and comes with the CMake target
// vernier::reference.

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "the proofs do not hold with -ffast-math, nor with a part of it that changes results"
#endif
static_assert(FLT_EVAL_METHOD == 0, "bounds assume that double operations are rounded to double");
