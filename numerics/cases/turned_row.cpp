#include "numerics/cases/turned_row.hpp"

#include <cassert>

#include "numerics/cases/table_tensor.hpp"

namespace vernier {

TurnedRow::TurnedRow(const HeadRotation& rotation, std::span<const std::int64_t> positions,
                     std::span<const std::vector<std::int64_t>> streams)
    : streams_of_pairs_(rotation.streams),
      streams_(streams.begin(), streams.end()),
      positions_of_pairs_(rotation.table.columns.size()),
      cosine_(rotation.table.columns.size()),
      sine_(cosine_.size()),
      scales_(cosine_.size(), Enclosure{{1, 0}, 0}),
      cosines_of_stream_(cosine_.size()),
      sines_of_stream_(cosine_.size()) {
  assert(rotation.streams.empty() == streams.empty());
  if (streams_.empty()) {
    streams_.push_back(positions);
    streams_of_pairs_.assign(cosine_.size(), 0);
  }
  for (const auto& stream : streams_) {
    tables_.push_back(certified_table_for(rotation.table, stream));
  }
  if (rotation.scale) {
    scale_.emplace(*rotation.scale);
  }
}

void TurnedRow::go_to(std::size_t row) {
  for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
    const auto position = streams_[stream][row];
    tables_[stream].row(position, cosines_of_stream_, sines_of_stream_);
    for (std::size_t pair = 0; pair < cosine_.size(); ++pair) {
      if (static_cast<std::size_t>(streams_of_pairs_[pair]) == stream) {
        positions_of_pairs_[pair] = position;
        cosine_[pair] = cosines_of_stream_[pair];
        sine_[pair] = sines_of_stream_[pair];
      }
    }
  }
  for (std::size_t pair = 0; scale_ && pair < scales_.size(); ++pair) {
    scales_[pair] = scale_->at(positions_of_pairs_[pair], static_cast<int>(pair));
  }
}

}  // namespace vernier
