#include "reference/geometric_frequencies.hpp"

#include <cassert>
#include <cmath>
#include <map>
#include <tuple>

#include "reference/logarithm.hpp"
#include "reference/rational_power.hpp"

namespace vernier {
namespace {

/// base^(offset - i step) as a power of e, in double.
double log_in_double(const GeometricFrequencies& w, int pair) {
  return (approximately(w.offset) - pair * approximately(w.step)) * std::log(approximately(w.base));
}

/// Powers that this thread asked for last, by base, exponent and precision: whoever walks the rows of a table
/// asks for those of each pair again and again.
Interval remembered_power(const Rational& base, const Rational& exponent) {
  constexpr std::size_t most = 256;
  thread_local std::map<std::tuple<Rational, Rational, unsigned>, Interval> known;
  std::tuple key{exponent, base, Interval::default_precision()};
  if (const auto found = known.find(key); found != known.end()) {
    return found->second;
  }
  if (known.size() == most) {
    known.clear();
  }
  Interval power = exp(Interval(enclose(exponent) * log_of(base)));
  return known.emplace(std::move(key), std::move(power)).first->second;
}

}  // namespace

Interval GeometricFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < pairs);
  return remembered_power(base, exponent(pair));
}

std::vector<Interval> GeometricFrequencies::enclosures() const {
  const Interval ratio = exp(Interval(enclose(Rational(-step)) * log_of(base)));
  std::vector<Interval> result;
  result.reserve(static_cast<std::size_t>(pairs));
  result.push_back(at(0));
  while (result.size() < static_cast<std::size_t>(pairs)) {
    result.push_back(Interval(result.back() * ratio));
  }
  return result;
}

std::optional<Rational> GeometricFrequencies::exact(int pair) const {
  return exact_power(base, exponent(pair));
}

double GeometricFrequencies::approximate(int pair) const {
  return std::exp(log_in_double(*this, pair));
}

double GeometricFrequencies::log_magnitude(int pair) const {
  return std::fabs(log_in_double(*this, pair));
}

}  // namespace vernier
