#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "numerics/recipes/recipe.hpp"
#include "numerics/searches/phase_turns.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// An element of any table with the same frequencies.
struct ErrorPlace {
  std::int64_t position = 0;
  int pair = 0;
  Component component = Component::cosine;

  bool operator==(const ErrorPlace&) const = default;
};

/// The greatest absolute error of a recipe's cosines and sines over all positions 0 .. n-1 and all pairs, and
/// where it occurs: of two that are as great the cosine, of two that are no numbers the sine.
struct GreatestError : ErrorPlace {
  double error = 0;         ///< one that occurs, certified
  double bound = 0;         ///< no element is off by more: a thousandth above the error, or 2^-46, or
                            ///< as much as the search's patience makes it
  bool saturated = false;   ///< nearly the greatest that two points of a circle can have: the search ended
  bool not_finite = false;  ///< some element is no number; the search ended
};

/// The most that a recipe's element differs from A cos(phase), or A sin(phase), of the phase that it uses, in
/// shares of A:
///
///     4u + 2 u_c + half an ulp of the stored format where that is another,
///
/// u of the compute format: sine and cosine good to 2 ulp (SingleSineErrors shows it of those in float32), an
/// amplitude that is rounded, and its product (u_c = u, or 0 for A = 1).
double error_apart_from_phase(const Recipe& recipe, const Amplitude& amplitude, Format stored);

/// Exhaustive searches over a recipe's table that evaluate few of its elements. The phase that a recipe uses
/// is off by some D, which is known for each element from the phase itself, and bounded for all positions up
/// to one by PhaseRule::phase_error(). As cos a - cos b = -2 sin((a + b)/2) sin((a - b)/2), and likewise for
/// sines, the element is off by at most
///
///     A min(D, 2) + A error_apart_from_phase().
///
/// Whatever cannot exceed what is looked for is passed
/// over: a pair, a block of positions, an element. Every other element is compared with the truth to
/// PhaseTurns::error.
class ErrorSearch {
 public:
  /// \param table defines frequencies and amplitude; its columns do not matter
  /// \param positions n >= 1, at most 2^31
  ErrorSearch(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t positions);

  /// \param patience after so many elements, and again after as many, what exceeds the greatest error found
  /// by twice the share of before is no longer looked for either: where a bound is not reached, as the
  /// greatest errors of phase and storage do not meet, the search would go through all positions
  GreatestError greatest(std::int64_t patience = std::numeric_limits<std::int64_t>::max()) const;
  /// The first position at which an element is off by more than `threshold`; none if there is none below n.
  std::optional<std::int64_t> first_beyond(double threshold) const;
  /// The first element of a row that is off by more than `threshold`; nothing if none is for certain.
  std::optional<ErrorPlace> certainly_beyond(std::int64_t position, double threshold) const;

 private:
  /// The most an element of the pair may be off by, at any position up to one.
  double bound(int pair, std::int64_t position) const;
  /// The same for a phase that is off by so much.
  double bound(double phase_error) const;
  /// Calls `take(position, component, error)` for the elements of a block of a pair's positions that may be
  /// off by more than `limit`.
  template <class Take>
  void walk(int pair, std::int64_t first, std::int64_t end, double limit, const Take& take) const;
  /// What one element is off by, to PhaseTurns::error of the amplitude.
  double error_at(const ErrorPlace& place) const;
  double certified_error(const ErrorPlace& place) const;
  /// The pairs, those of the greatest bound first.
  std::vector<int> by_bound() const;
  /// The first position whose bound exceeds the threshold; n if there is none.
  std::int64_t first_doubtful(int pair, double threshold) const;

  TrigTable table_;
  std::int64_t positions_;
  PhaseRule phases_;
  RecipeTable elements_;
  std::vector<Enclosure> frequencies_;
  std::vector<PhaseTurns> turns_;
  double amplitude_;
  double apart_from_phase_;
};

}  // namespace vernier
