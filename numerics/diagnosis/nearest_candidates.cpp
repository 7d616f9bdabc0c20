#include "numerics/diagnosis/nearest_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/diagnosis/computation/coherence.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_coherent = 4;
constexpr std::size_t most_predicting = 2;
/// An edit that is one of two leaves no more than this share of the failing elements.
constexpr double most_left = 0.75;

struct Near {
  const Candidate* candidate;
  double nearness;
};

/// The nearest of them; of those that are as near one, the shortest.
void keep_nearest(std::vector<Near>& near, std::size_t most) {
  std::ranges::stable_sort(near, [](const Near& a, const Near& b) {
    return std::pair(-a.nearness, a.candidate->bits) < std::pair(-b.nearness, b.candidate->bits);
  });
  const auto same = std::ranges::unique(near, {}, &Near::nearness);
  near.erase(same.begin(), same.end());
  near.resize(std::min(near.size(), most));
}

}  // namespace

std::vector<const Candidate*> nearest_candidates(const Suspect& suspect, std::span<const std::size_t> rows,
                                                 const Candidate& declared,
                                                 std::span<const Candidate> singles) {
  // In steps, so that computations of the same points are equally near.
  const auto coherence_with = [&](const Candidate& one) {
    return std::round(coherence_of(suspect, one.computation, rows).of_pairs * 0x1p20) * 0x1p-20;
  };
  std::vector<Near> coherent(singles.size());
  oneapi::tbb::parallel_for(std::size_t{0}, coherent.size(), [&](std::size_t i) {
    coherent[i] = {&singles[i], coherence_with(singles[i])};
  });
  // Halfway at least from where the declared computation is.
  const double least = 0.5 + coherence_with(declared) / 2;
  std::erase_if(coherent, [&](const Near& one) {
    return !(one.nearness >= least) || one.candidate->bits > 2 * likely_bits;
  });
  keep_nearest(coherent, most_coherent);

  std::vector<Near> predicting;
  for (const auto& one : singles) {
    if (one.bits <= 2 * likely_bits && one.failing_share() <= most_left * declared.failing_share()) {
      predicting.push_back({&one, -one.failing_share()});
    }
  }
  keep_nearest(predicting, most_predicting);

  std::vector<const Candidate*> result;
  for (const auto* list : {&coherent, &predicting}) {
    for (const auto& one : *list) {
      if (std::ranges::find(result, one.candidate) == result.end()) {
        result.push_back(one.candidate);
      }
    }
  }
  return result;
}

}  // namespace vernier
