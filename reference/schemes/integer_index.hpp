#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// The position itself, in one column: 0, 1, 2 ... or 1, 2, 3 ... (claims ledger, S1-03 and S4-07).
struct IntegerIndexSpec {
  std::int64_t first_index = 0;  ///< the index of position 0: 0 or 1
};

class IntegerIndexEncoding final : public Encoding {
 public:
  explicit IntegerIndexEncoding(const IntegerIndexSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "integer_index"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<ValueTable> values() const override;

 private:
  IntegerIndexSpec spec_;
};

Scheme integer_index_scheme();

}  // namespace vernier
