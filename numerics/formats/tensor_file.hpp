#pragma once

#include <string>
#include <string_view>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// Reads a tensor from where a case or a command line says it is: FILE.npy; FILE.safetensors, of which the
/// tensor named as the role is taken, or its only one; or FILE.safetensors:NAME.
/// \throws InputError if there is no such file or tensor, or the file is not of its format
Tensor read_tensor_file(const std::string& place, std::string_view role);

/// The file of such a place.
std::string file_of_place(const std::string& place);

}  // namespace vernier
