#pragma once

#include <optional>
#include <string>

#include "numerics/cases/quantization.hpp"

namespace vernier {

/// What --quantization says; nothing where it is not given. \throws InputError for what is no quantization
std::optional<Quantization> read_quantization_option(const std::string& json);

}  // namespace vernier
