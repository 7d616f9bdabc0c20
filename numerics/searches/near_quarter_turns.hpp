#pragma once

#include <cstdint>
#include <vector>

#include "reference/numbers/real.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The positions from 1 to `last`, ascending, at which the phase p w is nearer to a multiple of pi/2 than at
/// every smaller one: where reducing the argument of a sine cancels most. The last of them is the nearest of
/// all up to `last`.
///
/// Proved complete: the distance is pi/2 times that of p (2 w / pi) from an integer, and a number p is nearer
/// to an integer after multiplication by a real than every smaller one exactly if it is the denominator of a
/// convergent of that real's continued fraction (Khinchin, Continued Fractions, theorems 16 and 17). Its
/// digits are those of both ends of an enclosure, at a precision that is doubled until they agree. Where they
/// do not at the cap of Ziv's loop, the phase of the last position is taken for a multiple, which it is to
/// 2^-2000: none is nearer.
/// \param frequency w > 0, in radians a position \param last >= 1
std::vector<std::int64_t> near_quarter_turns(const Real& frequency, std::int64_t last);

/// Those of all pairs of an encoding, as positions are given: of every pair the nearest, then of every pair
/// the one that it beats, and so on. Of tokens with several positions those that have the number along some
/// axis. None where nothing of it turns, where it turns by other numbers than the integers that are given
/// (PositionMap::keeps_integers), and where `last` is before 1.
std::vector<std::int64_t> near_quarter_turns(const Encoding& encoding, std::int64_t last);

}  // namespace vernier
