#include "reference/tensor_definition.hpp"

namespace vernier {

std::vector<TensorDefinition> with_gradients(std::vector<TensorDefinition> definitions) {
  const auto count = definitions.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto* rotation = std::get_if<HeadRotation>(&definitions[i])) {
      definitions.emplace_back(gradient_of(*rotation));
    }
  }
  return definitions;
}

}  // namespace vernier
