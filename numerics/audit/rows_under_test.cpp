#include "numerics/audit/rows_under_test.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace vernier {

const std::byte* MadeRows::rows(std::int64_t first, std::size_t count, std::vector<double>& scratch) const {
  const auto columns = implementation_.columns();
  scratch.resize(std::max(scratch.size(), count * columns));
  implementation_.rows({positions_.at(first), positions_.step, static_cast<std::int64_t>(count)},
                       std::span(scratch).first(count * columns));
  return reinterpret_cast<const std::byte*>(scratch.data());
}

TensorRows::TensorRows(const Tensor& tensor, std::size_t first_row)
    : tensor_(tensor), first_row_(first_row), row_bytes_(tensor.bytes().size() / tensor.shape().front()) {
  assert(tensor.format() && first_row <= tensor.shape().front());
}

const std::byte* TensorRows::rows(std::int64_t first, std::size_t count, std::vector<double>& scratch) const {
  if (widened()) {
    const auto columns = row_bytes_ / traits(tensor_.type()).bytes;
    scratch.resize(std::max(scratch.size(), count * columns));
    tensor_.numbers((first_row_ + static_cast<std::size_t>(first)) * columns,
                    std::span(scratch).first(count * columns));
    return reinterpret_cast<const std::byte*>(scratch.data());
  }
  const auto bytes = tensor_.bytes().subspan((first_row_ + static_cast<std::size_t>(first)) * row_bytes_,
                                             count * row_bytes_);
  const auto alignment = traits(tensor_.type()).bytes;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment == 0) {
    return bytes.data();
  }
  // A file may put a tensor at any address.
  scratch.resize(std::max(scratch.size(), bytes.size() / sizeof(double) + 1));
  std::memcpy(scratch.data(), bytes.data(), bytes.size());
  return reinterpret_cast<const std::byte*>(scratch.data());
}

}  // namespace vernier
