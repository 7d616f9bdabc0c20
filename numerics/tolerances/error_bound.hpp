#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "reference/numbers/position_range.hpp"

namespace vernier {

/// The most that one element may be off by, in absolute terms, by cause.
struct ErrorBound {
  double phase = 0;     ///< of the phase p w
  double trig = 0;      ///< of the sine and the cosine
  double table = 0;     ///< their rounding to the table's format, and on to that of the arithmetic
  double products = 0;  ///< of a rotation
  double sum = 0;       ///< of a rotation
  double stored = 0;    ///< the last rounding, to the tensor's format

  /// The part that does not shrink with the element.
  double before_storage() const { return phase + trig + table + products + sum; }
  double total() const { return before_storage() + stored; }
};

/// The greatest bounds of many elements: one has the greatest total, maybe another the most before storage.
struct GreatestErrors {
  ErrorBound total;
  ErrorBound before_storage;
  double last_ulps = 0;  ///< how many ulp of its format the last rounding may move an element by

  void add(const ErrorBound& one) {
    total = one.total() > total.total() ? one : total;
    before_storage = one.before_storage() > before_storage.before_storage() ? one : before_storage;
  }
};

/// Positions of one octave: |p| from `nearest` to `farthest`.
struct PositionOctave {
  std::int64_t nearest = 0;
  std::int64_t farthest = 0;
};

/// The octaves that the range meets, the nearest first: 0, 1, 2 to 3, 4 to 7 ...
std::vector<PositionOctave> octaves(const PositionRange& positions);

/// The most that a phase of the pair is off by at any position up to `farthest` in magnitude: the terms of
/// BudgetModel::phase_error(), but that the last rounding of the phase moves it by half an ulp of it, not by
/// u of it, and that a position which the format does not hold is off by u of itself.
double greatest_phase_error(const BudgetModel& model, int pair, std::int64_t farthest);

/// The most that a component of a turned unit vector moves: from v, its partner being of at most that
/// magnitude, by a turn of at most so many radians. |sin(f + D) - sin f| <= min(D, |cos f| D + |sin f| D^2 /
/// 2, 2).
inline double moved_by_turn(double v, double partner, double radians) {
  return radians >= 2 ? 2 : std::min(radians, partner * radians + v * radians * radians / 2);
}

}  // namespace vernier
