#pragma once

#include <cstdint>

#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The binary digits of the position, one a column, for 0 <= t < 2^bits.
struct BinarySpec {
  enum class BitOrder { most_significant_first, least_significant_first };

  static constexpr std::string_view scheme = "binary";

  std::int64_t bits = 1;
  BitOrder bit_order = BitOrder::most_significant_first;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<TensorDefinition> tensors() const;
  /// The digit in a column: 0 or 1. \param position >= 0
  std::int64_t digit(std::int64_t position, std::size_t column) const;
};

}  // namespace vernier
