#include "numerics/identification/screens/trigonometry_screen.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "numerics/identification/screens/small_turn.hpp"
#include "numerics/identification/trigonometry_audit.hpp"

namespace vernier {
namespace {

constexpr std::size_t binades = 2048;
constexpr int fraction_bits = 52;
constexpr std::size_t binade_of_one = 1023;
/// Beyond the errors of values that are at most 1, here and in the closer look.
constexpr double value_margin = 0x1p-42;
/// Beyond the error of d, of the phase.
constexpr double phase_margin = 0x1p-50;

std::vector<DoubleDouble> frequencies_of(std::span<const std::size_t> columns, const TableTensor& tensor,
                                         const Attribution& attribution) {
  std::vector<DoubleDouble> result;
  for (const auto column : columns) {
    result.push_back({attribution.best(tensor.table.columns[column].pair).frequency, 0});
  }
  return result;
}

}  // namespace

TrigonometryScreen::TrigonometryScreen(const TableTensor& tensor, std::vector<std::size_t> columns,
                                       const BudgetModel& model, const Attribution& attribution)
    : columns_(std::move(columns)),
      phase_model_(*attribution.model),
      unit_rows_(frequencies_of(columns_, tensor, attribution)),
      amplitude_(attribution.amplitude) {
  for (const auto column : columns_) {
    const auto& [pair, component] = tensor.table.columns[column];
    const auto& best = attribution.best(pair);
    const bool fits =
        best.model == attribution.model && std::fabs(best.frequency) <= UnitRows::most_frequency;
    const bool is_sine = component == Component::sine;
    pairs_.push_back(pair);
    candidates_.push_back(best.candidate);
    frequencies_.push_back(best.frequency);
    most_turns_.push_back(fits ? SmallTurn::most : -1);
    cosine_shares_.push_back(is_sine ? 0 : 1);
    sine_shares_.push_back(is_sine ? 1 : 0);
  }
  for (std::uint64_t e = 0; e + 1 < binades; ++e) {
    limits_.push_back(trigonometry_limit(model, std::bit_cast<double>(e << fraction_bits)));
  }
  limits_.push_back(0);
}

void TrigonometryScreen::compare(std::int64_t position, std::span<const double> numbers, Room& room) const {
  const auto count = columns_.size();
  unit_rows_.move(room.at, position);
  room.phases.resize(count);
  room.errors.resize(count);
  room.magnitudes.resize(count);
  phase_model_.intended_phases(position, pairs_, candidates_, room.phases);
  for (std::size_t i = 0; i < count; ++i) {
    room.errors[i] = numbers[columns_[i]];
  }
  const auto p = static_cast<double>(position);
  const double* cosines = room.at.cosines.data();
  const double* sines = room.at.sines.data();
  const double* phases = room.phases.data();
  double* errors = room.errors.data();
  double* magnitudes = room.magnitudes.data();
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = phases[i] - p * frequencies_[i];
    const auto turn = small_turn(angle);
    // Of a cosine C + C v - S t, of a sine S + S v + C t.
    const double own = cosine_shares_[i] * cosines[i] + sine_shares_[i] * sines[i];
    const double other = sine_shares_[i] * cosines[i] - cosine_shares_[i] * sines[i];
    const double value = amplitude_ * (own + (own * turn.versine + other * turn.sine));
    const double unsure = std::fabs(amplitude_) * (value_margin + std::fabs(phases[i]) * phase_margin);
    const double error = std::fabs(errors[i] - value) + unsure;
    errors[i] = std::fabs(angle) <= most_turns_[i] ? error : std::numeric_limits<double>::infinity();
    magnitudes[i] = std::fabs(value) - unsure;
  }
}

void TrigonometryScreen::look(std::int64_t position, std::span<const double> numbers,
                              std::span<const double> shares, Room& room) const {
  compare(position, numbers, room);
  room.settled.resize(columns_.size());
  std::int64_t* settled = room.settled.data();
  const double* errors = room.errors.data();
  if (limits_.front() == limits_[binade_of_one]) {
    const double limit = limits_.front();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      settled[i] = errors[i] <= shares[i] * limit ? 1 : 0;
    }
    return;
  }
  // The limit grows with the magnitude.
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double magnitude = room.magnitudes[i];
    const auto binade = magnitude > 0 ? std::bit_cast<std::uint64_t>(magnitude) >> fraction_bits : 0;
    settled[i] = errors[i] <= shares[i] * limits_[binade] ? 1 : 0;
  }
}

}  // namespace vernier
