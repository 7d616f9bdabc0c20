#pragma once

#include <array>
#include <cstdint>

#include "reference/numbers/double_double.hpp"
#include "reference/numbers/interval.hpp"

namespace vernier {

/// A rotation (cos f, sin f) in fixed point: 256-bit two's complement integers counted in q = 2^-254. Seeds
/// of long tables are powers of a few rotations, and a product here costs some 60 ns, a thirtieth of a sine
/// and cosine by MPFR.
///
/// Error, as the distance of the point (cos f, sin f) from its exact place: `rotation_by` is off by at most
/// 3q. A product of rotations off by d and e is off by at most d + e + 3q: the four real products are each
/// rounded down by less than q, so each component is off by less than 2q and the point by less than 3q; d e
/// and the moduli's excess over 1 are below 2^-380 as long as d, e < 2^-190. A power n made of products, in
/// whatever order, is therefore off by at most 6 n q.
struct FixedPointRotation {
  using Number = std::array<std::uint64_t, 4>;  ///< least significant limb first
  Number cosine{};
  Number sine{};
};

/// The rotation by nothing, exactly.
FixedPointRotation identity_rotation();

/// The radius that no phase of a rotation has.
inline constexpr double widest_phase = 0x1p-256;

/// The rotation by an enclosed phase. \pre the working precision is 320 bits or more, and the phase's
/// enclosure is narrower than widest_phase
FixedPointRotation rotation_by(const Interval& phase);

FixedPointRotation operator*(const FixedPointRotation& a, const FixedPointRotation& b);

/// The double-double next to a fixed-point number: off by at most 2.25 u^2 of itself, u = 2^-53, beyond what
/// the number itself is.
DoubleDouble as_double_double(const FixedPointRotation::Number& number);

}  // namespace vernier
