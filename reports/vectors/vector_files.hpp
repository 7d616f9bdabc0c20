#pragma once

#include <cstdint>
#include <filesystem>

#include "reports/vectors/selection.hpp"

namespace vernier {

/// \name What vectors are called in their folder
/// @{
inline constexpr const char* vectors_json = "vectors.json";
inline constexpr const char* vectors_data = "vectors.safetensors";
/// @}

/// How much was written.
struct VectorCounts {
  std::size_t groups = 0;
  std::size_t rows = 0;
  std::size_t elements = 0;
  std::uintmax_t bytes = 0;
};

/// Writes the vectors of a selection into a folder, which is made if it is not there: a safetensors file of
/// all numbers, and last the JSON document that says what they are, with the digest of the former. The bytes
/// depend on the selection and the version of Vernier alone.
/// \throws InputError if the folder or a file cannot be written
VectorCounts write_vectors(const VectorSelection& selection, const std::filesystem::path& folder);

}  // namespace vernier
