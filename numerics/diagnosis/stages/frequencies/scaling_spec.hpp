#pragma once

#include <optional>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// The scaling of the spec, or null.
OrderedJson scaling_of(const Clues& clues);

std::optional<double> number_at(const OrderedJson& object, const char* key);

/// What the spec would be without its scaling; nothing if it has none, or that has other pairs.
std::optional<Computation> unscaled(const Clues& clues);

/// Appends what the spec so patched gives: with the amplitude that goes with it, and with the declared one.
void propose_rescaled(const Clues& clues, const FaultKind& kind, const std::string& sentence, double bits,
                      const OrderedJson& patch, Proposals& out);

}  // namespace vernier
