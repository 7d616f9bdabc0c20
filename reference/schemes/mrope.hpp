#pragma once

#include <vector>

#include "reference/schemes/rope.hpp"
#include "reference/streamed_table.hpp"

namespace vernier {

/// M-RoPE's table of one component, one column a pair, for tokens whose streams have positions of their own:
/// time, height, width, and ggml's fourth. The tables of the encoding itself are those of tokens whose
/// positions are all equal. \pre spec.streams
StreamedTable mrope_table(const RopeSpec& spec, Component component);

/// In all the shapes that RoPE's tables have. \pre spec.streams
std::vector<StreamedTable> mrope_tables(const RopeSpec& spec);

}  // namespace vernier
