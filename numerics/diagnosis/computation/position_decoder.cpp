#include "numerics/diagnosis/computation/position_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vernier {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

}  // namespace

PositionDecoder::PositionDecoder(const Suspect& suspect, const Computation& computation)
    : suspect_(suspect), computation_(computation), view_(suspect, computation) {
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
  const double rounding = (computation.phase_format ? traits(*computation.phase_format).unit_roundoff() : 0) +
                          (computation.period ? std::fabs(computation.period->value / whole_turn - 1) : 0);
  for (const int pair : pairs_) {
    errors_.push_back(model.relative_phase_error(pair) + rounding + 0x1p-40);
  }
  const auto [least, greatest] = std::ranges::minmax(suspect.positions().front());
  const auto reach = std::max<std::int64_t>(64, greatest - least);
  least_ = std::min<std::int64_t>(least, 0) - reach;
  greatest_ = greatest + reach;
}

bool PositionDecoder::Seen::fits(double place) const {
  const double whole = place * turns_per_position;
  const double off = (whole - turns) - std::rint(whole - turns);
  return std::fabs(off) <= tolerance + std::fabs(whole) * error;
}

std::vector<PositionDecoder::Seen> PositionDecoder::seen(std::size_t row) const {
  std::vector<Seen> result;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (const auto point = view_.point(row, pairs_[i])) {
      const double modulus = std::abs(point->z);
      if (modulus > 0.5 * std::fabs(computation_.amplitude)) {
        result.push_back({computation_.frequency(pairs_[i]) / whole_turn,
                          (std::arg(point->z) - computation_.phase_shift) / whole_turn,
                          2 * point->tolerance / modulus / whole_turn, errors_[i]});
      }
    }
  }
  std::ranges::stable_sort(
      result, {}, [](const Seen& one) { return one.tolerance / std::min(one.turns_per_position, 0.5); });
  return result;
}

bool PositionDecoder::fits(std::size_t row, std::int64_t position) const {
  const auto all = seen(row);
  return all.size() >= 2 &&
         std::ranges::all_of(all, [&](const Seen& one) { return one.fits(static_cast<double>(position)); });
}

std::optional<std::int64_t> PositionDecoder::position(std::size_t row) const {
  const auto all = seen(row);
  if (all.size() < 2) {
    return std::nullopt;
  }
  std::optional<std::int64_t> found;
  for (auto p = least_; p <= greatest_; ++p) {
    const auto place = static_cast<double>(p);
    if (std::ranges::all_of(all, [&](const Seen& one) { return one.fits(place); })) {
      if (found) {
        return std::nullopt;
      }
      found = p;
    }
  }
  return found;
}

}  // namespace vernier
