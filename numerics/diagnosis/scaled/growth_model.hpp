#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/cases/rotated_tensor.hpp"
#include "numerics/cases/scaled_tensor.hpp"
#include "numerics/diagnosis/relative/edit_search.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// What scales of the position are made of: those of queries, and those of keys.
enum class ScaledOperand { queries, keys };

/// A computation of scaled tables or vectors that may be faulty: edits of the declared one.
struct GrowthModel {
  /// How the scale of one operand differs.
  struct Edit {
    std::optional<std::int64_t> centre = std::nullopt;
    std::optional<Rational> base = std::nullopt;
    std::optional<std::vector<Rational>> ratios = std::nullopt;
    bool is_inverted = false;
    bool is_missing = false;
  };
  Edit queries = {};
  Edit keys = {};
  std::int64_t offset = 0;  ///< of the positions
  /// What the sines and cosines are of; null for the declared encoding.
  std::shared_ptr<const Encoding> turns = nullptr;

  Edit& of(ScaledOperand operand) { return operand == ScaledOperand::keys ? keys : queries; }
  const Edit& of(ScaledOperand operand) const { return operand == ScaledOperand::keys ? keys : queries; }
  /// The scale of an operand, given the declared one.
  PositionScale scale(ScaledOperand operand, const PositionScale& declared) const;
};

/// What a pair was multiplied by at a position.
struct MeasuredScale {
  ScaledOperand operand;
  std::int64_t position;
  int pair;
  double value;
};

/// The logarithms of measured scales on the line that fits them best, as the scale is z^((p - c)/B).
struct ScaleLine {
  double growth = 0;          ///< per position: ln(z)/B
  double centre = 0;          ///< where it is zero
  double mean_position = 0;   ///< of those that were measured
  double mean_logarithm = 0;  ///< there
};

/// What is to be explained: tables, or vectors.
class GrowthSubject {
 public:
  GrowthSubject(std::span<const ScaledTensor> tables, std::span<const std::int64_t> positions,
                const Encoding& encoding);
  GrowthSubject(const RotatedTensor& vectors, const Encoding& encoding, unsigned threads);

  const Encoding& encoding() const { return encoding_; }
  bool is_of_vectors() const { return vectors_ != nullptr; }
  /// The declared scale of an operand that the tensors have; null of one that they do not.
  const PositionScale* declared(ScaledOperand operand) const;
  /// Nothing where too little was measured.
  std::optional<ScaleLine> line(ScaledOperand operand) const;

  /// The share of the measured scales that the computation does not come near to.
  double failing_share(const GrowthModel& model) const;
  Prediction predict(const GrowthModel& model) const;

 private:
  void measure_tables();
  void measure_vectors();
  void add(ScaledOperand operand, std::size_t row, double value);
  Prediction predict_table(const ScaledTensor& table, const GrowthModel& model,
                           std::span<const std::int64_t> positions) const;
  Prediction predict_vectors(const GrowthModel& model, std::vector<std::int64_t> positions) const;

  std::span<const ScaledTensor> tables_;
  const RotatedTensor* vectors_ = nullptr;
  std::span<const std::int64_t> positions_;
  const Encoding& encoding_;
  unsigned threads_ = 1;
  std::vector<MeasuredScale> measured_;  ///< of the first pair, which is scaled most
};

using GrowthEdit = ModelEdit<GrowthModel>;
using GrowthEdits = ModelEdits<GrowthModel>;
using GrowthFault = FaultEntry<GrowthSubject, GrowthModel>;

/// Every edit that the tensors give reason for.
GrowthEdits growth_edits(const GrowthSubject& subject);

}  // namespace vernier
