#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// The relative positions of Shaw et al. (2018), section 3.2: the row of the learned embeddings that a key k
/// seen from a query q uses, clip(k - q, -K, K) + K.
struct ShawSpec {
  std::int64_t max_relative_position = 0;  ///< K, [1, 2^20]
};

class ShawEncoding final : public Encoding {
 public:
  explicit ShawEncoding(const ShawSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "shaw"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  BucketRule buckets() const override;

 private:
  ShawSpec spec_;
};

Scheme shaw_scheme();

}  // namespace vernier
