#include "reference/streamed_table.hpp"

#include <algorithm>
#include <cassert>

namespace vernier {

Real StreamedTable::entry(std::span<const std::int64_t> positions, std::size_t column) const {
  assert(streams.size() == table.columns.size() && column < streams.size());
  const auto stream = static_cast<std::size_t>(streams[column]);
  assert(stream < positions.size());
  return table.entry(positions[stream], column);
}

bool StreamedTables::are_alike() const {
  const auto one = of_position(1);
  const auto first = one[static_cast<std::size_t>(tables.front().streams.front())];
  return std::ranges::all_of(tables, [&](const StreamedTable& table) {
    return std::ranges::all_of(table.streams,
                               [&](int stream) { return one[static_cast<std::size_t>(stream)] == first; });
  });
}

std::vector<RealTable> by_position(const StreamedTables& tables) {
  std::vector<RealTable> result;
  for (const auto& streamed : tables.tables) {
    result.push_back(
        {streamed.table.role, streamed.streams.size(),
         [of_position = tables.of_position, streamed](std::int64_t position, std::size_t column) {
           return streamed.entry(of_position(position), column);
         }});
  }
  return result;
}

}  // namespace vernier
