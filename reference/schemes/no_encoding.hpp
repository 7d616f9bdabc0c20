#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// No positional encoding: zeros, whatever the position (claims ledger, section 6, row 18).
struct NoEncodingSpec {
  std::int64_t d_model = 0;  ///< [1, 2^20]
};

class NoEncoding final : public Encoding {
 public:
  explicit NoEncoding(const NoEncodingSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "none"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<ValueTable> values() const override;

 private:
  NoEncodingSpec spec_;
};

Scheme no_encoding_scheme();

}  // namespace vernier
