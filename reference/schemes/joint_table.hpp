#pragma once

#include "reference/schemes/encoding.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// The tables of an encoding side by side, the first of each role: cosines and sines of RoPE in one, so that
/// one pass covers both. Its role names them: "cos and sin".
/// \pre the scheme has tables of sines and cosines
TrigTable joint_table(const Encoding& encoding);

}  // namespace vernier
