#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "numerics/computation/spec_patch.hpp"

namespace vernier {
namespace {

/// Errors of measured frequencies are no normal ones: a systematic part is common to many rows.
constexpr double most_deviations = 4;

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
    if (frequency > most_deviations * phasor->uncertainty) {
      const double allowed = clues.base.parameters.front().frequency_error[i];
      result.push_back({static_cast<int>(i), frequency,
                        most_deviations * phasor->uncertainty / frequency + allowed, declared});
    }
  }
  return result;
}

std::optional<std::pair<std::string, double>> base_in(const OrderedJson& keys) {
  for (const auto* key : {"rope_theta", "base"}) {
    if (const auto base = number_at(keys, key)) {
      return std::pair{std::string(key), *base};
    }
  }
  return std::nullopt;
}

std::optional<std::pair<std::string, double>> declared_base(const Clues& clues) {
  return base_in(clues.spec());
}

OrderedJson SpecBase::replaced(double other) const {
  auto patch = OrderedJson::array();
  for (const auto& path : paths) {
    patch.push_back(replacement(path, json_number(other)).front());
  }
  return patch;
}

std::vector<SpecBase> spec_bases(const Clues& clues) {
  if (const auto declared = declared_base(clues)) {
    return {{{declared->first}, declared->second, std::nullopt}};
  }
  const auto spec = clues.spec();
  if (!spec.contains("axes") || !spec.at("axes").is_array()) {
    return {};
  }
  const auto& axes = spec.at("axes");
  std::vector<SpecBase> result;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (const auto base = base_in(axes[axis])) {
      result.push_back(
          {{fmt::format("axes/{}/{}", axis, base->first)}, base->second, static_cast<int>(axis)});
    }
  }
  const bool is_common =
      !result.empty() && result.size() == axes.size() &&
      std::ranges::all_of(result, [&](const SpecBase& one) { return one.value == result.front().value; });
  if (is_common) {
    SpecBase common{{}, result.front().value, std::nullopt};
    for (const auto& one : result) {
      common.paths.push_back(one.paths.front());
    }
    result.insert(result.begin(), std::move(common));
  }
  return result;
}

std::vector<double> first_frequencies(const Clues& clues) {
  const auto& declared = clues.suspect.declared();
  std::vector<double> result(clues.suspect.positions().size());
  for (int pair = declared.pairs(); pair-- > 0;) {
    result[static_cast<std::size_t>(declared.axes[static_cast<std::size_t>(pair)])] =
        declared.frequency(pair);
  }
  return result;
}

bool is_scaled(const Clues& clues) {
  return !clues.scaling().is_null();
}

}  // namespace vernier
