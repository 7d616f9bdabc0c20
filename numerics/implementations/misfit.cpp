#include "numerics/implementations/misfit.hpp"

#include <fmt/core.h>

namespace vernier {

std::optional<std::string> misfit_of(const Tensor& answer, const WantedTensor& wanted) {
  if (answer.type() != wanted.type) {
    return fmt::format("has {} of {}, expected {}", wanted.role, traits(answer.type()).name,
                       traits(wanted.type).name);
  }
  if (answer.shape() != wanted.shape) {
    return fmt::format("has {} of shape {}, expected {}", wanted.role, to_string(answer.shape()),
                       to_string(wanted.shape));
  }
  return std::nullopt;
}

}  // namespace vernier
