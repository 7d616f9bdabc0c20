#pragma once

#include <vector>

#include "props/matrix/models/trig_code.hpp"

namespace vernier {

/// Transformer-XL: a vector made of the query and of what is learned, against the row of the offset (query
/// less key). The offsets' rows are the code; the score is their product with one such vector.
class OffsetScore final : public PositionModel {
 public:
  /// \param vector one element a column
  OffsetScore(TrigTable table, std::vector<int> vector);

  IntervalVector code(std::int64_t position) const override { return table_.code(position); }
  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Interval> bound() const override { return table_.bound(); }
  std::optional<Interval> lipschitz() const override { return table_.lipschitz(); }
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  TrigCode table_;
  std::vector<int> vector_;
};

}  // namespace vernier
