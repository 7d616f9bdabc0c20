#pragma once

#include <cstddef>

namespace vernier {

/// An element beside what a computation says of it.
struct PredictedElement {
  std::size_t tensor = 0;
  std::size_t row = 0;
  std::size_t column = 0;
  int pair = -1;  ///< -1: none
  double got = 0;
  double predicted = 0;
  double rest = 0;     ///< what `predicted` leaves out as it is a double
  double allowed = 0;  ///< the budget
  bool conclusive = true;

  /// How much of its budget it uses.
  double ratio() const;
  bool fails() const { return conclusive && !(ratio() <= 1); }
  /// Anything may come of it, as of what lies beyond the greatest number of a format.
  void leave_open();
};

}  // namespace vernier
