#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "reference/numbers/interval.hpp"

namespace vernier {

/// A differentiable real function, given by enclosures of its values and of its derivative's over any
/// interval of its domain.
struct SmoothFunction {
  std::function<Interval(const Interval&)> value;
  std::function<Interval(const Interval&)> slope;
};

/// f - g
SmoothFunction difference(SmoothFunction f, SmoothFunction g);

/// -1 or 1 where everything in `value` has that sign, else nothing.
std::optional<int> certain_sign(const Interval& value);

/// A zero, between two neighbours it certainly differs from in sign.
struct Zero {
  double lower = 0;
  double upper = 0;

  Interval enclosure() const { return hull(lower, upper); }
};

/// All zeros of f in [from, to], in order, each proved and each alone in its bracket: an interval is dropped
/// where the mean value form excludes zero, closed by the intermediate value theorem where the slope has one
/// sign, and halved where neither decides (R. E. Moore, "Interval Analysis", 1966). At the working precision.
/// \param width of the brackets, relative; >= 2^-51
/// \throws std::runtime_error if an interval cannot be decided: at a multiple zero, or a zero at a
/// subdivision's end
std::vector<Zero> zeros(const SmoothFunction& f, double from, double to, double width = 0x1p-51);

}  // namespace vernier
