#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "numerics/decoding/row_rules.hpp"

namespace vernier {

/// The rules that the positions along one axis may follow.
struct AxisRules {
  std::size_t axis = 0;
  std::vector<RowRule> rules = {};  ///< the likeliest first; none where all hold their own
};

/// One rule of each axis whose rows hold other positions than their own.
struct RuleOfAxes {
  std::vector<std::pair<std::size_t, const RowRule*>> rules;
  RowRule::Kind kind = RowRule::Kind::offset;
  std::string words = {};  ///< "along axis 1, positions are larger by 8"
  double bits = 0;
  std::optional<double> offset = {};  ///< of every row along the only axis
  /// Positions along every axis are negated, or multiplied by one factor.
  bool is_of_all_turns = false;
};

/// Of the few likeliest rules of each axis every combination. What all axes have alike is told once. \param
/// axes outlives the result
std::vector<RuleOfAxes> rules_of_axes(const std::vector<AxisRules>& axes);

}  // namespace vernier
