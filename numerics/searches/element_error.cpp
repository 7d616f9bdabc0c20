#include "numerics/searches/element_error.hpp"

#include <algorithm>
#include <cmath>

namespace vernier {
namespace {

/// The most that rounding moves a number of magnitude up to `limit`, or up to `excess` beyond: half an ulp
/// below the limit; and beyond it no more than the excess where the limit is a power of two, for there the
/// numbers round to the limit.
double greatest_rounding(Format format, double limit, double excess) {
  const double below = ulp_at(format, std::nextafter(limit, 0)) / 2;
  return std::max(below, std::min(excess, ulp_at(format, limit + excess) / 2));
}

}  // namespace

double error_apart_from_phase(const Recipe& recipe, const Amplitude& amplitude, Format stored) {
  const double u = traits(recipe.compute()).unit_roundoff();
  const double computed = 4 * u + (amplitude.is_one() ? 0 : 2 * u);
  if (stored == recipe.compute()) {
    return computed;
  }
  const double size = approximately(amplitude);
  return computed + greatest_rounding(stored, size, size * computed) / size;
}

}  // namespace vernier
