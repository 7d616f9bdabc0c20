#include "reference/numbers/sine_cosine.hpp"

#include <mpfi.h>

#include "reference/numbers/interval.hpp"

namespace vernier {

SineCosine sine_cosine(const Interval& phase) {
  const auto [centre, spread] = centred(phase);
  const auto* point = &centre.backend().data()->left;
  SineCosine result;
  auto* sine = result.sine.backend().data();
  auto* cosine = result.cosine.backend().data();
  // One evaluation rounded to nearest, widened to its neighbours on both sides.
  mpfr_sin_cos(&sine->left, &cosine->left, point, MPFR_RNDN);
  for (auto* value : {sine, cosine}) {
    mpfr_set(&value->right, &value->left, MPFR_RNDN);
    if (mpfr_zero_p(point) == 0) {
      mpfr_nextbelow(&value->left);
      mpfr_nextabove(&value->right);
    }
  }
  result.sine += spread;
  result.cosine += spread;
  return result;
}

}  // namespace vernier
