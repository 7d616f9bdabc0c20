#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "numerics/phase_turns.hpp"
#include "numerics/recipe.hpp"
#include "reference/enclosure.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// The greatest absolute error of a recipe's cosines and sines over all positions 0 .. n-1 and all pairs.
struct GreatestError {
  double error = 0;           ///< one that occurs; of no element is it greater by more than `slack`
  double slack = 0;           ///< what the search may have missed by
  std::int64_t position = 0;  ///< where it occurs
  int pair = 0;
  bool saturated = false;   ///< nearly the greatest that two points of a circle can have: the search ended
  bool not_finite = false;  ///< some element is no number; the search ended
};

/// Exhaustive searches over a recipe's table that evaluate few of its elements. The phase a recipe uses is
/// known to lie within PhaseRule::phase_error(), D, of the true one. As cos a - cos b = -2 sin((a + b)/2)
/// sin((a - b)/2), and likewise for sines, an element is off by at most
///
///     2 A sin(min(D, pi) / 2) + e,   e = A (4u + 2 u_c) + half an ulp of the stored format,
///
/// u of the compute format: sine and cosine good to 2 ulp, which the C library's are, an amplitude that is
/// rounded, and its product (u_c = u, or 0 for A = 1). D grows with the position. Whatever cannot exceed the
/// greatest error found so far is passed over, pair by pair and block by block; every other element is
/// compared with the truth to PhaseTurns::error.
class ErrorSearch {
 public:
  /// \param table defines frequencies and amplitude; its columns do not matter
  /// \param positions n >= 1, at most 2^31
  ErrorSearch(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t positions);

  /// The greatest error, certified where it occurs.
  GreatestError greatest() const;
  /// The first position at which an element is off by more than `threshold`; none if there is none below n.
  std::optional<std::int64_t> first_beyond(double threshold) const;

 private:
  class Walk;

  double bound(int pair, std::int64_t position) const;
  double certified_error(std::int64_t position, int pair, Component component) const;
  /// The first position whose bound exceeds the threshold; n if there is none.
  std::int64_t first_doubtful(int pair, double threshold) const;

  Recipe recipe_;
  TrigTable table_;
  Format stored_;
  std::int64_t positions_;
  std::shared_ptr<const PhaseRule> phases_;
  std::vector<Enclosure> frequencies_;
  std::vector<PhaseTurns> turns_;
  double amplitude_;
  double apart_from_phase_;
};

}  // namespace vernier
