#pragma once

#include <string_view>

#include "reference/frequencies/frequencies.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// Frequencies as implementations come by them: b^(-i step), with b and step in double precision, and then,
/// pair by pair, what a RoPE scaling makes of it.
class RecipeFrequencies {
 public:
  /// \param who the recipe or contract that needs them
  /// \throws InputError for frequencies that do not descend from 1 in a geometric progression before scaling
  RecipeFrequencies(const Frequencies& exact, std::string_view who);

  const Frequencies& exact() const { return exact_; }
  int pairs() const { return progression_.pairs; }
  /// The base, stretched where the scaling does that: computed in binary64, as configurations are read.
  double base() const { return base_; }
  const Rational& step() const { return progression_.step; }

  /// Whether there is a scaling beyond a stretched base.
  bool is_scaled() const { return exact_.scaled() != nullptr; }
  /// A frequency scaled with the operations of Hugging Face's modeling_rope_utils.py, each rounded to the
  /// format. \param frequency of the pair, unscaled, as computed in the format
  double scaled(Format format, int pair, double frequency) const;

 private:
  Frequencies exact_;
  GeometricFrequencies progression_;
  RopeScaling scaling_;
  double base_;
};

/// The progression that frequencies are before any scaling. \throws InputError as above
const GeometricFrequencies& progression_from_one(const Frequencies& frequencies, std::string_view who);

}  // namespace vernier
