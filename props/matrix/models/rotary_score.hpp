#pragma once

#include <utility>
#include <vector>

#include "props/matrix/models/trig_code.hpp"

namespace vernier {

/// RoPE: the score of a query and a key that are the same vectors at every position, rotated. R_m is known by
/// the cosines and sines it is made of, so its row in the joint table is its code.
class RotaryScore final : public PositionModel {
 public:
  /// A vector's components in each pair.
  using Pairs = std::vector<std::pair<int, int>>;

  /// \param table all cosines, then all sines, one a pair \param query, key one component pair a pair
  RotaryScore(TrigTable table, Pairs query, Pairs key);

  IntervalVector code(std::int64_t position) const override { return table_.code(position); }
  /// (R_m q)^T R_n k
  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Interval> bound() const override { return table_.bound(); }
  std::optional<Interval> lipschitz() const override { return table_.lipschitz(); }
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  TrigCode table_;
  Pairs query_;
  Pairs key_;
};

}  // namespace vernier
