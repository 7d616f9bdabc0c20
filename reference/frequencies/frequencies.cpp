#include "reference/frequencies/frequencies.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr int parts_of_turn = 12;

int in_turn(std::int64_t twelfths) {
  return static_cast<int>((twelfths % parts_of_turn + parts_of_turn) % parts_of_turn);
}

/// Bits that leave an ulp of double after the few operations of any scaling.
constexpr unsigned multiplier_precision = 128;

template <class Member>
std::vector<Interval> enclosures_of(const Member& frequencies) {
  if constexpr (requires { frequencies.enclosures(); }) {
    return frequencies.enclosures();
  } else {
    std::vector<Interval> result;
    for (int pair = 0; pair < frequencies.size(); ++pair) {
      result.push_back(frequencies.at(pair));
    }
    return result;
  }
}

std::optional<Constant> as_constant(std::optional<Constant> value) {
  return value;
}

std::optional<Constant> as_constant(const std::optional<Rational>& value) {
  return value ? std::optional(Constant{*value, 0}) : std::nullopt;
}

}  // namespace

RationalAngles::RationalAngles(const Constant& frequency) {
  const Rational twelfths = frequency.factor * 6;  // of a turn, 2 pi, each pi/6
  const auto every = as_integer(denominator(twelfths));
  if (frequency.power_of_pi == 1 && every) {
    every_ = *every;
    of_first_ = in_turn(
        static_cast<std::int64_t>(boost::multiprecision::mpz_int(numerator(twelfths) % parts_of_turn)));
  }
}

int RationalAngles::of_multiple(std::int64_t position) const {
  return in_turn(position / every_ % parts_of_turn * of_first_);
}

std::optional<Rational> rational_sine(int twelfths) {
  const int k = in_turn(twelfths);
  const int sign = k < 6 ? 1 : -1;
  switch (k % 6) {
    case 0:
      return Rational(0);
    case 1:
    case 5:
      return Rational(sign, 2);
    case 3:
      return Rational(sign);
    default:
      return std::nullopt;
  }
}

std::vector<Interval> ScaledFrequencies::enclosures() const {
  auto result = unscaled.enclosures();
  for (int pair = 0; pair < size(); ++pair) {
    result[static_cast<std::size_t>(pair)] *= multiplier(pair);
  }
  return result;
}

double ScaledFrequencies::approximate(int pair) const {
  const WorkingPrecision precision(multiplier_precision);
  return unscaled.approximate(pair) * middle(multiplier(pair));
}

std::optional<Constant> ScaledFrequencies::exact(int pair) const {
  const auto before = as_constant(unscaled.exact(pair));
  const auto treated = treatment(pair);
  return std::visit(
      [&](const auto& rule) -> std::optional<Constant> {
        if constexpr (requires { rule.replaced(pair); }) {
          if (const auto replaced = rule.replaced(pair)) {
            return replaced;
          }
        }
        if (!before || treated == PairTreatment::unchanged) {
          return before;
        }
        if constexpr (requires { rule.divided(pair); }) {
          if (treated == PairTreatment::divided) {
            return *before * Constant{rule.divided(pair), 0};
          }
        }
        return std::nullopt;
      },
      scaling);
}

std::pair<const Frequencies*, int> JoinedFrequencies::part_of(int pair) const {
  assert(pair >= 0 && pair < size());
  auto part = parts.begin();
  for (; pair >= part->pairs(); ++part) {
    pair -= part->pairs();
  }
  return {&*part, pair};
}

int JoinedFrequencies::size() const {
  return sum_of(parts, [](const auto& part) { return part.pairs(); });
}

Interval JoinedFrequencies::at(int pair) const {
  const auto [part, own] = part_of(pair);
  return part->at(own);
}

std::vector<Interval> JoinedFrequencies::enclosures() const {
  std::vector<Interval> result;
  for (const auto& part : parts) {
    std::ranges::move(part.enclosures(), std::back_inserter(result));
  }
  return result;
}

double JoinedFrequencies::approximate(int pair) const {
  const auto [part, own] = part_of(pair);
  return part->approximate(own);
}

double JoinedFrequencies::log_magnitude(int pair) const {
  const auto [part, own] = part_of(pair);
  return part->log_magnitude(own);
}

bool JoinedFrequencies::is_one(int pair) const {
  const auto [part, own] = part_of(pair);
  return part->is_one(own);
}

std::optional<Constant> JoinedFrequencies::exact(int pair) const {
  const auto [part, own] = part_of(pair);
  return part->exact(own);
}

bool JoinedFrequencies::operator==(const JoinedFrequencies& other) const {
  return parts == other.parts;
}

Frequencies::Frequencies(Family family, Constant scale, const Constant& place)
    : family_(std::move(family)),
      scale_(std::move(scale)),
      multiplier_(scale_ * place),
      approximate_multiplier_(approximately(multiplier_)) {}

Interval Frequencies::at(int pair) const {
  const Interval result = std::visit([pair](const auto& family) { return family.at(pair); }, family_);
  return are_family() ? result : Interval(result * enclose(multiplier_));
}

std::vector<Interval> Frequencies::enclosures() const {
  auto result = std::visit([](const auto& family) { return enclosures_of(family); }, family_);
  if (!are_family()) {
    const Interval multiplier = enclose(multiplier_);
    for (auto& frequency : result) {
      frequency *= multiplier;
    }
  }
  return result;
}

double Frequencies::approximate(int pair) const {
  return std::visit([pair](const auto& family) { return family.approximate(pair); }, family_) *
         approximate_multiplier_;
}

double Frequencies::log_magnitude(int pair) const {
  return std::visit(
      [&](const auto& family) {
        if constexpr (requires { family.log_magnitude(pair); }) {
          if (are_family()) {
            return family.log_magnitude(pair);
          }
        }
        return std::fabs(std::log(approximate(pair)));
      },
      family_);
}

bool Frequencies::is_one(int pair) const {
  return are_family() && std::visit([pair](const auto& family) { return family.is_one(pair); }, family_);
}

std::optional<Constant> Frequencies::exact(int pair) const {
  const auto of_family =
      std::visit([pair](const auto& family) { return as_constant(family.exact(pair)); }, family_);
  return of_family ? std::optional(*of_family * multiplier_) : std::nullopt;
}

RationalAngles Frequencies::rational_angles(int pair) const {
  const auto known = exact(pair);
  return known ? RationalAngles(*known) : RationalAngles();
}

}  // namespace vernier
