#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reference/numbers/format.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Two positions whose rows, correctly rounded, are the same bit for bit.
struct Collision {
  std::int64_t earlier = 0;
  std::int64_t later = 0;

  friend bool operator==(const Collision&, const Collision&) = default;
};

/// The first position in [0, positions) whose row equals that of an earlier one, and that earlier one; or
/// nothing: then all rows are distinct. Exhaustive, and proved: rows come from the certified table, and the
/// offsets that are passed over cannot collide (colliding_offsets).
/// \param table without a zero position \param positions <= 2^31
std::optional<Collision> first_collision(const TrigTable& table, Format format, std::int64_t positions);

// The two ways, either of which finds the same: they are here for the tests.

/// By comparing the rows at these offsets, one offset after another. \param offsets all at which rows can be
/// equal, ascending
std::optional<Collision> first_collision_at_offsets(const TrigTable& table, Format format,
                                                    std::int64_t positions,
                                                    std::span<const std::int64_t> offsets);

/// By sorting the rows' 64-bit fingerprints and confirming each match by the rows' bits: 16 bytes a position,
/// whatever the rows' width.
std::optional<Collision> first_collision_by_fingerprints(const TrigTable& table, Format format,
                                                         std::int64_t positions);

}  // namespace vernier
