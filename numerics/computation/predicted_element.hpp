#pragma once

#include <cstddef>

#include "numerics/computation/computation.hpp"

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

/// What the storing of a computation makes of what it is predicted to compute.
class PredictedStorage {
 public:
  /// \param computation outlives this  \param unit_roundoff of the format in which it computes
  PredictedStorage(const Computation& computation, double unit_roundoff)
      : storing_(computation.storing), amplitude_(computation.amplitude), unit_roundoff_(unit_roundoff) {}

  /// Moves what is predicted to where storing takes it, and adds what that may be off by.
  void store(Format stored, PredictedElement& element) const;
  /// What becomes of numbers beyond the greatest of a format that only stores, if it is said.
  void overflow(Format stored, PredictedElement& element) const;
  /// What becomes of a number of the stored format that is copied and not computed.
  double stored_copy(Format stored, double value) const;

 private:
  void store_before_amplitude(Format stored, PredictedElement& element) const;
  void store_twice(Format stored, PredictedElement& element) const;

  const Storing& storing_;
  double amplitude_;
  double unit_roundoff_;
};

}  // namespace vernier
