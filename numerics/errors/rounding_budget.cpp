#include "numerics/errors/rounding_budget.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include "numerics/errors/metrics.hpp"

namespace vernier {

double rounding_budget(Format stored, double ulps, double got, const Enclosure& truth) {
  assert(is_member(stored, got));
  if (!std::isfinite(truth.approximately())) {
    return std::numeric_limits<double>::infinity();
  }
  const bool is_exact = truth.radius == 0 && truth.middle.low == 0;
  if (is_exact && is_member(stored, truth.middle.high)) {
    return 0;
  }
  const double widest = ulp_at(stored, truth.approximately());
  if (!std::isfinite(got)) {
    return ulps * widest;
  }
  const double neighbour = signed_error(got, truth) > 0 ? next_down(stored, got) : next_up(stored, got);
  const double gap = std::fabs(neighbour - got);
  // Far from the truth, and beyond the greatest number, it is that of no number next to it.
  return ulps * (gap < widest ? gap : widest);
}

}  // namespace vernier
