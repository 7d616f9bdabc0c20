#include "numerics/implementations/row_multiples.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "numerics/implementations/rows.hpp"

namespace vernier {
namespace {

/// With more rows, whose positions go on where only such are taken, and are the last one again elsewhere.
Request in_tiles(const Request& request, bool go_on) {
  const auto count = rows_of(request);
  std::vector<std::size_t> rows((count + largest_tile - 1) / largest_tile * largest_tile, count - 1);
  std::iota(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), std::size_t{0});
  auto result = with_rows(request, rows);
  if (go_on) {
    auto positions = integers_of(result.positions);
    std::iota(positions.begin() + static_cast<std::ptrdiff_t>(count) - 1, positions.end(),
              positions[count - 1]);
    result.positions = integer_tensor({positions.size()}, positions);
  }
  return result;
}

Response without_rows_after(Response response, const Request& request) {
  std::vector<std::size_t> rows(rows_of(request));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return with_rows(std::move(response), request, rows);
}

}  // namespace

Response RowMultiples::ask(const Request& request) {
  const bool fills_tiles = !rows_stand_alone(request) || rows_of(request) % largest_tile == 0;
  if (!are_asked_ || fills_tiles) {
    auto response = inner().ask(request);
    const bool is_refused =
        response.status == ResponseStatus::unsupported || response.status == ResponseStatus::rejected;
    was_answered_ = was_answered_ || response.status == ResponseStatus::answered;
    if (!is_refused || was_answered_ || fills_tiles) {
      return response;
    }
    auto in_full = inner().ask(in_tiles(request, takes().contiguous_only));
    std::ranges::move(response.side_effects, std::back_inserter(in_full.side_effects));
    are_asked_ = was_answered_ = in_full.status == ResponseStatus::answered;
    return are_asked_ ? without_rows_after(std::move(in_full), request) : response;
  }
  return without_rows_after(inner().ask(in_tiles(request, takes().contiguous_only)), request);
}

}  // namespace vernier
