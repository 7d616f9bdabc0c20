#include "numerics/live/rows.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <optional>
#include <string_view>

namespace vernier {
namespace {

void want_rows(std::vector<WantedTensor>& wanted, std::size_t rows) {
  for (auto& tensor : wanted) {
    if (const auto dimension = row_dimension(tensor)) {
      tensor.shape[*dimension] = rows;
    }
  }
}

}  // namespace

Tensor integer_tensor(Shape shape, std::span<const std::int64_t> values) {
  const auto bytes = std::as_bytes(values);
  return {ElementType::int64, std::move(shape), std::vector<std::byte>(bytes.begin(), bytes.end())};
}

Tensor with_places(const Tensor& tensor, std::size_t dimension, std::span<const std::size_t> places) {
  auto shape = tensor.shape();
  assert(dimension < shape.size());
  const auto from = shape.begin() + static_cast<std::ptrdiff_t>(dimension);
  const auto outer = std::accumulate(shape.begin(), from, std::size_t{1}, std::multiplies{});
  const auto inner = std::accumulate(from + 1, shape.end(), traits(tensor.type()).bytes, std::multiplies{});
  const auto count = *from;
  std::vector<std::byte> bytes;
  bytes.reserve(outer * places.size() * inner);
  for (std::size_t block = 0; block < outer; ++block) {
    for (const auto place : places) {
      assert(place < count);
      const auto piece = tensor.bytes().subspan((block * count + place) * inner, inner);
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
  }
  *from = places.size();
  return {tensor.type(), std::move(shape), std::move(bytes)};
}

std::size_t rows_of(const Request& request) {
  return request.positions.shape().back();
}

std::optional<std::size_t> row_dimension(const WantedTensor& wanted) {
  if (wanted.role == "slopes") {
    return std::nullopt;
  }
  const bool is_last = wanted.role == "bias" || wanted.role == "buckets";
  return wanted.shape.size() - (is_last ? 1 : 2);
}

Request with_rows(const Request& request, std::span<const std::size_t> rows) {
  auto result = request;
  result.positions = with_places(request.positions, request.positions.shape().size() - 1, rows);
  if (request.input) {
    result.input = with_places(*request.input, request.input->shape().size() - 2, rows);
  }
  want_rows(result.wanted, rows.size());
  return result;
}

bool rows_stand_alone(const Request& request) {
  constexpr std::array<std::string_view, 4> roles{"encoding", "cos", "sin", "rotated"};
  return request.positions.shape().size() == 1 &&
         std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
           return std::ranges::find(roles, wanted.role) != roles.end();
         });
}

Request at_positions(const Request& request, std::span<const std::int64_t> positions) {
  assert(request.positions.shape().size() == 1);
  const std::vector<std::size_t> first_rows(positions.size(), 0);
  auto result = request;
  result.positions = integer_tensor({positions.size()}, positions);
  if (request.input) {
    result.input = with_places(*request.input, request.input->shape().size() - 2, first_rows);
  }
  want_rows(result.wanted, positions.size());
  return result;
}

std::string position_text(const Request& request, std::size_t row) {
  std::string text;
  for (auto index = row; index < request.positions.elements(); index += rows_of(request)) {
    text += (text.empty() ? "" : ", ") + std::to_string(*request.positions.integer(index));
  }
  return text;
}

}  // namespace vernier
