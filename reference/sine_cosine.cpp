#include "reference/sine_cosine.hpp"

#include <mpfi.h>

namespace vernier {

SineCosine sine_cosine(const Interval& phase) {
  const auto* ends = phase.backend().data();
  SineCosine result;
  auto* sine = result.sine.backend().data();
  auto* cosine = result.cosine.backend().data();
  mpfr_t middle;
  mpfr_init2(middle, mpfi_get_prec(ends));
  mpfi_mid(middle, ends);
  Interval spread = phase;
  mpfi_sub_fr(spread.backend().data(), spread.backend().data(), middle);
  // One evaluation rounded to nearest, widened to its neighbours on both sides.
  mpfr_sin_cos(&sine->left, &cosine->left, middle, MPFR_RNDN);
  for (auto* value : {sine, cosine}) {
    mpfr_set(&value->right, &value->left, MPFR_RNDN);
    if (mpfr_zero_p(middle) == 0) {
      mpfr_nextbelow(&value->left);
      mpfr_nextabove(&value->right);
    }
  }
  mpfr_clear(middle);
  result.sine += spread;
  result.cosine += spread;
  return result;
}

}  // namespace vernier
