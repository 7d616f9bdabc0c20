#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// One sine a column and no cosines: PE(t, i) = sin(w_i t), i = 0 .. d-1. A text that arrives at it writes
/// w_i = 1/10000^{i/d-1} and sin(t/w_i), which says something else however it is read (claims ledger, S1-11).
struct SineOnlySpec {
  /// descending: w_i = base^(-i/(d-1)), from 1 to 1/base, which is meant. The literal readings:
  /// ascending_to_one: sin(t/w_i) with the exponent (i/d) - 1, so base^(i/d - 1).
  /// ascending_from_one: sin(t/w_i) with the exponent i/(d-1), so base^(i/(d-1)), up to the base.
  /// descending_to_one: sin(w_i t) with the exponent (i/d) - 1, so base^(1 - i/d), from the base down.
  enum class Reading { descending, ascending_to_one, ascending_from_one, descending_to_one };

  std::int64_t d_model = 0;  ///< [1, 2^20]; at least 2 for the readings that divide by d - 1
  Rational base = 10000;     ///< > 1
  Reading reading = Reading::descending;

  GeometricFrequencies frequencies() const;
};

class SineOnlyEncoding final : public Encoding {
 public:
  explicit SineOnlyEncoding(SineOnlySpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "sine_only"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TrigTable> tables() const override;

 private:
  SineOnlySpec spec_;
};

Scheme sine_only_scheme();

}  // namespace vernier
