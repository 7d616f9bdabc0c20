#pragma once

#include <cstdint>
#include <vector>

#include "reference/bias_table.hpp"

namespace vernier {

using SlopeList = std::vector<Slope>;

/// The slopes of so many heads, as ALiBi has them.
SlopeList alibi_slopes(std::int64_t heads, const Rational& max_bias);
/// 2^-step to the powers first, first + by ...
SlopeList geometric_slopes(std::int64_t heads, const Rational& step, std::int64_t first, std::int64_t by);
/// What the last slope of the longest power of two is 2 to the minus of.
Rational max_bias_of(const SlopeList& slopes);

bool are_same(const SlopeList& one, const SlopeList& other);

/// The steepest first.
SlopeList sorted(SlopeList slopes);
/// Of the list for the power of two above, the places 0, 2, 4 ..., then 1, 3, 5 ...
SlopeList odd_places_first(std::size_t heads, const Rational& max_bias);
/// Those at the places first, first + 2 ...
SlopeList every_second(const SlopeList& slopes, std::size_t first);
SlopeList each_repeated(const SlopeList& slopes, std::int64_t times);
SlopeList list_repeated(const SlopeList& slopes, std::int64_t times);

}  // namespace vernier
