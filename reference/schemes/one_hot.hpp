#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// One column a position, one in its own column and zero in all others: what a learned table multiplies
/// (claims ledger, section 6, row 15).
struct OneHotSpec {
  std::int64_t num_positions = 0;  ///< [1, 2^20]
};

class OneHotEncoding final : public Encoding {
 public:
  explicit OneHotEncoding(const OneHotSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "one_hot"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<ValueTable> values() const override;

 private:
  OneHotSpec spec_;
};

Scheme one_hot_scheme();

}  // namespace vernier
