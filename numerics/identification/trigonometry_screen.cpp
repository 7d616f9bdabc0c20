#include "numerics/identification/trigonometry_screen.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "numerics/identification/trigonometry_audit.hpp"
#include "numerics/screens/kernel.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t binary64_binades = 2048;
constexpr int fraction_bits = 52;
constexpr std::size_t binade_of_one = 1023;

/// Beyond the errors of values that are at most 1, here and in the closer look at sines and cosines.
constexpr double screen_value_margin = 0x1p-42;
/// Beyond the error of the angle of a turn, of the phase.
constexpr double phase_margin = 0x1p-50;

std::vector<DoubleDouble> frequencies_of(std::span<const std::size_t> columns, const TensorPart& tensor,
                                         const Attribution& attribution) {
  return mapped(columns, [&](auto column) -> DoubleDouble {
    return {attribution.best(tensor.sines->columns[column].pair).frequency, 0};
  });
}

std::vector<bool> are_sines(std::span<const std::size_t> columns, const TensorPart& tensor) {
  return mapped(columns,
                [&](auto column) { return tensor.sines->columns[column].component == Component::sine; });
}

}  // namespace

TrigonometryScreen::TrigonometryScreen(const TensorPart& tensor, const std::vector<std::size_t>& columns,
                                       const BudgetModel& model, const Attribution& attribution)
    : columns_(columns),
      phase_model_(*attribution.model),
      unit_rows_(frequencies_of(columns, tensor, attribution), are_sines(columns, tensor)),
      amplitude_(attribution.amplitude) {
  for (const auto column : columns) {
    const auto pair = tensor.sines->columns[column].pair;
    const auto& best = attribution.best(pair);
    const bool fits =
        best.model == attribution.model && std::fabs(best.frequency) <= UnitRows::most_frequency;
    pairs_.push_back(pair);
    candidates_.push_back(best.candidate);
    frequencies_.push_back(best.frequency);
    most_turns_.push_back(fits ? most_small_turn : -1);
    most_frequency_ = std::max(most_frequency_, fits ? std::fabs(best.frequency) : 0);
  }
  for (std::uint64_t e = 0; e + 1 < binary64_binades; ++e) {
    limits_.push_back(trigonometry_limit(model, std::bit_cast<double>(e << fraction_bits)));
  }
  limits_.push_back(0);
}

void TrigonometryScreen::compare(std::int64_t position, std::span<const double> numbers, Room& room) const {
  const auto count = columns_.size();
  room.phases.resize(count);
  room.errors.resize(count);
  room.magnitudes.resize(count);
  phase_model_.intended_phases(position, pairs_, candidates_, room.phases);
  const auto p = static_cast<double>(position);
  const double greatest_phase = std::fabs(p) * most_frequency_ + most_small_turn;
  const auto [block, within_block] = unit_rows_.factors(room.at, position);
  screen_kernels().trigonometry(
      {.position = p,
       .amplitude = amplitude_,
       .unsure = std::fabs(amplitude_) * (screen_value_margin + greatest_phase * phase_margin),
       .block = block,
       .within_block = within_block,
       .frequencies = frequencies_.data(),
       .phases = room.phases.data(),
       .most_turns = most_turns_.data(),
       .numbers = columns_.of(numbers, room.numbers).data()},
      count, room.errors.data(), room.magnitudes.data());
}

std::size_t TrigonometryScreen::look(std::int64_t position, std::span<const double> numbers,
                                     std::span<const double> shares, Room& room) const {
  compare(position, numbers, room);
  room.settled.resize(columns_.size());
  if (limits_.front() == limits_[binade_of_one]) {
    return screen_kernels().within(room.errors.data(), shares.data(), limits_.front(), columns_.size(),
                                   room.settled.data());
  }
  // The limit grows with the magnitude.
  std::size_t count = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double magnitude = room.magnitudes[i];
    const auto binade = magnitude > 0 ? std::bit_cast<std::uint64_t>(magnitude) >> fraction_bits : 0;
    room.settled[i] = room.errors[i] <= shares[i] * limits_[binade] ? 1 : 0;
    count += room.settled[i] != 0 ? 1 : 0;
  }
  return count;
}

}  // namespace vernier
