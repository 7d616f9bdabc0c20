#include "numerics/implementations/hard_positions.hpp"

#include <algorithm>
#include <cstdlib>

#include "numerics/searches/near_midpoints.hpp"
#include "numerics/searches/near_quarter_turns.hpp"
#include "reference/threads.hpp"

namespace vernier {
namespace {

/// Elements among which those that are hard to round are sought, in some hundredths of a second; a sixteenth
/// of float64's, which take longer. Of wider tables than this the seeds alone would take longer.
constexpr std::size_t most_searched_elements = std::size_t{1} << 24;
constexpr std::size_t most_searched_columns = 2048;

/// Up to `last` the positions at which sines and cosines are the hardest to round to a format, as far as so
/// many elements of a table tell; the hardest first. \param last >= 1
std::vector<std::int64_t> hard_to_round(const Encoding& encoding, std::int64_t last, Format format) {
  const auto elements = format == Format::binary64 ? most_searched_elements / 16 : most_searched_elements;
  std::vector<NearMidpoint> found;
  for (const auto& table : tables_of_sines(encoding)) {
    const auto rows = std::min(last, static_cast<std::int64_t>(elements / table.columns.size()));
    if (table.columns.size() <= most_searched_columns) {
      const auto nearest = near_midpoints(table, {1, 1, rows}, format, available_threads());
      found.insert(found.end(), nearest.begin(), nearest.end());
    }
  }
  std::ranges::stable_sort(found, {}, &NearMidpoint::distance);
  std::vector<std::int64_t> result;
  for (const auto& element : found) {
    result.push_back(element.position);
  }
  return result;
}

}  // namespace

std::vector<std::int64_t> hard_positions(const Encoding& encoding, const PositionRange& range,
                                         ElementType type) {
  const auto last = std::max(std::abs(range.first), std::abs(range.at(range.count - 1)));
  const auto to_reduce = near_quarter_turns(encoding, last);
  const auto to_round =
      last < 1 ? std::vector<std::int64_t>() : hard_to_round(encoding, last, *traits(type).format);
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < std::max(to_reduce.size(), to_round.size()); ++i) {
    for (const auto* positions : {&to_reduce, &to_round}) {
      if (i < positions->size()) {
        result.push_back((*positions)[i]);
        result.push_back(-(*positions)[i]);
      }
    }
  }
  return result;
}

}  // namespace vernier
