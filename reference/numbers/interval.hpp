#pragma once

#include <mutex>

#include <boost/multiprecision/mpfi.hpp>

#include "reference/numbers/rational.hpp"

namespace vernier {

/// A closed interval with arbitrary-precision ends, rounded outward by every operation: the number type of
/// all proofs. Its precision is the process-wide one in force when the value is made; set it with
/// `WorkingPrecision`.
using Interval = boost::multiprecision::mpfi_float;

/// Sets the precision of the intervals made during its lifetime, and restores the previous one after. The
/// setting belongs to the process (Boost's), so a scope holds a process-wide lock: threads compute with
/// intervals one at a time.
class WorkingPrecision {
 public:
  /// \param bits at least 24
  explicit WorkingPrecision(unsigned bits);
  WorkingPrecision(const WorkingPrecision&) = delete;
  WorkingPrecision& operator=(const WorkingPrecision&) = delete;
  ~WorkingPrecision();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  unsigned previous_digits_;
};

/// The narrowest interval of the working precision that contains `value`.
Interval enclose(const Rational& value);
Interval enclose(std::int64_t value);
/// Exact if the working precision has 53 bits or more. \param value finite
Interval enclose(double value);

/// An enclosure of the circle's constant.
Interval pi();

/// The interval with these ends, in this order.
Interval hull(double lower, double upper);

/// Whether `value` lies inside (ends included).
bool contains(const Interval& interval, const Rational& value);
bool contains_zero(const Interval& interval);

/// The least and the greatest magnitude in the interval, rounded down and up to double.
double least_magnitude(const Interval& interval);
double greatest_magnitude(const Interval& interval);

/// Half the interval's width, rounded up to double.
double radius(const Interval& interval);
/// A double inside or next to the interval, near its middle: for display.
double middle(const Interval& interval);

/// An interval as a point plus or minus a spread.
struct CentredInterval {
  Interval centre;  ///< one point, near the middle
  Interval spread;  ///< [-r, r] with r at least the distance from the centre to either end
};

/// The middle is rounded and then lies nearer to one end: the spread reaches the farther one on both sides,
/// as a function evaluated at the centre may rise or fall from there.
CentredInterval centred(const Interval& x);

/// [-m, m] with m the greatest magnitude in `x`.
Interval symmetric(const Interval& x);

}  // namespace vernier
