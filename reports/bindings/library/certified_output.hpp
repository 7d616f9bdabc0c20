#pragma once

#include <cstdint>
#include <string>

#include "numerics/plugin/vernier_plugin.h"
#include "reports/bindings/library/call_options.hpp"

namespace vernier {

/// The positions that a tensor holds, [T]. \param name what to call it in errors \throws InputError
std::vector<std::int64_t> read_positions(const VernierTensor* positions, const std::string& name);

/// Fills a tensor with the certified one of this role at these positions. \param queries see TensorWish
/// \throws InputError where the encoding has none of its shape, or its type cannot hold the elements
void write_certified(const ChosenEncoding& chosen, const std::string& role, std::size_t queries,
                     const std::vector<std::int64_t>& positions, const VernierTensor* out);

}  // namespace vernier
