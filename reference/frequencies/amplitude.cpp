#include "reference/frequencies/amplitude.hpp"

namespace vernier {
namespace {

/// Bits that leave an ulp of double after a logarithm, a quotient and a root.
constexpr unsigned display_precision = 96;

Interval of(std::monostate) {
  return enclose(std::int64_t{1});
}

/// 1 + (k/10) ln s
Interval grown(const Rational& coefficient, const Interval& log_factor) {
  return 1 + enclose(Rational(coefficient / 10)) * log_factor;
}

Interval of(const LogarithmicRatio& ratio) {
  const Interval log_factor = log(enclose(ratio.factor));
  return grown(ratio.numerator, log_factor) / grown(ratio.denominator, log_factor);
}

Interval of(const LogarithmicRoot& root) {
  return sqrt(Interval(1 + log(enclose(root.factor)) / log(enclose(root.length))));
}

}  // namespace

Amplitude::Amplitude(const LogarithmicRatio& value) {
  if (value.numerator != value.denominator) {
    irrational_ = value;
  }
}

Amplitude& Amplitude::operator*=(const Rational& factor) {
  multiple_ *= factor;
  return *this;
}

Amplitude Amplitude::reciprocal() const {
  auto result = *this;
  result.multiple_ = 1 / multiple_;
  result.is_reciprocal_ = !is_one() && !is_reciprocal_;
  return result;
}

Interval Amplitude::enclosed() const {
  const Interval irrational = std::visit([](const auto& number) { return of(number); }, irrational_);
  const Interval multiple = enclose(multiple_);
  return is_reciprocal_ ? Interval(multiple / irrational) : Interval(multiple * irrational);
}

Interval enclose(const Amplitude& amplitude) {
  return amplitude.enclosed();
}

double approximately(const Amplitude& amplitude) {
  const WorkingPrecision precision(display_precision);
  return middle(amplitude.enclosed());
}

}  // namespace vernier
