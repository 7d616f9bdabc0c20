#include "numerics/diagnosis/stages/stage_edits.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// Frequencies are proposed if so many of the measured ones agree: few, as faults of positions and phases
/// disturb the measurement.
constexpr double least_agreement = 0.3;

}  // namespace

std::string number_words(double value) {
  if (value == std::rint(value) && std::fabs(value) < 1e15) {
    return fmt::format("{:.0f}", value);
  }
  return fmt::format("{}", value);
}

std::vector<SimpleFactor> simple_factors(double value, double relative_tolerance, int most_digits) {
  const auto decimal = shortest_decimal(value, relative_tolerance, most_digits);
  const auto inverse = shortest_decimal(1 / value, relative_tolerance, most_digits);
  const bool are_same = decimal && inverse && std::fabs(*decimal * *inverse - 1) < 0x1p-50;
  // 1/7, but not 1/0.4
  const bool is_part =
      are_same && std::rint(*inverse) == *inverse && number_bits(*inverse) + 1 < number_bits(*decimal);
  std::vector<SimpleFactor> result;
  if (decimal && !is_part) {
    result.push_back({*decimal, number_words(*decimal), 2 + number_bits(*decimal)});
  }
  if (inverse && (!are_same || is_part)) {
    result.push_back(
        {1 / static_cast<long double>(*inverse), "1/" + number_words(*inverse), 3 + number_bits(*inverse)});
  }
  return result;
}

std::vector<double> FrequentNumbers::most_frequent() const {
  constexpr std::size_t most = 4;
  std::vector<std::pair<std::size_t, double>> numbers;
  for (const auto& [number, times] : times_) {
    if (times > 1) {
      numbers.emplace_back(times, number);
    }
  }
  std::ranges::sort(numbers, std::ranges::greater());
  numbers.resize(std::min(numbers.size(), most));
  return mapped(numbers, [](const auto& one) { return one.second; });
}

std::optional<double> number_at(const OrderedJson& object, const char* key) {
  return object.contains(key) && object.at(key).is_number() ? std::optional(object.at(key).get<double>())
                                                            : std::nullopt;
}

std::string Clues::scaling_type() const {
  const auto own = scaling();
  return own.is_object() ? own.value("rope_type", std::string()) : std::string();
}

void KindEdits::add(std::string sentence, double bits, const ComputationEdit& edit, OrderedJson patch) const {
  Proposal proposal{{&kind, std::move(sentence), std::move(patch)}, bits, base};
  edit(proposal.computation);
  out.push_back(std::move(proposal));
}

void KindEdits::add_frequencies(std::string sentence, double bits, const OrderedJson& patch,
                                bool amplitude_too) const {
  // Where frequencies are measured, those that are far off are not worth the work.
  if (recovery.is_coherent()) {
    const auto frequencies = suspect.frequencies_by(patch);
    if (!frequencies || frequencies->size() != base.tones.size() ||
        recovery.agreement(*frequencies, base.parameters.front().frequency_error) < least_agreement) {
      return;
    }
  }
  if (const auto other = suspect.declared_by(patch); other && other->tones.size() == base.tones.size()) {
    add(std::move(sentence), bits,
        setting(&Computation::tones, other->tones, &Computation::parameters, other->parameters,
                &Computation::axes, other->axes, &Computation::amplitude,
                amplitude_too ? other->amplitude : base.amplitude),
        patch);
  }
}

const StageEdits& stage_edits() {
  static const auto all = make_all_groups(stage_makers);
  return all;
}

}  // namespace vernier
