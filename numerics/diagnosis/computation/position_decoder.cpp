#include "numerics/diagnosis/computation/position_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;
/// So many pairs tell a position; more take longer.
constexpr std::size_t most_scales = 12;
constexpr std::size_t probed_rows = 64;
constexpr std::int64_t most_candidates = std::int64_t{1} << 21;
/// A pair that fails so much oftener than the usual one holds something else.
constexpr double strange_share = 0.5;

std::vector<double> magnitudes(const Computation& computation) {
  std::vector<double> result;
  for (int pair = 0; pair < computation.pairs(); ++pair) {
    result.push_back(std::fabs(computation.frequency(pair)));
  }
  return result;
}

/// What rounding, lookup and storing make phases off by beyond what is allowed to them, in radians.
double edited_error(const Computation& computation) {
  const auto& storing = computation.storing;
  double error = computation.phase_step / 2 + 2 * computation.trigonometry_error + storing.flushed_below;
  if (storing.through) {
    error += 4 * traits(*storing.through).unit_roundoff();
  }
  return storing.truncates ? 2 * error : error;
}

}  // namespace

PositionDecoder::PositionDecoder(const Suspect& suspect, const Computation& computation, std::size_t axis)
    : suspect_(suspect),
      axis_(axis),
      model_(computation.parameters.front(), magnitudes(computation), std::fabs(computation.amplitude)),
      view_(suspect, computation),
      amplitude_(std::fabs(computation.amplitude)),
      phase_shift_(computation.phase_shift / whole_turn),
      more_tolerance_(edited_error(computation) / whole_turn) {
  const double rounding = (computation.phase_format ? traits(*computation.phase_format).unit_roundoff() : 0) +
                          (computation.period ? std::fabs(computation.period->value / whole_turn - 1) : 0);
  for (int pair = 0; pair < computation.pairs(); ++pair) {
    const auto& tone = computation.tones[static_cast<std::size_t>(pair)];
    const bool is_of_axis = computation.axes[static_cast<std::size_t>(pair)] == static_cast<int>(axis);
    if (is_of_axis && view_.is_complete(pair) && tone.sine != 0 && tone.cosine == tone.sine) {
      scales_.push_back({pair, computation.frequency(pair) / whole_turn,
                         model_.relative_phase_error(pair) + rounding + 0x1p-40});
    }
  }
  std::ranges::stable_sort(scales_, std::ranges::greater(),
                           [](const Scale& scale) { return std::fabs(scale.turns_per_position); });
  const auto [least, greatest] = std::ranges::minmax(suspect.positions()[axis]);
  const auto reach = std::max<std::int64_t>(64, greatest - least);
  greatest_ = greatest + reach;
  // Rows that wrap hold positions from zero on, which is too far to look where the first is far off.
  least_ = (greatest_ < most_candidates ? std::min<std::int64_t>(least, 0) : least) - reach;
  all_scales_ = scales_;
  keep_some();
  read(spread_rows(suspect.rows(), probed_rows));
}

void PositionDecoder::keep_some() {
  if (scales_.size() > most_scales) {
    std::vector<Scale> some;
    for (std::size_t i = 0; i < most_scales; ++i) {
      some.push_back(scales_[i * (scales_.size() - 1) / (most_scales - 1)]);
    }
    scales_ = std::move(some);
  }
}

bool PositionDecoder::leave_out_strangers() {
  scales_ = all_scales_;
  read(spread_rows(suspect_.rows(), probed_rows));
  std::vector<double> shares;
  for (std::size_t s = 0; s < scales_.size(); ++s) {
    double failing = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto place = declared(i);
      failing += fits(scales_[s], seen_[i * scales_.size() + s], static_cast<double>(place),
                      model_.position_error(place, scales_[s].pair))
                     ? 0
                     : 1;
    }
    shares.push_back(failing / static_cast<double>(rows_.size()));
  }
  if (shares.empty()) {
    return false;
  }
  auto sorted = shares;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::ranges::nth_element(sorted, middle);
  std::vector<Scale> kept;
  for (std::size_t s = 0; s < scales_.size(); ++s) {
    if (shares[s] <= *middle + strange_share) {
      kept.push_back(scales_[s]);
    }
  }
  const bool are_some = kept.size() < scales_.size();
  scales_ = std::move(kept);
  keep_some();
  read(spread_rows(suspect_.rows(), probed_rows));
  return are_some;
}

void PositionDecoder::read(std::span<const std::size_t> rows) {
  rows_.assign(rows.begin(), rows.end());
  seen_.clear();
  seen_.reserve(rows_.size() * scales_.size());
  for (const auto row : rows_) {
    for (const auto& scale : scales_) {
      auto& seen = seen_.emplace_back(Seen{0, 1});
      const auto point = view_.point(row, scale.pair);
      const double modulus = point ? std::abs(point->z) : 0;
      if (modulus > 0.5 * amplitude_) {
        seen = {std::arg(point->z) / whole_turn - phase_shift_,
                2 * point->tolerance / modulus / whole_turn + more_tolerance_};
      }
    }
  }
}

bool PositionDecoder::fits(const Scale& scale, const Seen& seen, double place, double place_error) const {
  const double whole = place * scale.turns_per_position;
  const double off = (whole - seen.turns) - std::rint(whole - seen.turns);
  return std::fabs(off) <= seen.tolerance + std::fabs(whole) * (scale.error + place_error);
}

bool PositionDecoder::fits(std::size_t i, std::int64_t position) const {
  const auto place = static_cast<double>(position);
  const double place_error = scales_.empty() ? 0 : model_.position_error(position, scales_.front().pair);
  for (std::size_t s = 0; s < scales_.size(); ++s) {
    if (!fits(scales_[s], seen_[i * scales_.size() + s], place, place_error)) {
      return false;
    }
  }
  return true;
}

std::vector<std::int64_t> PositionDecoder::positions(std::size_t i, std::size_t most) const {
  std::vector<std::int64_t> result;
  for (auto position = least_; position <= greatest_; ++position) {
    if (fits(i, position)) {
      result.push_back(position);
      if (result.size() > most) {
        return {};
      }
    }
  }
  return result;
}

}  // namespace vernier
