#pragma once

#include <string_view>

#include "numerics/program/arithmetic.hpp"
#include "reference/frequencies/frequencies.hpp"

namespace vernier::program {

/// The frequencies that are meant, as implementations come by them: b^(-i n/m), and then, pair by pair, what
/// a RoPE scaling makes of it.
struct Declared {
  /// \param who the recipe or contract that needs them
  /// \throws InputError for frequencies that do not descend from 1 in a geometric progression before scaling
  Declared(const Frequencies& frequencies, std::string_view who);

  Frequencies exact;
  GeometricFrequencies progression;  ///< before any scaling
  RopeScaling scaling;
  Known base;  ///< b, before any scaling
  Known numerator;
  Known denominator;

  int pairs() const { return progression.pairs; }
  /// Whether there is a scaling beyond a stretched base.
  bool is_scaled() const { return exact.scaled() != nullptr; }
};

/// The progression that frequencies are before any scaling; null where they are none that descends from 1.
const GeometricFrequencies* progression_from_one(const Frequencies& frequencies);
/// The same. \throws InputError in place of null \param who needs it
const GeometricFrequencies& required_progression(const Frequencies& frequencies, std::string_view who);

}  // namespace vernier::program
