#pragma once

#include "reference/json.hpp"
#include "reports/rates/design.hpp"
#include "reports/rates/faults/names.hpp"

namespace vernier::rates {

/// Draws a fault that hangs on the question, as a condition on coordinates of one kind: how many rows and in
/// which order it asks for, of which heads and batches, and after what. Vectors of which it holds have
/// another position. Defines the text "kernel". \param kind "size", "kind", "history", "element"
bool edit_conversation(const OrderedJson& kind, FaultNames& names, Design& design);

}  // namespace vernier::rates
