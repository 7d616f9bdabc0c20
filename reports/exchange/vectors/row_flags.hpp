#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"
#include "reports/exchange/vectors/vector_tensor.hpp"

namespace vernier {

/// A row of test vectors, for those who say what it is good for.
struct VectorRow {
  const Encoding& encoding;
  const PositionRange& context;
  std::int64_t position;
  std::span<const VectorTensor> tensors;
  std::size_t index;  ///< of the row in the tensors
};

/// Whether a number is a subnormal one of float16 when it is rounded to it.
bool is_subnormal_float16(double value);

/// What rows of test vectors are good for.
struct RowFlag {
  std::string_view id;       ///< "near-zero"
  std::string_view meaning;  ///< one sentence: which rows have it, and what goes wrong there
  bool (*holds)(const VectorRow& row);
};

/// All of them, in the order in which rows list theirs.
std::span<const RowFlag> row_flags();

/// The ids of those that a row has.
std::vector<std::string_view> flags_of(const VectorRow& row);

}  // namespace vernier
