#pragma once

#include <cstdint>
#include <vector>

#include "reference/numbers/format.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// The offsets k in [1, last] at which rows t and t + k of the table, correctly rounded, can be equal for
/// some t; every other offset is proved impossible, for all t at once.
///
/// Two values that round to one lie between the same two midpoints, which are at most 2^(m-p) apart where
/// the amplitude A is at most 2^m and p is the format's precision (the spacing of subnormals if that is
/// wider). Where a table holds both the sine and the cosine of a pair, both differ by so little, and the
/// chord 2 A |sin(k w / 2)| between the two points is at most sqrt 2 times that: k w must be within 2
/// asin(sqrt 2 2^(m-p) / 2A) of a multiple of 2 pi. A pair of which only one component has a column says
/// nothing of k alone. \param table without a zero position \param last < 2^31
std::vector<std::int64_t> colliding_offsets(const TrigTable& table, Format format, std::int64_t last);

}  // namespace vernier
