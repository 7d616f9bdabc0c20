#pragma once

#include <vector>

#include "reference/encoding.hpp"
#include "reference/schemes/columns.hpp"

namespace vernier {

/// Pairs of any frequencies at all, as trained ones are (claims ledger, section 6, row 16e): sine and cosine
/// side by side.
struct FrequencyListSpec {
  std::vector<Rational> frequencies;  ///< each from 1e-30 to 1e30, at least one
  PairOrder order = PairOrder::sin_cos;
};

class FrequencyListEncoding final : public Encoding {
 public:
  explicit FrequencyListEncoding(FrequencyListSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "frequency_list"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TrigTable> tables() const override;

 private:
  FrequencyListSpec spec_;
};

Scheme frequency_list_scheme();

}  // namespace vernier
