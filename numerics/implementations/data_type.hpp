#pragma once

#include "numerics/formats/tensor.hpp"
#include "numerics/plugin/vernier_plugin.h"

namespace vernier {

/// An element type as C code is told of it.
VernierDataType data_type(ElementType type);

}  // namespace vernier
