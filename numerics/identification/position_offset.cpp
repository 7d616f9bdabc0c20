#include "numerics/identification/position_offset.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace vernier {
namespace {

double wrapped(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}

}  // namespace

std::optional<PositionOffset> position_offset(std::span<const FittedPhasor> phasors) {
  std::vector<FittedPhasor> usable;
  std::ranges::copy_if(phasors, std::back_inserter(usable),
                       [](const FittedPhasor& phasor) { return phasor.frequency > 4 * phasor.uncertainty; });
  if (usable.empty()) {
    return std::nullopt;
  }
  std::ranges::sort(usable, {}, &FittedPhasor::frequency);
  double offset = usable.front().phase / usable.front().frequency;
  double weights = 0;
  double weighted = 0;
  for (const auto& phasor : usable) {
    const double estimate = offset + wrapped(phasor.phase - offset * phasor.frequency) / phasor.frequency;
    const double deviation = (phasor.phase_uncertainty + 0x1p-40) / phasor.frequency;
    weights += 1 / (deviation * deviation);
    weighted += estimate / (deviation * deviation);
    offset = weighted / weights;
  }
  std::vector<double> misfits;
  for (const auto& phasor : usable) {
    misfits.push_back(std::fabs(wrapped(phasor.phase - offset * phasor.frequency)));
  }
  const auto middle = misfits.begin() + static_cast<std::ptrdiff_t>(misfits.size() / 2);
  std::ranges::nth_element(misfits, middle);
  return PositionOffset{offset, 1 / std::sqrt(weights), *middle};
}

}  // namespace vernier
