#pragma once

#include <optional>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// The scaling of the spec, or null.
OrderedJson scaling_of(const Clues& clues);

std::optional<double> number_at(const OrderedJson& object, const char* key);

/// What the spec would be without its scaling; nothing if it has none, or that has other pairs.
std::optional<Computation> unscaled(const Clues& clues);

}  // namespace vernier
