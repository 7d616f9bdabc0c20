#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// The relative positions of the first DeBERTa (P. He et al. 2021, equation 3). Of a query i and a key j,
/// with r = i - j and the span k: 0 for r <= -k, 2k - 1 for r >= k, else r + k. DeBERTa v2 has logarithmic
/// buckets (deberta_bucket.hpp) instead.
struct DebertaSpanSpec {
  std::int64_t max_relative_positions = 512;  ///< k, [1, 2^20]
};

class DebertaSpanEncoding final : public Encoding {
 public:
  explicit DebertaSpanEncoding(const DebertaSpanSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "deberta_span"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  BucketRule buckets() const override;

 private:
  DebertaSpanSpec spec_;
};

Scheme deberta_span_scheme();

}  // namespace vernier
