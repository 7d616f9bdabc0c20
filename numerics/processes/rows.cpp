#include "numerics/processes/rows.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>
#include <ranges>
#include <string_view>

#include <fmt/format.h>

#include "reference/numbers/rational.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
Tensor number_tensor(ElementType type, Shape shape, std::span<const double> values) {
  const auto width = traits(type).bytes;
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = encode_bits(*traits(type).format, values[i]);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return {type, std::move(shape), std::move(bytes)};
}

Tensor integer_tensor(Shape shape, std::span<const std::int64_t> values) {
  const auto bytes = std::as_bytes(values);
  return {ElementType::int64, std::move(shape), std::vector<std::byte>(bytes.begin(), bytes.end())};
}

std::vector<std::int64_t> integers_of(const Tensor& tensor) {
  assert(tensor.type() == ElementType::int64);
  std::vector<std::int64_t> values(tensor.elements());
  std::memcpy(values.data(), tensor.bytes().data(), tensor.bytes().size());
  return values;
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

Tensor joined(std::span<const Tensor> tensors, std::size_t dimension) {
  if (tensors.size() == 1) {
    return tensors.front();
  }
  auto shape = tensors.front().shape();
  const auto from = shape.begin() + static_cast<std::ptrdiff_t>(dimension);
  const auto outer = std::accumulate(shape.begin(), from, std::size_t{1}, std::multiplies{});
  std::size_t bytes_in_all = 0;
  *from = 0;
  for (const auto& tensor : tensors) {
    bytes_in_all += tensor.bytes().size();
    *from += tensor.shape()[dimension];
  }
  std::vector<std::byte> bytes;
  bytes.reserve(bytes_in_all);
  for (std::size_t block = 0; block < outer; ++block) {
    for (const auto& tensor : tensors) {
      const auto size = tensor.bytes().size() / outer;
      const auto piece = tensor.bytes().subspan(block * size, size);
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
  }
  return {tensors.front().type(), std::move(shape), std::move(bytes)};
}

std::vector<std::size_t> consecutive_rows(std::size_t count, std::size_t first) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

std::size_t rows_of(const Request& request) {
  return request.positions.shape().back();
}

std::optional<std::size_t> row_at(const Request& request, std::int64_t position) {
  const auto rows = std::views::iota(std::size_t{0}, rows_of(request));
  const auto found = std::ranges::partition_point(
      rows, [&](std::size_t row) { return *request.positions.integer(row) < position; });
  const bool is_there = found != rows.end() && *request.positions.integer(*found) == position;
  return is_there ? std::optional(*found) : std::nullopt;
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
  for (auto& tensor : result.wanted) {
    if (const auto dimension = row_dimension(tensor)) {
      tensor.shape[*dimension] = rows.size();
    }
  }
  return result;
}

Response with_rows(Response response, const Request& request, std::span<const std::size_t> rows) {
  for (const auto& wanted : request.wanted) {
    const auto found = response.tensors.find(wanted.role);
    if (found != response.tensors.end()) {
      found->second = with_places(found->second, *row_dimension(wanted), rows);
    }
  }
  return response;
}

bool rows_stand_alone(const Request& request) {
  constexpr std::array<std::string_view, 5> roles{"encoding", "cos", "sin", "rotated", "input_gradient"};
  return request.positions.shape().size() == 1 &&
         std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
           return std::ranges::find(roles, wanted.role) != roles.end();
         });
}

std::optional<std::string> misfit_of(const Tensor& answer, const WantedTensor& wanted) {
  if (answer.type() != wanted.type) {
    return fmt::format("has {} of {}, expected {}", wanted.role, traits(answer.type()).name,
                       traits(wanted.type).name);
  }
  if (answer.shape() != wanted.shape) {
    return fmt::format("has {} of shape {}, expected {}", wanted.role, to_string(answer.shape()),
                       to_string(wanted.shape));
  }
  return std::nullopt;
}

Response joined_rows(const Request& request, std::vector<Response> parts) {
  Response whole;
  for (auto& part : parts) {
    std::ranges::move(part.side_effects, std::back_inserter(whole.side_effects));
  }
  if (const auto& last = parts.back(); !last.is_answered()) {
    whole.status = last.status;
    whole.reason = last.reason;
    return whole;
  }
  for (const auto& wanted : request.wanted) {
    const auto tensors =
        mapped(parts, [&](const auto& part) { return part.tensors.find(wanted.role)->second; });
    whole.tensors.emplace(wanted.role, joined(tensors, *row_dimension(wanted)));
  }
  return whole;
}

Request at_positions(const Request& request, std::span<const std::int64_t> positions) {
  assert(request.positions.shape().size() == 1);
  auto result = with_rows(request, std::vector<std::size_t>(positions.size(), 0));
  result.positions = integer_tensor({positions.size()}, positions);
  return result;
}

std::span<const std::byte> row_bytes(const Tensor& tensor, std::size_t row) {
  const auto width = tensor.shape().back() * traits(tensor.type()).bytes;
  return tensor.bytes().subspan(row * width, width);
}

double position_unit_of(const Request& request) {
  const auto unit = request.spec.find(position_unit_key);
  if (unit == request.spec.end()) {
    return 1;
  }
  const auto exact = parse_quotient(unit->is_string() ? unit->get<std::string>() : unit->dump());
  assert(exact);
  return approximately(*exact);
}

std::string position_text(std::int64_t position, double unit) {
  const double number = static_cast<double>(position) * unit;
  return number == std::rint(number) ? std::to_string(std::llrint(number)) : fmt::format("{}", number);
}

std::string position_text(const Request& request, std::int64_t position) {
  return position_text(position, position_unit_of(request));
}

std::string position_text_of_row(const Request& request, std::size_t row) {
  std::string text;
  for (auto index = row; index < request.positions.elements(); index += rows_of(request)) {
    text += (text.empty() ? "" : ", ") + position_text(request, *request.positions.integer(index));
  }
  return text;
}

}  // namespace vernier
