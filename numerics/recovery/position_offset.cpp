#include "numerics/recovery/position_offset.hpp"

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

std::optional<PositionOffset> position_offset(std::span<const Tone> tones) {
  std::vector<Tone> usable;
  std::ranges::copy_if(tones, std::back_inserter(usable),
                       [](const Tone& tone) { return tone.frequency > 4 * tone.uncertainty; });
  if (usable.empty()) {
    return std::nullopt;
  }
  std::ranges::sort(usable, {}, &Tone::frequency);
  double offset = usable.front().phase / usable.front().frequency;
  double weights = 0;
  double weighted = 0;
  for (const auto& tone : usable) {
    const double estimate = offset + wrapped(tone.phase - offset * tone.frequency) / tone.frequency;
    const double deviation = (tone.phase_uncertainty + 0x1p-40) / tone.frequency;
    weights += 1 / (deviation * deviation);
    weighted += estimate / (deviation * deviation);
    offset = weighted / weights;
  }
  std::vector<double> misfits;
  for (const auto& tone : usable) {
    misfits.push_back(std::fabs(wrapped(tone.phase - offset * tone.frequency)));
  }
  const auto middle = misfits.begin() + static_cast<std::ptrdiff_t>(misfits.size() / 2);
  std::ranges::nth_element(misfits, middle);
  return PositionOffset{offset, 1 / std::sqrt(weights), *middle};
}

}  // namespace vernier
