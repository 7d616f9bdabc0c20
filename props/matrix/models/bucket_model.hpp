#pragma once

#include "props/matrix/position_model.hpp"
#include "reference/buckets.hpp"

namespace vernier {

/// Relative positions sorted into buckets, each with a learned score of its own. The code of an offset is its
/// bucket's index, and as learned scores may be any numbers, the index stands for the score too: two offsets
/// can be scored differently exactly if their buckets differ.
class BucketModel final : public PositionModel {
 public:
  /// \param causal whether keys ahead of the query are masked
  BucketModel(BucketRule rule, bool causal) : rule_(std::move(rule)), causal_(causal) {}

  PositionWindow window() const override;
  IntervalVector code(std::int64_t offset) const override;
  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Interval> bound() const override { return std::nullopt; }
  std::optional<Interval> lipschitz() const override { return std::nullopt; }
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  BucketRule rule_;
  bool causal_;
};

}  // namespace vernier
