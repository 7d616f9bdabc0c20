#include "reference/frequencies.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>

namespace vernier {
namespace {

template <class Member>
std::vector<Interval> one_by_one(const Member& frequencies) {
  std::vector<Interval> result;
  for (int pair = 0; pair < frequencies.size(); ++pair) {
    result.push_back(frequencies.at(pair));
  }
  return result;
}

std::optional<Constant> as_constant(std::optional<Constant> value) {
  return value;
}

std::optional<Constant> as_constant(const std::optional<Rational>& value) {
  return value ? std::optional(Constant{*value, 0}) : std::nullopt;
}

}  // namespace

Interval ListedFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < size());
  return enclose(value(pair));
}

std::vector<Interval> ListedFrequencies::enclosures() const {
  return one_by_one(*this);
}

double ListedFrequencies::approximate(int pair) const {
  return std::fabs(approximately(value(pair)));
}

double ListedFrequencies::log_magnitude(int pair) const {
  return std::fabs(std::log(approximate(pair)));
}

Interval PowerFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < pairs);
  if (pair == 0) {
    return enclose(std::int64_t{0});
  }
  return exp(Interval(enclose(exponent) * log(enclose(Rational(pair, pairs)))));
}

std::vector<Interval> PowerFrequencies::enclosures() const {
  return one_by_one(*this);
}

double PowerFrequencies::approximate(int pair) const {
  return pair == 0 ? 0 : std::exp(-log_magnitude(pair));
}

double PowerFrequencies::log_magnitude(int pair) const {
  return pair == 0 ? std::numeric_limits<double>::infinity()
                   : -approximately(exponent) * std::log(static_cast<double>(pair) / pairs);
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
  int sum = 0;
  for (const auto& part : parts) {
    sum += part.pairs();
  }
  return sum;
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

int Frequencies::pairs() const {
  return std::visit([](const auto& family) { return family.size(); }, family_);
}

Interval Frequencies::at(int pair) const {
  const Interval result = std::visit([pair](const auto& family) { return family.at(pair); }, family_);
  return are_family() ? result : Interval(result * enclose(multiplier_));
}

std::vector<Interval> Frequencies::enclosures() const {
  auto result = std::visit([](const auto& family) { return family.enclosures(); }, family_);
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
  return are_family() ? std::visit([pair](const auto& family) { return family.log_magnitude(pair); }, family_)
                      : std::fabs(std::log(approximate(pair)));
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
