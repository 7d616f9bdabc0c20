#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/case.hpp"
#include "reference/schemes/rope.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// What the tables of a case show of the choices that implementations make differently: layout, order and
/// sense of the components, amplitude, first position, base, the format of the frequencies. Found from the
/// tensors alone, as far as they tell; what they do not tell is left out.
std::vector<Convention> table_conventions(const Case& subject);

/// The same from vectors before and after a rotation: layout, dimensions that rotate, direction and what else
/// tones tell. \param input, rotated [.., positions, head_dim]; the first head is looked at
std::vector<Convention> rotation_conventions(const RopeSpec& declared,
                                             std::span<const std::int64_t> positions, const Tensor& input,
                                             const Tensor& rotated);

}  // namespace vernier
