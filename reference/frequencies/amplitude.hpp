#pragma once

#include <utility>
#include <variant>

#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// (1 + (k/10) ln s) / (1 + (k'/10) ln s): YaRN's attention factor (B. Peng et al. 2023, section 3.4;
/// DeepSeek's mscale and mscale_all_dim).
struct LogarithmicRatio {
  Rational factor;       ///< s > 1
  Rational numerator;    ///< k >= 0
  Rational denominator;  ///< k' >= 0
  bool operator==(const LogarithmicRatio&) const = default;
};

/// sqrt(1 + ln s / ln n): LongRoPE's attention factor as Phi-3 has it.
struct LogarithmicRoot {
  Rational factor;  ///< s > 1
  Rational length;  ///< n > 1
  bool operator==(const LogarithmicRoot&) const = default;
};

/// What multiplies every sine and cosine of a table: a positive real number, exact or known to any precision.
class Amplitude {
 public:
  using Irrational = std::variant<std::monostate, LogarithmicRatio, LogarithmicRoot>;

  Amplitude(int value) : multiple_(value) {}
  Amplitude(Rational value) : multiple_(std::move(value)) {}
  /// Exactly one where both coefficients agree.
  Amplitude(const LogarithmicRatio& value);
  Amplitude(const LogarithmicRoot& value) : irrational_(value) {}

  Amplitude& operator*=(const Rational& factor);
  /// One over it.
  Amplitude reciprocal() const;

  bool is_one() const { return is_rational() && multiple_ == 1; }
  /// Whether it was made so, and is not one.
  bool is_reciprocal() const { return is_reciprocal_; }
  bool is_rational() const { return std::holds_alternative<std::monostate>(irrational_); }
  /// An enclosure at the working precision.
  Interval enclosed() const;

  bool operator==(const Amplitude&) const = default;

 private:
  Rational multiple_ = 1;
  Irrational irrational_;  ///< one over it, if it is reciprocal
  bool is_reciprocal_ = false;
};

Interval enclose(const Amplitude& amplitude);
/// To an ulp of double: for display, for bounds that have slack, and for recipes.
double approximately(const Amplitude& amplitude);

}  // namespace vernier
