#include "numerics/diagnosis/computation/coherence.hpp"

#include <cmath>
#include <vector>

#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/computation/recovery.hpp"

namespace vernier {

Coherence coherence_of(const Suspect& suspect, const Computation& computation,
                       std::span<const std::size_t> rows) {
  const PairView view(suspect, computation);
  const Predictor predictor(suspect, computation);
  const auto pairs = static_cast<std::size_t>(computation.pairs());
  std::vector<std::complex<double>> sums(pairs);
  std::vector<double> counts(pairs);
  std::complex<double> products = 0;
  double seen_squares = 0;
  double predicted_squares = 0;
  for (const auto row : rows) {
    const auto predicted = predictor.points(row);
    for (std::size_t i = 0; i < pairs; ++i) {
      const int pair = static_cast<int>(i);
      const auto seen = view.is_complete(pair) ? view.point(row, pair) : std::nullopt;
      if (!seen || seen->z == 0.0 || predicted[i] == 0.0) {
        continue;
      }
      const auto z = seen->z / computation.amplitude;
      products += z * std::conj(predicted[i]);
      seen_squares += std::norm(z);
      predicted_squares += std::norm(predicted[i]);
      sums[i] += z / std::abs(z) * std::conj(predicted[i]) / std::abs(predicted[i]);
      counts[i] += 1;
    }
  }
  Coherence result;
  std::size_t known = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    if (counts[i] > 0) {
      result.of_pairs += std::abs(sums[i]) / counts[i];
      ++known;
    }
  }
  if (known == 0 || predicted_squares == 0) {
    return {};
  }
  result.of_pairs /= static_cast<double>(known);
  result.factor = products / predicted_squares;
  result.of_all = std::norm(products) / (seen_squares * predicted_squares);
  return result;
}

}  // namespace vernier
