#include "reference/centred_interval.hpp"

#include <mpfi.h>

namespace vernier {

CentredInterval centred(const Interval& x) {
  CentredInterval result{x, x};
  auto* centre = result.centre.backend().data();
  mpfi_mid(&centre->left, x.backend().data());
  mpfr_set(&centre->right, &centre->left, MPFR_RNDN);
  result.spread = symmetric(Interval(x - result.centre));
  return result;
}

Interval symmetric(const Interval& x) {
  Interval result;
  auto* ends = result.backend().data();
  mpfi_mag(&ends->right, x.backend().data());
  mpfr_neg(&ends->left, &ends->right, MPFR_RNDD);
  return result;
}

}  // namespace vernier
