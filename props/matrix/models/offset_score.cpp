#include "props/matrix/models/offset_score.hpp"

#include <cassert>

namespace vernier {

OffsetScore::OffsetScore(TrigTable table, std::vector<int> vector)
    : table_(std::move(table)), vector_(std::move(vector)) {
  assert(vector_.size() == table_.table().columns.size());
}

Interval OffsetScore::score(std::int64_t query, std::int64_t key) const {
  const auto row = code(query - key);
  Interval sum = 0;
  for (Eigen::Index i = 0; i < row.size(); ++i) {
    sum += vector_[static_cast<std::size_t>(i)] * row(i);
  }
  return sum;
}

std::optional<Justification> OffsetScore::justification(std::string_view property) const {
  if (property == "offset-only") {
    return Justification{Answer::yes, Method::exact,
                         "by definition the score reads the row of the offset alone"};
  }
  if (property == "symmetric" || property == "direction-aware") {
    return std::nullopt;
  }
  return table_.justification(property);
}

}  // namespace vernier
