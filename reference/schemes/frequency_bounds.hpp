#pragma once

#include "reference/bounded_frequencies.hpp"
#include "reference/json.hpp"

namespace vernier {

/// Reads "first" and "last", the frequencies between which others lie. \param pairs how many there are
/// \throws InputError unless both are above 0 and of one power of pi, and equal where there is one pair
BoundedFrequencies read_bounds(ObjectReader& reader, BoundedFrequencies::Spacing spacing, int pairs);
/// \throws InputError if either key is there
void refuse_bounds(ObjectReader& reader);
void write_bounds(const BoundedFrequencies& bounds, OrderedJson& to);
/// "from 1 to 512 by even ratios"
std::string summary_of(const BoundedFrequencies& bounds);

/// What one axis or encoding says of its frequencies beside a base: "geometric", "linear".
inline constexpr std::string_view geometric_name = "geometric";
inline constexpr std::string_view linear_name = "linear";

}  // namespace vernier
