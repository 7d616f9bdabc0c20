#pragma once

#include <map>
#include <optional>
#include <vector>

#include "props/models/position_model.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A table of sines and cosines as an absolute code, scored by its dot product.
///
/// What is known of it: each column is an entire function of a real position, of slope at most A w. Sines of
/// nonzero algebraic frequencies differ at different integers, as pi is transcendental (theorem T1). Where
/// every column belongs to a pair with both components, each pair moves on a circle: shifting is a rotation
/// (T3), and products depend on the offset only (T4).
class TrigCode : public PositionModel {
 public:
  explicit TrigCode(TrigTable table)
      : table_(std::move(table)),
        frequencies_(table_.frequencies.enclosures()),
        amplitude_(enclose(table_.amplitude)) {}

  const TrigTable& table() const { return table_; }

  IntervalVector code(std::int64_t position) const override;
  Interval score(std::int64_t query, std::int64_t key) const override { return code(query).dot(code(key)); }
  std::optional<Interval> bound() const override { return amplitude_; }
  std::optional<Interval> lipschitz() const override;
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  /// Whether each column's pair has both components in the table, as often.
  bool pairs_are_complete() const;
  KnownAnswer uniqueness() const;

  TrigTable table_;
  std::vector<Interval> frequencies_;
  Interval amplitude_;
  mutable std::map<std::int64_t, IntervalVector> codes_;  ///< made once for each position asked for
};

}  // namespace vernier
