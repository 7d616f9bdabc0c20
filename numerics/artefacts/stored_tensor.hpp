#pragma once

#include <optional>
#include <string>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// A tensor as a file lists it.
struct StoredTensor {
  std::string name;
  std::string type = {};  ///< in the file's own words: "Q4_K", "FLOAT", "torch.FloatStorage"
  Shape shape = {};       ///< the last index fastest, whatever order the file writes it in
  /// Its elements, where they lie in the file. Nothing where the type is none of ElementType, where the
  /// tensor has no elements, and where they cannot be had.
  std::optional<Tensor> tensor = std::nullopt;
  std::string obstacle = {};  ///< why elements that there are cannot be had: "it is packed ..."; else empty
};

}  // namespace vernier
