#pragma once

#include <cstdint>

#include "reference/encoding.hpp"
#include "reference/schemes/columns.hpp"

namespace vernier {

/// Pairs whose frequencies sample a function of t in [0, 1) at t = i/(d/2), sine and cosine side by side:
/// the families whose limits of many pairs are integrals (claims ledger, section 6, rows 16a to 16d).
struct FrequencyFamilySpec {
  /// exponential: w = base^-t, which is the paper's progression. power: w = t^exponent, 0 at t = 0.
  enum class Family { exponential, power };

  std::int64_t d_model = 0;  ///< even, [2, 2^20]
  Family family = Family::exponential;
  Rational base = 10000;  ///< of the exponential, > 1
  Rational exponent = 1;  ///< of the power, > 0 and at most 100
  PairOrder order = PairOrder::sin_cos;

  int pairs() const { return static_cast<int>(d_model / 2); }
  Frequencies frequencies() const;
};

class FrequencyFamilyEncoding final : public Encoding {
 public:
  explicit FrequencyFamilyEncoding(FrequencyFamilySpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "frequency_family"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TrigTable> tables() const override;

 private:
  FrequencyFamilySpec spec_;
};

Scheme frequency_family_scheme();

}  // namespace vernier
