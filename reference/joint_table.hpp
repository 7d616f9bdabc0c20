#pragma once

#include "reference/encoding.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// The encoding's tables. \throws InputError if its scheme has none
std::vector<TrigTable> trig_tables(const Encoding& encoding);

/// The tables of an encoding side by side, the first of each role: cosines and sines of RoPE in one, so that
/// one pass covers both. Its role names them: "cos and sin". \throws InputError if the scheme has no such
/// table
TrigTable joint_table(const Encoding& encoding);

}  // namespace vernier
