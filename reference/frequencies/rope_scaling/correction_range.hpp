#pragma once

#include <cstdint>
#include <optional>

#include "reference/frequencies/rope_scaling/scaling_rule.hpp"
#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// The ramp over pair indices by which YaRN and NTK-by-parts go from one treatment of a frequency to another
/// (B. Peng et al. 2023, section 3.2). Pair c(x) = r ln(n / (2 pi x)) / (2 ln b) turns x times within n
/// positions; the ramp rises from 0 at c(fast) to 1 at c(slow).
///
/// c(x) is an integer k only if (n / (2 pi x))^r = b^(2k), which would make pi algebraic: floors, ceilings
/// and comparisons with pair indices are therefore always decided by an enclosure that is narrow enough.
class CorrectionRange {
 public:
  struct Parameters {
    Rational base;                     ///< b > 1
    int rotary_dim = 0;                ///< r
    std::int64_t original_length = 1;  ///< n
    Rational fast = 32;                ///< turns at the low end, > 0
    Rational slow = 1;                 ///< turns at the high end, > 0
    bool truncate = true;              ///< the low end rounded down and the high end up to integers
    int greatest = 0;                  ///< the high end goes no further up than this, the last pair or beyond
    bool operator==(const Parameters&) const = default;
  };

  /// The ramp of no pairs.
  CorrectionRange() = default;
  /// Nothing where the low end lies above the high end before they are clamped.
  static std::optional<CorrectionRange> make(const Parameters& parameters);

  /// The ends after truncation and clamping. Where they coincide the high one is raised by 1/1000, as the
  /// implementations do, so that the ramp is a step. The low end is clamped at 0 alone and the high one at
  /// `greatest` alone (Hugging Face's find_correction_range), so one may be carried past the other: a ramp
  /// that then falls from the high end to the low one is 1 at every pair where the low end lies above
  /// `greatest`, and 0 where the high end lies below 0.
  Interval low() const { return at(low_); }
  Interval high() const { return at(high_); }
  /// Whether both are rational.
  bool rational() const { return !low_.at_turns && !high_.at_turns; }
  /// The ramp at a pair: clamp((i - low) / (high - low), 0, 1).
  Interval ramp(int pair) const;
  /// Where the ramp is 0, between, or 1: decided, never compared in floating point.
  PairTreatment treatment(int pair) const;
  const Parameters& parameters() const { return parameters_; }

  bool operator==(const CorrectionRange&) const = default;

 private:
  /// An end: exactly a rational, or c(turns) plus a rational.
  struct End {
    bool at_turns = false;
    Rational turns = 0;
    Rational plus = 0;
    bool operator==(const End&) const = default;
  };

  explicit CorrectionRange(Parameters parameters);
  static End exactly(Rational value) { return {false, 0, std::move(value)}; }
  Interval at(const End& end) const;
  std::int64_t floor_of(const End& end) const;
  std::int64_t ceiling_of(const End& end) const;
  void clamp();
  /// The sign of a - b, decided.
  int compare(const End& a, const End& b) const;

  Parameters parameters_;
  End low_;
  End high_;
  bool crossed_ = false;  ///< the low end lies above the high one
  std::int64_t low_floor_ = 0;
  std::int64_t high_floor_ = 0;
  std::int64_t high_ceiling_ = 0;
};

}  // namespace vernier
