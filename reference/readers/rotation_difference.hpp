#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/schemes/rope.hpp"

namespace vernier {

/// The angle by which two tables must differ before a table in bfloat16 can tell: 2^-8, the distance between
/// two numbers of bfloat16 below 1. A smaller angle moves sine and cosine by less than what they are rounded
/// to.
inline constexpr double told_angle = 0x1p-8;

/// What a rotation does to the vectors of a head, whoever describes it: a spec, a file, a tensor.
struct TurnRates {
  std::vector<double> frequencies = {};  ///< of each pair, in radians a position; 0: it does not turn
  double amplitude = 1;                  ///< of cosines and sines
};

TurnRates turn_rates_of(const RopeSpec& spec);

/// How far apart two rotations are, pair by pair.
struct RotationDifference {
  int pairs = 0;        ///< that turn in the first
  int other_pairs = 0;  ///< that turn in the other
  /// The largest quotient of the two frequencies of a pair that turns in both, at least 1, and that pair.
  double ratio = 1;
  int pair = 0;
  bool is_faster = false;  ///< whether the other's frequency of that pair is the larger
  /// The first position at which the angle of a pair differs by more than `told_angle`. Nothing: none below
  /// 2^31.
  std::optional<std::int64_t> first_position = {};
  double amplitude = 1;             ///< the other's amplitude over the first's
  bool has_same_positions = true;   ///< whether M-RoPE's axes are the same
  std::vector<double> angles = {};  ///< the difference of the frequencies of each pair, in radians a position

  bool is_none() const;
};

/// \param tolerance the share of itself by which a number may differ and count as the same
RotationDifference rotation_difference(const TurnRates& one, const TurnRates& other, double tolerance);

/// Of two specs, whose frequencies are computed here with an error below 2^-45 of themselves. Their
/// dimensions and the positions that M-RoPE turns by are compared too.
RotationDifference rotation_difference(const RopeSpec& one, const RopeSpec& other);

}  // namespace vernier
