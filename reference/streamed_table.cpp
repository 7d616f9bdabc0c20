#include "reference/streamed_table.hpp"

#include <cassert>

namespace vernier {

Real StreamedTable::entry(std::span<const std::int64_t> positions, std::size_t column) const {
  assert(streams.size() == table.columns.size() && column < streams.size());
  const auto stream = static_cast<std::size_t>(streams[column]);
  assert(stream < positions.size());
  return table.entry(positions[stream], column);
}

}  // namespace vernier
