#include "reference/schemes/mrope.hpp"

#include <cassert>

namespace vernier {

StreamedTable mrope_table(const RopeSpec& spec, Component component) {
  assert(spec.streams);
  StreamedTable result{RopeEncoding(spec).table(component), {}};
  for (const auto& column : result.table.columns) {
    result.streams.push_back(spec.streams->stream(column.pair));
  }
  return result;
}

}  // namespace vernier
