#pragma once

#include <complex>
#include <span>

#include "numerics/diagnosis/computation/computation.hpp"
#include "numerics/diagnosis/computation/suspect.hpp"

namespace vernier {

/// How the points that rows show turn beside those that a computation predicts.
struct Coherence {
  /// 1 if the points of each pair are those predicted but for one factor and one angle a pair, 0 if they
  /// have nothing to do with them: |sum of seen times the conjugate of predicted|, a pair, points taken to
  /// the unit circle; the mean.
  double of_pairs = 0;
  /// The one complex factor between what is seen of all pairs and what is predicted, by least squares.
  std::complex<double> factor = 0;
  /// How much of what is seen that factor explains, from 0 to 1.
  double of_all = 0;
};

/// \return zeros where no pair has both components
Coherence coherence_of(const Suspect& suspect, const Computation& computation,
                       std::span<const std::size_t> rows);

}  // namespace vernier
