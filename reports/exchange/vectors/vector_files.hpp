#pragma once

#include <cstdint>
#include <filesystem>

#include "reports/exchange/vectors/selection.hpp"

namespace vernier {

/// How much was written, but for the runners.
struct VectorCounts {
  std::size_t groups = 0;
  std::size_t rows = 0;
  std::size_t elements = 0;
  std::uintmax_t bytes = 0;
};

/// Writes the vectors of a selection into a folder, which is made if it is not there: the numbers,
/// vectors.safetensors; what they are, vectors.json, with the digest of the former; and the runners, small
/// programs that judge an implementation by both. The bytes depend on the selection and the version of
/// Vernier alone.
/// \throws InputError if the folder or a file cannot be written
VectorCounts write_vectors(const VectorSelection& selection, const std::filesystem::path& folder);

}  // namespace vernier
