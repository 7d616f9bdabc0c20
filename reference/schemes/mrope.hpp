#pragma once

#include <vector>

#include "reference/schemes/rope.hpp"
#include "reference/streamed_table.hpp"

namespace vernier {

/// M-RoPE's tables, in the order and shapes of `RopeEncoding::tables`, for tokens whose streams have
/// positions of their own: time, height, width, and ggml's fourth. The tables of the encoding itself are
/// those of tokens whose positions are all equal. \pre spec.streams
std::vector<StreamedTable> mrope_tables(const RopeSpec& spec);

}  // namespace vernier
