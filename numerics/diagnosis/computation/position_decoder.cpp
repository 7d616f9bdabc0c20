#include "numerics/diagnosis/computation/position_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vernier {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

}  // namespace

PositionDecoder::PositionDecoder(const Suspect& subject, const Computation& computation)
    : subject_(subject), computation_(computation), view_(subject, computation) {
  std::vector<double> frequencies;
  for (int pair = 0; pair < computation.pairs(); ++pair) {
    frequencies.push_back(computation.frequency(pair));
    const auto& tone = computation.tones[static_cast<std::size_t>(pair)];
    if (view_.is_complete(pair) && computation.frequency(pair) > 0 && tone.cosine == tone.sine) {
      pairs_.push_back(pair);
    }
  }
  std::ranges::stable_sort(pairs_, std::ranges::greater(),
                           [&](int pair) { return computation.frequency(pair); });
  const BudgetModel model(computation.parameters.front(), frequencies, std::fabs(computation.amplitude));
  for (const int pair : pairs_) {
    errors_.push_back(model.relative_phase_error(pair) + 0x1p-40);
  }
  const auto [least, greatest] = std::ranges::minmax(subject.positions().front());
  const auto reach = std::max<std::int64_t>(64, greatest - least);
  least_ = std::min<std::int64_t>(least, 0) - reach;
  greatest_ = greatest + reach;
}

std::optional<std::int64_t> PositionDecoder::position(std::size_t row) const {
  struct Seen {
    double turns_per_position;
    double turns;
    double tolerance;  ///< turns, apart from the error of the phase
    double error;
  };
  std::vector<Seen> seen;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (const auto point = view_.point(row, pairs_[i])) {
      const double modulus = std::abs(point->z);
      if (modulus > 0.5 * std::fabs(computation_.amplitude)) {
        seen.push_back({computation_.frequency(pairs_[i]) / whole_turn, std::arg(point->z) / whole_turn,
                        2 * point->tolerance / modulus / whole_turn, errors_[i]});
      }
    }
  }
  if (seen.size() < 2) {
    return std::nullopt;
  }
  // Slow pairs rule out most positions where their period is longer than the range.
  std::ranges::stable_sort(
      seen, {}, [](const Seen& one) { return one.tolerance / std::min(one.turns_per_position, 0.5); });
  std::optional<std::int64_t> found;
  for (auto p = least_; p <= greatest_; ++p) {
    const auto place = static_cast<double>(p);
    const bool fits = std::ranges::all_of(seen, [&](const Seen& one) {
      const double turns = place * one.turns_per_position;
      const double off = (turns - one.turns) - std::rint(turns - one.turns);
      return std::fabs(off) <= one.tolerance + std::fabs(turns) * one.error;
    });
    if (fits) {
      if (found) {
        return std::nullopt;
      }
      found = p;
    }
  }
  return found;
}

}  // namespace vernier
