#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// The position as a share of the sequence's length L, in one column, for 0 <= t < L. Texts that "mark the
/// positions by numbers in [0, 1]" mean one of three things (claims ledger, S1-06).
struct NormalisedSpec {
  /// zero_to_one: t/(L - 1), both ends reached, undefined at L = 1. zero_to_below_one: t/L.
  /// above_zero_to_one: (t + 1)/L.
  enum class Reading { zero_to_one, zero_to_below_one, above_zero_to_one };

  std::int64_t length = 0;  ///< L, [1, 2^31]; at least 2 for zero_to_one
  Reading reading = Reading::zero_to_one;

  Rational share(std::int64_t position) const;
};

class NormalisedEncoding final : public Encoding {
 public:
  explicit NormalisedEncoding(const NormalisedSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "normalised"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<ValueTable> values() const override;

 private:
  NormalisedSpec spec_;
};

Scheme normalised_scheme();

}  // namespace vernier
