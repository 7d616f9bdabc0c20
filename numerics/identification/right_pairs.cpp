#include "numerics/identification/right_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "numerics/elements/turn_allowance.hpp"

namespace vernier {
namespace {

/// What reports know greatest errors to, relatively: seven digits.
constexpr double error_digits = 0x1p-23;
/// Beyond all that is computed in double here and by audits, of values that are at most 1.
constexpr double right_value_margin = 0x1p-44;
/// Beyond the error of a frequency as a double-double.
constexpr double frequency_margin = 0x1p-80;

/// What a pair uses of its limits in a band.
struct UsedLimits {
  double most = std::numeric_limits<double>::infinity();  ///< r
  double least = 0;                                       ///< s
};

/// The least and the greatest |position|.
std::ranges::minmax_result<std::int64_t> distances_of(std::span<const std::int64_t> positions) {
  return std::ranges::minmax(positions |
                             std::views::transform([](std::int64_t position) { return std::abs(position); }));
}

}  // namespace

RightPairs::RightPairs(const TensorPart& tensor, std::span<const std::int64_t> positions,
                       const AuditReport& audit, std::span<const PhaseKnowledge> knowledge,
                       const Attribution* attribution)
    : pairs_(knowledge.size()) {
  const auto model = tensor.model();
  const double amplitude = model.amplitude();
  const auto& parameters = model.parameters();
  const bool is_plain =
      !positions.empty() && !tensor.sines->zero_position && audit.statistics.non_finite() == 0 &&
      parameters.position_error.front().is_plain() &&
      static_cast<double>(distances_of(positions).max) * traits(parameters.compute).unit_roundoff() <= 1 &&
      (attribution == nullptr || attribution->amplitude == amplitude);
  if (!is_plain) {
    return;
  }
  const auto frequencies = exact_frequencies(tensor.sines->frequencies);
  const double least_limit = trigonometry_limit(model, 0);
  const double greatest_limit = trigonometry_limit(model, amplitude * (1 + right_value_margin));
  const auto use_of = [&](std::size_t pair, const BandReport& band) -> UsedLimits {
    double off = 0;  // e
    if (knowledge[pair] == PhaseKnowledge::unknown) {
      return {};
    }
    if (knowledge[pair] == PhaseKnowledge::attributed) {
      const auto& best = attribution->best(static_cast<int>(pair));
      const auto& w = frequencies[pair];
      const double w_off = std::fabs((best.frequency - w.high) - w.low);
      off = static_cast<double>(band.last_position) *
            (w_off + std::fabs(w.high) * (best.model->product_roundoff() + frequency_margin));
    }
    const double error = band.pairs[pair].greatest_error;
    const double slack =
        amplitude * (off * (1 + right_value_margin) + right_value_margin) + error * error_digits;
    return {(error + slack) / least_limit, (error - slack) / greatest_limit};
  };
  double least_worst = 0;
  for (const auto& [index, band] : audit.bands) {
    auto& most = bands_.emplace_back(band.first_position, band.last_position, std::vector<double>()).most;
    for (std::size_t pair = 0; pair < pairs_; ++pair) {
      const auto use = use_of(pair, band);
      most.push_back(use.most);
      least_worst = std::max(least_worst, use.least);
    }
  }
  right_below_ = std::min(least_worst, std::nextafter(1.0, 2.0));
}

std::vector<bool> RightPairs::of(std::span<const std::int64_t> positions) const {
  std::vector<bool> result(pairs_, !bands_.empty());
  const auto [nearest, furthest] = distances_of(positions);
  for (const auto& [first, last, most] : bands_) {
    for (std::size_t pair = 0; pair < pairs_ && first <= furthest && last >= nearest; ++pair) {
      result[pair] = result[pair] && most[pair] < right_below_;
    }
  }
  return result;
}

}  // namespace vernier
