#include "reference/tables/tensor_definition.hpp"

namespace vernier {

std::vector<TensorDefinition> with_gradients(std::vector<TensorDefinition> definitions) {
  const auto count = definitions.size();
  for (std::size_t i = 0; i < count; ++i) {
    // What keeps no pair together is no rotation, and its transpose is none of a head either.
    if (const auto* rotation = std::get_if<HeadRotation>(&definitions[i]);
        rotation && !rotation->pairs.empty()) {
      definitions.emplace_back(gradient_of(*rotation));
    }
  }
  return definitions;
}

}  // namespace vernier
