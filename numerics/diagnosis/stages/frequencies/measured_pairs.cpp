#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"

#include <cmath>
#include <numbers>

namespace vernier {
namespace {

/// Errors of measured frequencies are no normal ones: a systematic part is common to many rows.
constexpr double deviations = 4;

}  // namespace

bool MeasuredPair::agrees() const {
  constexpr double loosely = 3;  // what is proposed must predict anyway
  return std::fabs(frequency / declared - 1) <= loosely * uncertainty;
}

std::vector<MeasuredPair> measured_pairs(const Clues& clues) {
  std::vector<MeasuredPair> result;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    const double declared = clues.base.frequency(static_cast<int>(i));
    if (!phasor || !(declared > 0)) {
      continue;
    }
    // Where more than half a turn is meant from one position to the next, so many turns are meant.
    const double period = phasor->ambiguity.value_or(2 * std::numbers::pi);
    const double frequency =
        phasor->frequency +
        (declared > period / 2 ? period * std::round((declared - phasor->frequency) / period) : 0);
    if (frequency > deviations * phasor->uncertainty) {
      const double allowed = clues.base.parameters.front().frequency_error[i];
      result.push_back(
          {static_cast<int>(i), frequency, deviations * phasor->uncertainty / frequency + allowed, declared});
    }
  }
  return result;
}

std::optional<std::pair<std::string, double>> declared_base(const Clues& clues) {
  const auto spec = clues.suspect.encoding().spec();
  for (const auto* key : {"rope_theta", "base"}) {
    if (spec.contains(key) && spec.at(key).is_number()) {
      return std::pair{std::string(key), spec.at(key).get<double>()};
    }
  }
  return std::nullopt;
}

bool is_scaled(const Clues& clues) {
  const auto spec = clues.suspect.encoding().spec();
  return spec.contains("rope_scaling") && !spec.at("rope_scaling").is_null();
}

}  // namespace vernier
