#include "numerics/implementations/length_anchor.hpp"

#include <algorithm>
#include <numeric>

#include "numerics/implementations/rows.hpp"

namespace vernier {
namespace {

/// Where the last position of the sequence fits into the order of the rows: before descending ones, else
/// after all.
std::size_t place_of_anchor(const Request& request) {
  const auto positions = integers_of(request.positions);
  const bool descends = !positions.empty() && positions.front() > positions.back();
  return descends ? 0 : positions.size();
}

/// The request with one more row at a place, at this position; its vector is that of the first row.
Request with_row_at(const Request& request, std::size_t place, std::int64_t position) {
  std::vector<std::size_t> rows(rows_of(request));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place), 0);
  auto result = with_rows(request, rows);
  auto positions = integers_of(result.positions);
  positions[place] = position;
  result.positions = integer_tensor({positions.size()}, positions);
  return result;
}

}  // namespace

Request with_length(const Request& request, std::optional<std::int64_t> length) {
  if (!length || !rows_stand_alone(request)) {
    return request;
  }
  const auto positions = integers_of(request.positions);
  const bool has_last = std::ranges::find(positions, *length - 1) != positions.end();
  return has_last ? request : with_row_at(request, place_of_anchor(request), *length - 1);
}

Response LengthAnchor::ask(const Request& request) {
  const auto anchored = takes().contiguous_only ? request : with_length(request, length_);
  auto response = inner().ask(anchored);
  if (rows_of(anchored) == rows_of(request)) {
    return response;
  }
  std::vector<std::size_t> rows(rows_of(request));
  std::iota(rows.begin(), rows.end(), place_of_anchor(request) == 0 ? std::size_t{1} : std::size_t{0});
  return with_rows(std::move(response), request, rows);
}

}  // namespace vernier
