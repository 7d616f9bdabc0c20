#include "numerics/processes/padded_rows.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

PaddedRows::PaddedRows(ElementType type, const Shape& shape, std::size_t padding)
    : element_bytes_(traits(type).bytes) {
  const bool is_dense = padding == 0 || shape.size() < 2;
  auto room = shape;
  if (!is_dense) {
    std::ranges::for_each(room, [&](std::size_t& size) { size += padding; });
  }
  const auto size = size_in_bytes(type, shape);
  refuse_if(!size || !size_in_bytes(type, room), "a tensor of shape {} is too large to be asked for",
            to_string(shape));
  row_bytes_ = *size;
  if (is_dense || *size == 0) {
    return;
  }
  groups_.assign(shape.begin(), shape.end() - 1);
  row_bytes_ = shape.back() * element_bytes_;
  rows_ = *size / row_bytes_;
  strides_.assign(shape.size(), 1);
  for (std::size_t dimension = groups_.size(); dimension-- > 0;) {
    strides_[dimension] = strides_[dimension + 1] * static_cast<std::int64_t>(shape[dimension + 1]) +
                          static_cast<std::int64_t>(padding);
  }
}

std::size_t PaddedRows::start(std::size_t row) const {
  std::size_t elements = 0;
  for (std::size_t dimension = groups_.size(); dimension-- > 0;) {
    elements += row % groups_[dimension] * static_cast<std::size_t>(strides_[dimension]);
    row /= groups_[dimension];
  }
  return elements * element_bytes_;
}

void PaddedRows::spread(std::span<const std::byte> dense, std::span<std::byte> memory) const {
  assert(dense.size() == dense_bytes() && memory.size() == bytes());
  for (std::size_t row = 0; row < rows_ && !dense.empty(); ++row) {
    std::ranges::copy(dense.subspan(row * row_bytes_, row_bytes_), memory.subspan(start(row)).begin());
  }
}

void PaddedRows::gather(std::span<const std::byte> memory, std::span<std::byte> dense) const {
  assert(dense.size() == dense_bytes() && memory.size() == bytes());
  for (std::size_t row = 0; row < rows_ && !dense.empty(); ++row) {
    std::ranges::copy(memory.subspan(start(row), row_bytes_), dense.subspan(row * row_bytes_).begin());
  }
}

std::optional<std::string> PaddedRows::changed_padding(std::span<const std::byte> memory,
                                                       std::byte value) const {
  std::size_t changed = 0;
  std::size_t first = 0;
  for (std::size_t row = 0; row + 1 < rows_; ++row) {
    const auto end = start(row) + row_bytes_;
    const auto padding = memory.subspan(end, start(row + 1) - end);
    const auto unchanged = std::ranges::count(padding, value);
    first = changed == 0 ? row : first;
    changed += padding.size() - static_cast<std::size_t>(unchanged);
  }
  if (changed == 0) {
    return std::nullopt;
  }
  return fmt::format("{} between its rows, the first behind row {}", counted(changed, "byte", "bytes"),
                     first);
}

}  // namespace vernier
