#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>

#include "numerics/tensor.hpp"

namespace vernier {

/// Reads a tensor in NumPy's .npy format, versions 1 to 3 (NumPy Enhancement Proposal 1): C order,
/// little-endian, integers and floating-point numbers. Nothing in the file is trusted: memory is allocated
/// only for what the file's size can hold. \param size the number of bytes in `stream` \param source what to
/// call the file in errors \throws InputError for anything else: another order or type, no elements, too few
/// bytes or too many
Tensor read_npy(std::istream& stream, std::uintmax_t size, const std::string& source);
Tensor read_npy(const std::filesystem::path& file);

}  // namespace vernier
