#include "reference/schemes/mrope.hpp"

#include <cassert>

namespace vernier {
namespace {

StreamedTable with_streams(const PositionStreams& streams, TrigTable table) {
  StreamedTable result{std::move(table), {}};
  for (const auto& column : result.table.columns) {
    result.streams.push_back(streams.stream(column.pair));
  }
  return result;
}

}  // namespace

StreamedTable mrope_table(const RopeSpec& spec, Component component) {
  assert(spec.streams);
  return with_streams(*spec.streams, RopeEncoding(spec).table(component));
}

std::vector<StreamedTable> mrope_tables(const RopeSpec& spec) {
  assert(spec.streams);
  std::vector<StreamedTable> result;
  for (auto& table : RopeEncoding(spec).tables()) {
    result.push_back(with_streams(*spec.streams, std::move(table)));
  }
  return result;
}

}  // namespace vernier
