#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/json/json.hpp"

namespace vernier {

/// What a rotation does to the vectors of a head, as numbers that can be compared, whoever describes it.
struct Rotation {
  std::vector<double> frequencies = {};  ///< of each pair that turns, in radians a position
  double amplitude = 1;                  ///< of cosines and sines
};

/// The rotation of a spec of the scheme rope; nothing of another scheme. \throws InputError
std::optional<Rotation> rotation_of(const OrderedJson& spec, const std::string& source);

/// Where two rotations part.
struct TurnDifference {
  bool of_width = false;       ///< they turn different numbers of pairs: nothing else is compared
  std::size_t pair = 0;        ///< where frequencies differ most
  double ratio = 1;            ///< of the first's frequency to the second's there
  double amplitude_ratio = 1;  ///< of the first's to the second's
  /// From which position on the angle of some pair is off by more than a tenth of a radian.
  std::optional<double> position = std::nullopt;

  bool any() const { return of_width || ratio != 1 || amplitude_ratio != 1; }
  /// "pair 63 turns 98 times too fast; an angle is off by more than 0.1 from position 1 on"
  std::string sentence() const;
};

/// \param tolerance the relative difference that rounding explains
TurnDifference difference(const Rotation& first, const Rotation& second, double tolerance);

/// What the frequencies are: "those of base 10000 over 128 dimensions", or that no one base explains them.
std::string description(const std::vector<double>& frequencies, double tolerance);

/// A number as files and people write it: "1000000", "0.5", "1.1386295". Of float32.
std::string number_text(double number);

}  // namespace vernier
