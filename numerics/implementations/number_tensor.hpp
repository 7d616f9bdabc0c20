#pragma once

#include <span>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// A floating-point tensor of values that belong to its type.
Tensor number_tensor(ElementType type, Shape shape, std::span<const double> values);

}  // namespace vernier
