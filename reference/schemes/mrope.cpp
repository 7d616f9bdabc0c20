#include "reference/schemes/mrope.hpp"

#include <cassert>

namespace vernier {

std::vector<StreamedTable> mrope_tables(const RopeSpec& spec) {
  assert(spec.streams);
  std::vector<StreamedTable> result;
  for (auto& table : RopeEncoding(spec).tables()) {
    StreamedTable streamed{std::move(table), {}};
    for (const auto& column : streamed.table.columns) {
      streamed.streams.push_back(spec.streams->stream(column.pair));
    }
    result.push_back(std::move(streamed));
  }
  return result;
}

}  // namespace vernier
