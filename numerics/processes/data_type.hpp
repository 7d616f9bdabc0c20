#pragma once

#include <optional>

#include "numerics/formats/tensor.hpp"
#include "numerics/plugin/vernier_plugin.h"

namespace vernier {

/// An element type as C code is told of it.
VernierDataType data_type(ElementType type);

/// The element type that C code tells of; nothing if it is none of ours.
std::optional<ElementType> element_type_of(const VernierDataType& type);

}  // namespace vernier
