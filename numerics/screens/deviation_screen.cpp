#include "numerics/screens/deviation_screen.hpp"

#include <algorithm>

#include "numerics/screens/kernel.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
DeviationScreen::DeviationScreen(const std::vector<std::size_t>& pairs,
                                 std::span<const DoubleDouble> frequencies,
                                 std::span<const double> frequency_errors,
                                 std::span<const BudgetModel> models)
    : pairs_(pairs),
      models_(models.begin(), models.end()),
      unit_rows_(each_of(frequencies, pairs)),
      amplitude_(models.front().amplitude()) {
  for (const auto pair : pairs) {
    double rounding = 0;  // of all rows that are looked at: their positions are exact
    for (const auto& model : models) {
      rounding = std::max(rounding, model.parameters().phase_rounding[pair]);
    }
    frequencies_.push_back(frequencies[pair].high);
    slacks_.push_back(rounding * (1 + frequency_errors[pair]));
    reaches_.push_back(frequency_errors[pair] + slacks_.back());
  }
}

std::vector<DoubleDouble> DeviationScreen::each_of(std::span<const DoubleDouble> frequencies,
                                                   std::span<const std::size_t> pairs) {
  return mapped(pairs, [&](auto pair) { return frequencies[pair]; });
}

std::size_t DeviationScreen::look(std::int64_t position, const Couples& couples, const ErrorRanges& known,
                                  Room& room) const {
  const auto count = pairs_.size();
  const bool rounded =
      std::ranges::any_of(models_, [&](const auto& model) { return model.position_error(position, 0) != 0; });
  if (rounded || position <= 0) {
    room.settled.assign(count, 0);
    return 0;  // the few that are left are looked at closely
  }
  room.settled.resize(count);
  const auto [block, within_block] = unit_rows_.factors(room.at, position);
  return screen_kernels().deviation({.position = static_cast<double>(position),
                                     .amplitude = amplitude_,
                                     .block = block,
                                     .within_block = within_block,
                                     .frequencies = frequencies_.data(),
                                     .slacks = slacks_.data(),
                                     .reaches = reaches_.data(),
                                     .least = pairs_.of(known.least, room.least).data(),
                                     .greatest = pairs_.of(known.greatest, room.greatest).data(),
                                     .cosines = couples.cosines.data(),
                                     .cosine_bounds = couples.cosine_bounds.data(),
                                     .sines = couples.sines.data(),
                                     .sine_bounds = couples.sine_bounds.data()},
                                    count, room.settled.data());
}

}  // namespace vernier
