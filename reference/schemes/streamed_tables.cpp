#include "reference/schemes/streamed_tables.hpp"

#include "reference/schemes/axial_rope.hpp"
#include "reference/schemes/mrope.hpp"

namespace vernier {

std::optional<StreamedTables> streamed_tables(const Encoding& encoding) {
  if (const auto* rope = dynamic_cast<const RopeEncoding*>(&encoding);
      rope != nullptr && rope->parameters().streams) {
    const auto& streams = *rope->parameters().streams;
    return StreamedTables{static_cast<std::size_t>(streams.count()), mrope_tables(rope->parameters()),
                          [streams](std::int64_t position) { return streams.of_text(position); }};
  }
  if (const auto* axial = dynamic_cast<const AxialRopeEncoding*>(&encoding)) {
    return StreamedTables{2, axial->streamed_tables(), [spec = axial->parameters()](std::int64_t position) {
                            const auto place = spec.coordinates(position);
                            return std::vector<std::int64_t>(place.begin(), place.end());
                          }};
  }
  return std::nullopt;
}

}  // namespace vernier
