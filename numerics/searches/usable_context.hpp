#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "numerics/searches/contract_proof.hpp"
#include "numerics/searches/first_repeat.hpp"
#include "numerics/searches/greatest_error.hpp"
#include "numerics/searches/single_sine_errors.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// The errors, as shares of the amplitude, up to which positions are usable: 2 to these powers.
inline constexpr std::array usable_exponents{-8, -11};

/// How far a recipe that stores in a format can be used, proved over all positions from 0 to 2^31 - 1.
struct UsableContext {
  std::string_view recipe;
  Format stored = Format::binary32;
  GreatestError greatest;  ///< see there what its error and its bound prove
  /// For each of usable_exponents the first element that is off by more: its position less one is the last
  /// that is usable. Nothing where there is none.
  std::array<std::optional<ErrorPlace>, usable_exponents.size()> first_beyond;
  /// Whether some error is so near to one of these that PhaseTurns does not tell which is greater.
  bool is_on_edge = false;
  FirstRepeat repeat;
  ContractProof contract;  ///< of the contract that the recipe names

  /// Whether all of it is decided.
  bool is_decided() const;
};

/// The phase that comes nearest to a multiple of pi/2, where reducing it cancels most.
struct NearestQuarterTurn {
  std::int64_t position = 0;
  int pair = 0;
  double distance = 0;  ///< from that multiple, in radians
};

/// Of all phases of a table at positions from 1 to 2^31 - 1, proved (near_quarter_turns.hpp). Nothing where
/// no pair turns.
std::optional<NearestQuarterTurn> nearest_quarter_turn(const TrigTable& table);

/// \param table defines frequencies and amplitude; its columns do not matter \param sines what the proofs of
/// recipes that compute in float32 or narrower rest on
UsableContext usable_context(const Recipe& recipe, const TrigTable& table, Format stored,
                             const SingleSineErrors& sines);

}  // namespace vernier
