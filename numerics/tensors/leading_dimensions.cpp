#include "numerics/tensors/leading_dimensions.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

namespace vernier {
namespace {

std::size_t product(const Shape& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies{});
}

/// Whether positions of these leading dimensions say where the copies of the rows stand.
bool fits(const Shape& of_positions, const Shape& of_rows) {
  return of_positions.size() <= of_rows.size() &&
         std::equal(of_positions.begin(), of_positions.end(), of_rows.begin(),
                    [](std::size_t given, std::size_t wanted) { return given == 1 || given == wanted; });
}

}  // namespace

Shape leading_dimensions(const Tensor& tensor) {
  const auto shape = Tensor(tensor).without_leading_ones(2).shape();
  return {shape.begin(), shape.end() - 2};
}

Tensor as_rows(const Tensor& tensor) {
  const auto width = tensor.shape().back();
  return {tensor.type(),
          {tensor.elements() / width, width},
          tensor.bytes(),
          std::make_shared<const Tensor>(tensor)};
}

std::vector<std::size_t> leading_index(const Shape& leading, std::size_t index) {
  std::vector<std::size_t> result(leading.size());
  for (std::size_t i = leading.size(); i-- > 0;) {
    result[i] = index % leading[i];
    index /= leading[i];
  }
  return result;
}

std::optional<std::vector<std::int64_t>> positions_of_rows(std::span<const std::int64_t> positions,
                                                           const Shape& shape, const Shape& leading,
                                                           std::size_t rows) {
  assert(positions.size() == product(shape));
  const Shape given(shape.begin(), shape.end() - 1);
  if (shape.back() != rows || !fits(given, leading)) {
    return std::nullopt;
  }
  std::vector<std::int64_t> result;
  result.reserve(product(leading) * rows);
  for (std::size_t copy = 0; copy < product(leading); ++copy) {
    const auto place = leading_index(leading, copy);
    std::size_t block = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      block = block * given[i] + (given[i] == 1 ? 0 : place[i]);
    }
    const auto from = positions.begin() + static_cast<std::ptrdiff_t>(block * rows);
    result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(rows));
  }
  return result;
}

}  // namespace vernier
