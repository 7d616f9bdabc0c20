#include "numerics/identification/spec_edits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "reference/trig_table.hpp"

namespace vernier {
namespace {

using Readings = std::vector<SpecReading>;

/// What was declared, to be edited.
SpecReading edited(const SpecReading& declared, std::string edit) {
  auto result = declared;
  result.edit = std::move(edit);
  return result;
}

void shifted_positions(const SpecReading& declared, Readings& out) {
  for (const int shift : {1, -1}) {
    auto other = edited(declared, shift > 0 ? "positions are larger by one" : "positions are smaller by one");
    for (auto& position : other.positions) {
      position += shift;
    }
    const auto in_range = [](std::int64_t p) { return p >= -largest_position && p <= largest_position; };
    if (std::ranges::all_of(other.positions, in_range)) {
      out.push_back(std::move(other));
    }
  }
}

void wrapped_positions(const SpecReading& declared, Readings& out) {
  const auto last = *std::ranges::max_element(declared.positions);
  for (std::int64_t modulus = 256; modulus <= last; modulus *= 2) {
    auto other = edited(declared, "positions wrap at " + std::to_string(modulus));
    for (auto& position : other.positions) {
      position = (position % modulus + modulus) % modulus;
    }
    out.push_back(std::move(other));
  }
}

/// The frequencies of the case, if they descend from one as the papers' do: others have no usual mistakes.
std::optional<GeometricFrequencies> progression_of(const SpecReading& declared) {
  const auto* progression = declared.frequencies.geometric();
  return progression != nullptr && progression->offset == 0 && progression->step > 0
             ? std::optional(*progression)
             : std::nullopt;
}

/// w_i = b^(-i/n) for n pairs, as in the papers, or b^(-i/(n - 1)), as in tensor2tensor.
void other_denominator(const SpecReading& declared, Readings& out) {
  const auto progression = progression_of(declared);
  if (!progression || progression->pairs < 2) {
    return;
  }
  const int pairs = progression->pairs;
  const bool paper = progression->step == Rational(1, pairs);
  auto other =
      edited(declared, paper ? "the exponents divide by the number of pairs less one, as tensor2tensor's do"
                             : "the exponents divide by the number of pairs, as the paper's do");
  other.frequencies = GeometricFrequencies{progression->base, Rational(1, paper ? pairs - 1 : pairs), pairs};
  out.push_back(std::move(other));
}

void other_base(const SpecReading& declared, Readings& out) {
  static constexpr std::array bases{100,    1000,   10000,   20000,   50000,   100000,
                                    160000, 500000, 1000000, 5000000, 8000000, 10000000};
  const auto progression = progression_of(declared);
  if (!progression) {
    return;
  }
  for (const int base : bases) {
    if (progression->base == base) {
      continue;
    }
    auto other = edited(declared, fmt::format("the base is {}, not {}", base, to_string(progression->base)));
    other.frequencies = GeometricFrequencies{base, progression->step, progression->pairs};
    out.push_back(std::move(other));
  }
}

/// What a model looks like to code that does not know its scaling: the frequencies unscaled, the amplitude
/// one as well, or that alone.
void scaling_left_out(const SpecReading& declared, Readings& out) {
  const auto* scaled = declared.frequencies.scaled();
  if (scaled == nullptr) {
    return;
  }
  const bool has_amplitude = !amplitude(scaled->scaling).is_one();
  auto unscaled = edited(declared, "the frequencies are not scaled");
  auto plain = edited(declared, has_amplitude ? "neither frequencies nor amplitude are scaled"
                                              : "the frequencies are not scaled");
  auto without_amplitude = edited(declared, "the amplitude is 1: the attention factor is left out");
  unscaled.frequencies = plain.frequencies = scaled->unscaled;
  plain.amplitude = without_amplitude.amplitude = 1;
  out.push_back(std::move(plain));
  if (has_amplitude) {
    out.push_back(std::move(unscaled));
    out.push_back(std::move(without_amplitude));
  }
}

/// The edits, the likeliest first. A new one is one function and one line.
constexpr std::array edits{shifted_positions, wrapped_positions, scaling_left_out, other_denominator,
                           other_base};

}  // namespace

std::vector<SpecReading> other_readings(const SpecReading& declared) {
  Readings result;
  for (const auto propose : edits) {
    propose(declared, result);
  }
  return result;
}

std::optional<SpecReading> reading_with_factor(const SpecReading& declared, double factor) {
  constexpr double least_difference = 1e-6;
  if (!std::isfinite(factor) || factor < least_difference || std::fabs(factor - 1) < least_difference) {
    return std::nullopt;
  }
  std::array<char, 32> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), factor, std::chars_format::general, 7);
  auto result = edited(declared, fmt::format("every element is multiplied by {} beyond what the spec says",
                                             std::string(digits.data(), written.ptr)));
  result.amplitude *= exact_rational(factor);
  return result;
}

}  // namespace vernier
