#include "numerics/computation/position_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/decoding/pair_signal.hpp"

namespace vernier {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;
/// So many pairs tell a position; more take longer.
constexpr std::size_t most_scales = 12;
constexpr std::size_t fewest_scales = 5;
/// So many rows times pairs are read: some tenths of a second.
constexpr std::size_t most_read = std::size_t{1} << 22;
constexpr std::size_t most_rows = std::size_t{1} << 20;
constexpr std::size_t probed_rows = 64;
/// Stretches that a row may hold are followed up to so many.
constexpr std::size_t most_ranges = 512;
/// The slowest pair leaves so many at the most.
constexpr double most_turns = 1 << 14;
/// A pair that fails so much oftener than the usual one holds something else.
constexpr double strange_share = 0.5;

/// What rounding, lookup and storing make phases off by beyond what is allowed to them, in radians.
double edited_error(const Computation& computation) {
  const auto& storing = computation.storing;
  double error = computation.phase_step / 2 + 2 * computation.trigonometry_error + storing.flushed_below;
  if (storing.through) {
    error += 4 * traits(*storing.through).unit_roundoff();
  }
  return storing.truncates ? 2 * error : error;
}

double turns_off(double whole, double turns) {
  return (whole - turns) - std::rint(whole - turns);
}

}  // namespace

PositionDecoder::PositionDecoder(const Suspect& suspect, const Computation& computation, std::size_t axis,
                                 const std::vector<bool>* unread)
    : suspect_(suspect),
      axis_(axis),
      unread_(unread),
      model_(computation.parameters.front(), computation.magnitudes(), std::fabs(computation.amplitude)),
      view_(suspect, computation),
      amplitude_(std::fabs(computation.amplitude)),
      phase_shift_(computation.phase_shift / whole_turn),
      more_tolerance_(edited_error(computation) / whole_turn),
      map_(suspect.encoding().positions_along(axis)) {
  const double rounding = (computation.phase_format ? computation.phase_format->roundoff() : 0) +
                          (computation.period ? std::fabs(computation.period->value / whole_turn - 1) : 0);
  for (int pair = 0; pair < computation.pairs(); ++pair) {
    const auto& tone = computation.tones[static_cast<std::size_t>(pair)];
    const bool is_of_axis = computation.axes[static_cast<std::size_t>(pair)] == static_cast<int>(axis);
    if (is_of_axis && (view_.is_complete(pair) || view_.is_lone(pair)) && tone.sine != 0 &&
        tone.cosine == tone.sine) {
      all_scales_.push_back({pair, computation.frequency(pair) / whole_turn,
                             model_.relative_phase_error(pair) + rounding + 0x1p-40});
    }
  }
  std::ranges::stable_sort(all_scales_, {},
                           [](const Scale& scale) { return std::fabs(scale.turns_per_place); });
  const auto [least, greatest] = std::ranges::minmax(suspect.positions()[axis]);
  // From as far before zero, or the first position, as four times all are wide, and as the last lies behind
  // it (where an integer type wraps, they do not lie farther), to as far behind the last; and half a turn of
  // the slowest pair, up to the longest usual context, as no other position looks like one within it.
  constexpr double fewest = 64;
  constexpr double most = 0x1p17;
  const double stride = std::fabs(real_place(map_, 1) - real_place(map_, 0));
  const double slowest = all_scales_.empty() ? 1 : std::fabs(all_scales_.front().turns_per_place);
  const double wide = std::max({fewest * stride, 4 * static_cast<double>(greatest - least),
                                static_cast<double>(suspect.rows()), std::min(most * stride, 0.5 / slowest)});
  reach_ = {std::min(0.0, static_cast<double>(least)) - std::max(wide, static_cast<double>(greatest)),
            static_cast<double>(greatest) + wide};
  scales_ = all_scales_;
  keep_some();
  sample_ = spread_rows(suspect.rows(), probed_rows);
  read(sample_);
}

void PositionDecoder::keep_some() {
  const auto most =
      std::clamp(most_read / std::max<std::size_t>(1, suspect_.rows()), fewest_scales, most_scales);
  if (scales_.size() > most) {
    std::vector<Scale> some;
    for (std::size_t i = 0; i < most; ++i) {
      some.push_back(scales_[i * (scales_.size() - 1) / (most - 1)]);
    }
    scales_ = std::move(some);
  }
}

bool PositionDecoder::can_tell() const {
  return scales_.size() >= 2 && suspect_.rows() <= most_rows;
}

bool PositionDecoder::reads_one_component() const {
  return std::ranges::any_of(scales_, [&](const Scale& scale) { return view_.is_lone(scale.pair); });
}

std::vector<double> PositionDecoder::declared() const {
  std::vector<double> result;
  result.reserve(suspect_.rows());
  for (const auto position : suspect_.positions()[axis_]) {
    result.push_back(real_number(map_, static_cast<double>(position)));
  }
  return result;
}

std::optional<std::size_t> PositionDecoder::a_wrong_row() const {
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const auto row = sample_[i];
    if (!fits(row, real_number(map_, static_cast<double>(suspect_.positions()[axis_][row])))) {
      return row;
    }
  }
  return std::nullopt;
}

bool PositionDecoder::leave_out_strangers() {
  scales_ = all_scales_;
  read(sample_);
  std::vector<double> shares;
  for (std::size_t s = 0; s < scales_.size(); ++s) {
    double failing = 0;
    for (const auto row : sample_) {
      const auto place = static_cast<double>(suspect_.positions()[axis_][row]);
      failing += fits(scales_[s], seen(row)[s], place, place_error(place)) ? 0 : 1;
    }
    shares.push_back(failing / static_cast<double>(sample_.size()));
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
  read(sample_);
  return are_some;
}

void PositionDecoder::read_all() {
  read(spread_rows(suspect_.rows(), suspect_.rows()));
}

void PositionDecoder::read(std::span<const std::size_t> rows) {
  has_all_ = rows.size() == suspect_.rows();
  decoded_.assign(rows.size(), std::nullopt);
  seen_.assign(rows.size() * scales_.size(), {});
  oneapi::tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    if (unread_ != nullptr && (*unread_)[rows[i]]) {
      return;
    }
    for (std::size_t s = 0; s < scales_.size(); ++s) {
      auto& shown = seen_[i * scales_.size() + s];
      if (view_.is_lone(scales_[s].pair)) {
        shown = seen_alone(view_.component(rows[i], scales_[s].pair));
        continue;
      }
      const auto point = view_.point(rows[i], scales_[s].pair);
      const double modulus = point ? std::abs(point->z) : 0;
      if (modulus > 0.5 * amplitude_) {
        shown = {std::arg(point->z) / whole_turn - phase_shift_, 0,
                 point->angle / whole_turn + more_tolerance_};
      }
    }
  });
}

/// A cosine c is that of +-acos c; a sine that of as much about a quarter of a turn.
PositionDecoder::Seen PositionDecoder::seen_alone(const std::optional<SeenComponent>& component) const {
  if (!component || std::fabs(component->value) > 1 + 4 * component->tolerance) {
    return {};
  }
  const auto angle = [](double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)) / whole_turn; };
  const double apart = angle(component->value);
  const double tolerance = std::max(angle(component->value - component->tolerance) - apart,
                                    apart - angle(component->value + component->tolerance));
  return {(component->is_sine ? 0.25 : 0) - phase_shift_, apart, tolerance + more_tolerance_};
}

std::span<const PositionDecoder::Seen> PositionDecoder::seen(std::size_t row) const {
  const auto i =
      has_all_ ? row : static_cast<std::size_t>(std::ranges::lower_bound(sample_, row) - sample_.begin());
  return std::span(seen_).subspan(i * scales_.size(), scales_.size());
}

double PositionDecoder::place_error(double place) const {
  return scales_.empty() ? 0 : model_.position_error(std::llround(place), scales_.front().pair);
}

bool PositionDecoder::fits(const Scale& scale, const Seen& seen, double place, double place_error) const {
  const double whole = place * scale.turns_per_place;
  const double off = std::min(std::fabs(turns_off(whole, seen.turns + seen.apart)),
                              std::fabs(turns_off(whole, seen.turns - seen.apart)));
  return off <= seen.tolerance + std::fabs(whole) * (scale.error + place_error);
}

bool PositionDecoder::fits(std::size_t row, double number) const {
  const double place = real_place(map_, number);
  const double error = place_error(place);
  const auto shown = seen(row);
  for (std::size_t s = 0; s < scales_.size(); ++s) {
    if (!fits(scales_[s], shown[s], place, error)) {
      return false;
    }
  }
  return true;
}

std::span<const HeldRange> PositionDecoder::numbers(std::size_t row) const {
  const auto i =
      has_all_ ? row : static_cast<std::size_t>(std::ranges::lower_bound(sample_, row) - sample_.begin());
  auto& known = decoded_[i];
  if (!known) {
    known = decode(row);
  }
  return *known;
}

std::vector<HeldRange> PositionDecoder::decode(std::size_t row) const {
  std::vector<HeldRange> ranges{reach_};
  bool is_told = false;
  const auto shown = seen(row);
  for (std::size_t s = 0; s < scales_.size(); ++s) {
    if (shown[s].tolerance < 0.5) {
      auto narrower = refined(ranges, scales_[s], shown[s]);
      is_told = true;
      if (!narrower || narrower->size() > most_ranges) {
        return {};
      }
      ranges = *std::move(narrower);
    }
  }
  if (!is_told) {
    return {};
  }
  for (auto& range : ranges) {
    const double a = real_number(map_, range.low);
    const double b = real_number(map_, range.high);
    range = {std::min(a, b), std::max(a, b)};
  }
  return ranges;
}

/// The parts of the ranges whose phases the pair may show; nothing where there are too many.
std::optional<std::vector<HeldRange>> PositionDecoder::refined(const std::vector<HeldRange>& ranges,
                                                               const Scale& scale, const Seen& seen) const {
  std::vector<HeldRange> result;
  for (const auto& range : ranges) {
    const double far = std::max(std::fabs(range.low), std::fabs(range.high));
    const double tolerance =
        seen.tolerance + far * std::fabs(scale.turns_per_place) * (scale.error + place_error(far));
    double first = range.low * scale.turns_per_place;
    double last = range.high * scale.turns_per_place;
    if (first > last) {
      std::swap(first, last);
    }
    for (const double turns : {seen.turns + seen.apart, seen.turns - seen.apart}) {
      const double low = std::ceil(first - turns - tolerance);
      const double high = std::floor(last - turns + tolerance);
      if (high - low > most_turns) {
        result.push_back(range);  // too many to follow: a faster pair may not be
        break;
      }
      for (double k = low; k <= high; ++k) {
        double a = (turns + k - tolerance) / scale.turns_per_place;
        double b = (turns + k + tolerance) / scale.turns_per_place;
        if (a > b) {
          std::swap(a, b);
        }
        const HeldRange part{std::max(a, range.low), std::min(b, range.high)};
        if (part.low <= part.high) {
          result.push_back(part);
        }
        if (result.size() > 4 * most_ranges) {
          return std::nullopt;
        }
      }
      if (seen.apart == 0) {
        break;
      }
    }
  }
  // Both phases of one component leave stretches that overlap.
  std::ranges::sort(result, {}, &HeldRange::low);
  std::vector<HeldRange> merged;
  for (const auto& part : result) {
    if (!merged.empty() && part.low <= merged.back().high) {
      merged.back().high = std::max(merged.back().high, part.high);
    } else {
      merged.push_back(part);
    }
  }
  return merged;
}

}  // namespace vernier
