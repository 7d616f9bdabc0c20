#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "numerics/tensors/case.hpp"

namespace vernier {

/// Positions of a floating-point type are binary numbers, m 2^-k: all of a case are integers m that count in
/// 2^-k, with k the same for all.

/// k: how many binary places they have behind the point; nothing for positions of an integer type.
/// \throws InputError for positions that are not finite, or denormal
std::optional<int> binary_places(const CaseInput& parts);

/// How many binary places a number has behind the point.
int places_of(double number);

/// The same encoding with positions that count in a unit, a power of two; null if it takes integers only.
/// \param source of the spec, for errors
std::unique_ptr<Encoding> counting_in(const Rational& unit, const Encoding& encoding,
                                      const std::string& source);

/// The encoding with positions that count in 2^-k. \throws InputError naming the first fraction, for an
/// encoding that takes integers only
std::unique_ptr<Encoding> with_binary_places(const CaseInput& parts, std::unique_ptr<Encoding> encoding,
                                             int places);

/// The integers m of a tensor of positions. \throws InputError for those that are none or out of range
std::vector<std::int64_t> position_numbers(const NamedTensor& named, int places);

}  // namespace vernier
