#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/schemes/rope.hpp"

namespace vernier {

/// Where an implementation of xPos has the position at which nothing is scaled, c(L) for a table of L
/// positions.
struct XposCentre {
  std::string_view name;
  bool rounds_up;           ///< c = ceil(L/2), else floor(L/2)
  RopeSpec::Layout layout;  ///< unless the spec says otherwise
};

/// xPos (Y. Sun et al., "A Length-Extrapolatable Transformer", 2022): RoPE whose pairs also shrink or grow
/// with the position, queries by zeta_i^((p - c)/B), keys by the inverse, so that scores decay with the
/// offset: the product of the two scales is zeta_i^((p_q - p_k)/B), whatever c is, if both have the same c.
///
/// Centres, by where they come from: "torchscale" (the authors', component/xpos_relative_position.py: min_pos
/// is floor(-L/2)), "flash_attn" (layers/rotary.py), "x_transformers" (max_pos // 2, max_pos the largest
/// position + 1). They differ for odd L.
struct XposSpec {
  enum class Operand { query, key };

  static constexpr std::string_view scheme = "xpos";

  std::int64_t head_dim = 2;
  Rational rope_theta = 10000;
  RopeSpec::Layout layout = RopeSpec::Layout::interleaved;
  Rational scale_base = 512;           ///< B
  const XposCentre* centre = nullptr;  ///< one of xpos_centres(); the first where none is said
  std::int64_t sequence_length = 1;    ///< L: how many positions the table had when it was made
  RotationOperation operation = RotationOperation::forward;
  /// Of the phases alone: 1/interpolation_factor of x-transformers, which leaves the scales as they are.
  Constant frequency_scale = {};

  void keys(KeyVisitor& visit);
  std::string summary() const;
  /// "cos" and "sin" for queries and "cos_k" and "sin_k" for keys, scaled, as flash-attn caches them; "scale"
  /// of queries, as torchscale and x-transformers have it. Each with one column a pair and with one column a
  /// dimension. The rotations of queries and of keys.
  ///
  /// Every rounding of every entry is decided: the scale is algebraic, and the sine or cosine of an algebraic
  /// number other than 0 is transcendental; at the position 0 what remains is the scale (see rational_power).
  std::vector<TensorDefinition> tensors() const;
  int pairs() const { return static_cast<int>(head_dim / 2); }
  /// c
  std::int64_t centre_position() const { return (sequence_length + (centre->rounds_up ? 1 : 0)) / 2; }
  /// zeta_i = (2i + 0.4 d)/(1.4 d), in [2/7, 1). \param pair i, in [0, pairs())
  Rational ratio(int pair) const { return Rational(10 * std::int64_t{pair} + 2 * head_dim, 7 * head_dim); }
  /// What the sines and cosines of each pair are multiplied by.
  PositionScale scale(Operand operand) const;
  /// The same at one position, within +-2^31.
  Real scale(Operand operand, std::int64_t position, int pair) const;
  /// The rotation.
  RopeSpec rotation() const;
};

/// All conventions. A new one is a row of the table.
std::span<const XposCentre> xpos_centres();

using XposEncoding = EncodingOf<XposSpec>;

}  // namespace vernier
