#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numerics/recipes/recipe.hpp"
#include "numerics/searches/phase_turns.hpp"
#include "numerics/tensors/case.hpp"
#include "reference/numbers/position_range.hpp"

namespace vernier {

/// What an implementation turns queries and keys by at some positions, beside what is meant: the factor of
/// each pair is z(p) = A e^(i p w), and the implementation's is z'(p) = c + i s.
struct Rotations {
  std::vector<PhaseTurns> meant;        ///< e^(i p w), one a pair
  double amplitude = 1;                 ///< A > 0
  std::vector<std::int64_t> positions;  ///< of the rows, ascending, each once

  /// The implementation's factors of one pair.
  struct PairRows {
    std::vector<std::complex<double>> factors;  ///< a row each
    /// The two dimensions of a pair may be turned by columns of their own: the most that these are apart, as
    /// hypot() of the differences of cosines and of sines.
    double apart = 0;
  };
  /// Reads the pairs first .. first + out.size() - 1 into empty ones. Safe to call from several threads.
  std::function<void(std::size_t first, std::span<PairRows> out)> read;
};

/// Sines and cosines of every pair.
std::vector<PhaseTurns> turns_of(const Frequencies& frequencies);

/// Those that a recipe makes and stores, bit for bit. \param table its columns do not matter
Rotations rotations_of(const Recipe& recipe, TrigTable table, Format stored, const PositionRange& positions);

/// Those of the tables of a case, of the first copy of its rows. \pre the case outlives them
/// Nothing for a case that has not both components of every pair of one rotary encoding, or whose rows have
/// fractions for positions, several of them, or a scale.
std::optional<Rotations> rotations_of(const Case& subject);

/// Whether it turns queries and keys by one integer position each, which is what errors of scores follow
/// from: an inverse leaves attention, and a shift turns cached keys once more.
bool turns_queries_and_keys(const HeadRotation& rotation);

}  // namespace vernier
