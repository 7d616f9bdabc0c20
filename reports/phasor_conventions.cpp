#include "reports/phasor_conventions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/core.h>

#include "numerics/identification/position_offset.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// Phases that fit a shift of all positions are this near to it, in radians.
constexpr double fitting = 0.05;
/// Honest float32 frequencies are this near to the true ones, relatively: (2 ln(10^7) + 3) u = 2.1e-6.
constexpr double honest_frequency_error = 3e-6;

double wrapped(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}

/// A phasor as it is under a reading: exchanging components reflects z in the diagonal, negating the sine in
/// the real axis.
FittedPhasor read(FittedPhasor phasor, const Reading& reading) {
  if (reading.exchanged) {
    phasor.frequency = -phasor.frequency;
    phasor.phase = wrapped(std::numbers::pi / 2 - phasor.phase);
  }
  if (reading.sine_negated) {
    phasor.frequency = -phasor.frequency;
    phasor.phase = wrapped(-phasor.phase);
  }
  return phasor;
}

std::vector<FittedPhasor> read(const std::vector<std::optional<FittedPhasor>>& phasors,
                               const Reading& reading) {
  std::vector<FittedPhasor> result;
  for (const auto& phasor : phasors) {
    if (phasor) {
      result.push_back(read(*phasor, reading));
    }
  }
  return result;
}

/// The shortest decimal within the tolerance.
std::string shortest_within(double value, double relative_tolerance) {
  for (int digits = 1; digits < 12; ++digits) {
    const double scale = std::pow(10, digits - 1 - static_cast<int>(std::floor(std::log10(value))));
    const double rounded = std::round(value * scale) / scale;
    if (std::fabs(rounded / value - 1) <= relative_tolerance) {
      return significant_text(rounded, digits);
    }
  }
  return significant_text(value, 12);
}

Convention amplitude_convention(const std::vector<FittedPhasor>& phasors, double declared, Format stored) {
  std::vector<double> amplitudes;
  amplitudes.reserve(phasors.size());
  for (const auto& phasor : phasors) {
    amplitudes.push_back(phasor.amplitude);
  }
  const auto middle = amplitudes.begin() + static_cast<std::ptrdiff_t>(amplitudes.size() / 2);
  std::ranges::nth_element(amplitudes, middle);
  // The modulus of two components, each off by a few roundings: 4u of the stored format, and the same of
  // float32.
  const double tolerance = 4 * traits(stored).unit_roundoff() + 0x1p-22;
  const bool agrees = std::fabs(*middle / declared - 1) <= tolerance;
  const auto text = [&](double value) { return shortest_within(value, std::max(tolerance, 5e-6)); };
  return {"amplitude", text(agrees ? declared : *middle), text(declared), agrees,
          "the median modulus of " + counted(phasors.size(), "pair", "pairs")};
}

/// Nothing where most phasors do not keep on to the last position: then no one shift says what the positions
/// are.
std::optional<Convention> first_position_convention(const std::vector<FittedPhasor>& phasors,
                                                    std::int64_t declared, std::int64_t span) {
  const auto lasting =
      std::ranges::count_if(phasors, [&](const FittedPhasor& phasor) { return 2 * phasor.horizon >= span; });
  const auto offset = position_offset(phasors);
  if (2 * lasting <= std::ssize(phasors) || !offset || offset->misfit > fitting) {
    return std::nullopt;
  }
  const double nearest = std::round(offset->offset);
  const double tolerance = 4 * offset->uncertainty + 1e-3;
  if (tolerance > 0.25) {
    return std::nullopt;
  }
  const bool whole = std::fabs(offset->offset - nearest) <= tolerance;
  const double found = static_cast<double>(declared) + (whole ? nearest : offset->offset);
  return Convention{"first position",
                    whole ? std::to_string(static_cast<std::int64_t>(found)) : significant_text(found, 6),
                    std::to_string(declared), whole && nearest == 0,
                    "the phases of all phasors, which a shift of positions turns by its multiple of their "
                    "frequencies"};
}

/// ln b, if the phasors' frequencies are b^(-i step).
struct Base {
  double logarithm;
  double deviation;  ///< the greatest that a pair is off, in ln b
};

std::optional<Base> base_of(const std::vector<std::optional<FittedPhasor>>& phasors, const Reading& reading,
                            double step) {
  std::vector<std::pair<double, double>> estimates;  // ln b and how well one pair tells it
  for (std::size_t i = 1; i < phasors.size(); ++i) {
    if (!phasors[i]) {
      continue;
    }
    const auto phasor = read(*phasors[i], reading);
    if (phasor.frequency <= 4 * phasor.uncertainty) {
      return std::nullopt;
    }
    const double exponent = static_cast<double>(i) * step;
    estimates.emplace_back(-std::log(phasor.frequency) / exponent,
                           (4 * phasor.uncertainty / phasor.frequency + honest_frequency_error) / exponent);
  }
  if (estimates.size() < 3) {
    return std::nullopt;
  }
  const auto best = *std::ranges::min_element(estimates, {}, &std::pair<double, double>::second);
  // Uncertainties are those of random errors, and what 16 bits do to slow pairs is not random: a tenth of the
  // pairs may be further off.
  const auto on_line = std::ranges::count_if(estimates, [&](const auto& estimate) {
    return std::fabs(estimate.first - best.first) <= estimate.second + best.second;
  });
  const bool is_line = 10 * on_line >= 9 * std::ssize(estimates);
  return is_line ? std::optional(Base{best.first, best.second}) : std::nullopt;
}

std::optional<Convention> base_convention(const std::vector<std::optional<FittedPhasor>>& phasors,
                                          const Reading& reading, const GeometricFrequencies& declared) {
  if (declared.offset != 0 || declared.step <= 0) {
    return std::nullopt;
  }
  const auto base = base_of(phasors, reading, approximately(declared.step));
  if (!base) {
    return std::nullopt;
  }
  const double said = approximately(declared.base);
  const bool agrees = std::fabs(base->logarithm - std::log(said)) <= base->deviation;
  return Convention{
      "base", agrees ? to_string(declared.base) : shortest_within(std::exp(base->logarithm), base->deviation),
      to_string(declared.base), agrees,
      "the recovered frequencies of all pairs, which fall on one geometric line"};
}

std::optional<Convention> frequencies_convention(const std::vector<std::optional<FittedPhasor>>& phasors,
                                                 const Reading& reading, const Frequencies& declared) {
  std::size_t measured = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < phasors.size(); ++i) {
    const double frequency = declared.approximate(static_cast<int>(i));
    if (phasors[i] && frequency > 0) {
      const auto phasor = read(*phasors[i], reading);
      ++measured;
      others += std::fabs(phasor.frequency - frequency) >
                        4 * phasor.uncertainty + honest_frequency_error * frequency
                    ? 1
                    : 0;
    }
  }
  if (measured == 0) {
    return std::nullopt;
  }
  return Convention{"frequencies",
                    others == 0
                        ? "as declared"
                        : fmt::format("others in {} of {}", others, counted(measured, "pair", "pairs")),
                    "as declared", others == 0, "the recovered frequency of each pair"};
}

/// A format narrower than float32 all of whose frequencies are, if they all are and could have been others.
std::optional<Convention> frequency_format_convention(const std::vector<std::optional<FittedPhasor>>& phasors,
                                                      std::string_view declared) {
  constexpr std::size_t telling_pairs = 8;
  for (const auto format : {Format::bfloat16, Format::binary16}) {
    std::size_t telling = 0;
    bool all = true;
    for (const auto& phasor : phasors) {
      const double frequency = phasor ? std::fabs(phasor->frequency) : 0;
      const double spacing = ulp_at(format, frequency);
      if (phasor && 16 * phasor->uncertainty < spacing && frequency < 1) {
        ++telling;
        all = all && std::fabs(round_to(format, frequency) - frequency) <= 4 * phasor->uncertainty;
      }
    }
    if (all && telling >= telling_pairs) {
      const auto name = traits(format).name;
      return Convention{"format of the frequencies", std::string(name), std::string(declared),
                        name == declared,
                        fmt::format("the recovered frequencies of {} are all numbers of it",
                                    counted(telling, "pair", "pairs"))};
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_counterclockwise(const std::vector<std::optional<FittedPhasor>>& phasors) {
  int sense = 0;
  for (const auto& phasor : phasors) {
    if (phasor && std::fabs(phasor->frequency) > 4 * phasor->uncertainty) {
      sense += phasor->frequency > 0 ? 1 : -1;
    }
  }
  return sense >= 0;
}

Reading reading_of(const std::vector<std::optional<FittedPhasor>>& phasors) {
  const bool forwards = is_counterclockwise(phasors);
  const Reading simple{false, !forwards};
  const Reading other{true, forwards};
  const auto misfit = [&](const Reading& reading) {
    const auto offset = position_offset(read(phasors, reading));
    return offset ? offset->misfit : std::numbers::pi;
  };
  const double exchanged = misfit(other);
  return exchanged < fitting && exchanged * convincing < misfit(simple) ? other : simple;
}

void tell_phasors(const std::vector<std::optional<FittedPhasor>>& phasors, const Reading& reading,
                  const DeclaredTones& declared, Format stored, std::vector<Convention>& out) {
  const auto present = read(phasors, reading);
  if (present.empty()) {
    return;
  }
  const auto add = [&](std::optional<Convention> convention) {
    if (convention) {
      out.push_back(*std::move(convention));
    }
  };
  out.push_back(amplitude_convention(present, declared.amplitude, stored));
  const auto [least, greatest] = std::ranges::minmax(declared.positions);
  add(first_position_convention(present, declared.positions.front(), greatest - least));
  if (const auto* geometric = declared.frequencies.geometric()) {
    add(base_convention(phasors, reading, *geometric));
  } else {
    add(frequencies_convention(phasors, reading, declared.frequencies));
  }
  add(frequency_format_convention(phasors, declared.compute));
}

}  // namespace vernier
