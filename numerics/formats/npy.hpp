#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// Reads a tensor in NumPy's .npy format, versions 1 to 3 (NumPy Enhancement Proposal 1): little-endian
/// integers, floating-point numbers and complex ones, which get a last dimension of 2: real part, imaginary
/// part. Nothing in the file is trusted. The tensor's bytes are those of the file, and a copy of them in C
/// order where it has Fortran order. \param owner what keeps the file's bytes where they are; the tensor
/// shares it \param source what to call the file in errors \throws InputError for anything else: another byte
/// order or type, no elements, too few bytes or too many
Tensor parse_npy(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                 const std::string& source);
/// Reads a file of any size: it is mapped, not loaded (see MappedFile). \throws InputError as parse_npy, and
/// if there is no such file or it cannot be read
Tensor read_npy(const std::filesystem::path& file);

/// What precedes the data in a .npy file, version 1.0, of such a tensor: a multiple of 64 bytes. bfloat16,
/// which NumPy has no name for, goes as uint16. \param shape of at most 32 dimensions
std::string npy_preamble(ElementType type, const Shape& shape);

}  // namespace vernier
