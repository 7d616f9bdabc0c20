#pragma once

#include <optional>
#include <utility>

#include "props/models/position_model.hpp"
#include "reference/tables/bias_table.hpp"
#include "reference/tables/buckets.hpp"

// Models of what schemes give an offset, where positions have no code.

namespace vernier {

/// Relative positions sorted into buckets, each with a learned score of its own. The code of an offset is its
/// bucket's index, and as learned scores may be any numbers, the index stands for the score too: two offsets
/// can be scored differently exactly if their buckets differ.
class BucketModel final : public PositionModel {
 public:
  /// \param causal whether keys ahead of the query are masked
  /// \param of_distance whether the rule begins with the absolute value of the offset
  BucketModel(BucketRule rule, bool causal, bool of_distance)
      : rule_(std::move(rule)), causal_(causal), of_distance_(of_distance) {}

  PositionWindow window() const override {
    return {PositionWindow().lowest, causal_ ? 0 : PositionWindow().highest};
  }
  IntervalVector code(std::int64_t offset) const override {
    return IntervalVector::Constant(1, enclose(rule_(offset).index));
  }
  Interval score(std::int64_t query, std::int64_t key) const override {
    return enclose(rule_(key - query).index);
  }
  std::optional<Interval> bound() const override { return std::nullopt; }
  std::optional<Interval> lipschitz() const override { return std::nullopt; }
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  BucketRule rule_;
  bool causal_;
  bool of_distance_;
};

/// Biases linear in a position or a distance, of one head (ALiBi). Scores are taken less the score of the
/// query with itself, as a constant for each query is nothing to the softmax.
class LinearBiasModel final : public PositionModel {
 public:
  /// \param bias of factor distance, key_position or distance_to_last
  explicit LinearBiasModel(BiasTable bias) : bias_(std::move(bias)) {}

  /// The code of a distance >= 0 behind the query: what is added to its score.
  PositionWindow window() const override { return {0, PositionWindow().highest}; }
  IntervalVector code(std::int64_t distance) const override {
    return IntervalVector::Constant(1, score(distance, 0));
  }
  Interval score(std::int64_t query, std::int64_t key) const override;
  std::optional<Interval> bound() const override { return abs(code(63)(0)); }
  std::optional<Interval> lipschitz() const override { return bias_.slopes.front().enclosure(); }
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  BiasTable bias_;
};

}  // namespace vernier
