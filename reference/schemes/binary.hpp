#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// The binary digits of the position, one a column, for 0 <= t < 2^bits.
struct BinarySpec {
  enum class BitOrder { most_significant_first, least_significant_first };

  std::int64_t bits = 0;  ///< [1, 1024]
  BitOrder bit_order = BitOrder::most_significant_first;

  /// The digit in a column: 0 or 1. \param position >= 0
  std::int64_t digit(std::int64_t position, std::size_t column) const;
};

class BinaryEncoding final : public Encoding {
 public:
  explicit BinaryEncoding(const BinarySpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "binary"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  BinarySpec spec_;
};

}  // namespace vernier
