#include "numerics/asking/covering/wrong_pairs.hpp"

#include <algorithm>
#include <functional>

#include "numerics/asking/covering/hypotheses.hpp"

namespace vernier {

void WrongPairs::count(const QuestionPoint& question, const std::vector<bool>& pairs) {
  const bool is_of_main = question.type == main_;
  if (!pairs.empty() && (counts_.empty() || is_of_main > are_of_main_)) {
    counts_.assign(pairs.size(), 0);
    vectors_ = 0;
    are_of_main_ = is_of_main;
  }
  if (pairs.size() == counts_.size() && is_of_main == are_of_main_) {
    ++vectors_;
    std::ranges::transform(pairs, counts_, counts_.begin(), std::plus<std::size_t>());
  }
}

void WrongPairs::tell(Boundary& boundary) const {
  if (!are_of_main_) {
    boundary.is_confirmed = false;
    return;
  }
  VersionSpace space([](const CoordinateTraits& one) { return one.coordinate == Coordinate::pair; });
  // A pair of zeros is right in any case: each is wrong in most vectors, or in none.
  bool is_clear = true;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    Coordinates values;
    values[Coordinate::pair] = static_cast<std::int64_t>(i);
    space.add({values, {}}, counts_[i] > 0, true);
    is_clear = is_clear && (counts_[i] == 0 || 2 * counts_[i] > vectors_);
  }
  const auto explained = space.explanations();
  boundary.is_confirmed = boundary.is_confirmed && !explained.empty() && is_clear;
  if (!explained.empty()) {
    const auto& conditions = explained.front().predicate;
    boundary.wrong_where.insert(boundary.wrong_where.end(), conditions.begin(), conditions.end());
  }
}

}  // namespace vernier
