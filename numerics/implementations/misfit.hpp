#pragma once

#include <optional>
#include <string>

#include "numerics/implementations/request.hpp"

namespace vernier {

/// Why a tensor is no answer to what is wanted, as a clause after "the response"; nothing if it may be one.
std::optional<std::string> misfit_of(const Tensor& answer, const WantedTensor& wanted);

}  // namespace vernier
