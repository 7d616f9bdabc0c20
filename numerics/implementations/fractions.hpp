#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "numerics/formats/tensor.hpp"
#include "reference/encoding.hpp"
#include "reference/position_range.hpp"

namespace vernier {

/// The encoding as whoever takes real positions is asked for it: its positions count in a fraction 2^-k, so
/// fine that there are some 2^14 of them, at least halves, and as far as the type holds each. So a range of
/// [0, 1000) is asked in sixteenths, and [-1, 1) in parts of 2^-12, which neither bfloat16 nor float16 holds.
/// A `position_unit` of the spec is kept.
///
/// Null where only integers are asked for: the scheme takes no others, its frequencies belong to a length, or
/// its padding to an integer.
/// \param type of the positions, a floating-point type \param given the positions to be asked for; nothing:
/// all \param source of the spec, for errors
std::unique_ptr<Encoding> in_fractions(const Encoding& encoding, ElementType type,
                                       const std::optional<PositionRange>& given, const std::string& source);

/// How many of what an encoding's positions count in make up 1; 1 too where a unit is more than that.
std::int64_t numbers_of_one(const Encoding& encoding);

}  // namespace vernier
