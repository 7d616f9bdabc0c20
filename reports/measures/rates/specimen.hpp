#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/measures/rates/design.hpp"
#include "reports/measures/rates/draw.hpp"
#include "reports/measures/rates/fault.hpp"

namespace vernier::rates {

/// Draws that have nothing in common: the n-th of a stream is the same however many there are.
Draw draw_of(std::uint64_t seed, std::uint64_t stream, int index);

/// The encoding and how it is computed, in one line.
std::string description_of(const Design& design);

/// A design with a fault that shows.
struct Faulty {
  Design design;
  Planted planted;
  /// Of the fault: see size_of(). Nothing of one that no answer about the whole context shows.
  std::optional<double> size;
};

/// The fault planted into the design; nothing if it cannot have it, or no answer would show it. \param honest
/// what sizes are measured from
std::optional<Faulty> plant_in(const Fault& fault, const Design& design, const Design& honest, Draw& draw);

/// The kind at a place of a sequence that comes back to each only after all others, and has those of one
/// group far apart. \param kinds how many there are
std::size_t kind_in_turn(int index, std::size_t kinds);

}  // namespace vernier::rates
