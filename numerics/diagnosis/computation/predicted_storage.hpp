#pragma once

#include "numerics/diagnosis/computation/computation.hpp"
#include "numerics/diagnosis/computation/predicted_element.hpp"

namespace vernier {

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
