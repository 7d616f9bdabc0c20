#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"

// The positions that an implementation of an encoding is asked for.

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

/// The positions that there are to be asked for: those given, else from the encoding's first to
/// last_probed_position(), the relative ones of both signs. Where the encoding counts in a fraction, so does
/// the result, and the fractions after each position are among them; unless those given are further apart, or
/// tokens have several, whose positions beside each other are drawn. \throws InputError for given ones beyond
/// the length that the encoding's frequencies belong to
PositionRange asked_range(const Encoding& encoding, const std::optional<PositionRange>& given);

/// The last position of an encoding that is asked for: that of the sequence whose length its frequencies
/// depend on, or of the context that its spec states, else 131071; in what its positions count in.
std::int64_t last_probed_position(const Encoding& encoding);
/// The first one, likewise.
std::int64_t first_probed_position(const Encoding& encoding);
/// Whether the spec says how far positions go.
bool declares_context(const Encoding& encoding);

/// Positions up to the greatest magnitude of a range at which phases are hard to reduce, and in turns with
/// them those at which elements are hard to round, of both signs, as those of p and -p are equally hard; the
/// hardest first.
std::vector<std::int64_t> hard_positions(const Encoding& encoding, const PositionRange& range,
                                         ElementType type);

}  // namespace vernier
