#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "numerics/formats/tensor.hpp"
#include "numerics/formats/unfinished_file.hpp"

namespace vernier {

/// Reads a tensor from where a case or a command line says it is: FILE.npy; FILE.safetensors or FILE.npz, of
/// which the tensor named as the role is taken, or its only one; FILE.safetensors:NAME or FILE.npz:NAME.
/// \throws InputError if there is no such file or tensor, or the file is not of its format
Tensor read_tensor_file(const std::string& place, std::string_view role);

/// The file of such a place.
std::string file_of_place(const std::string& place);
/// Whether the file of such a place may have several tensors.
bool names_archive(const std::string& place);

/// Writes a dense tensor to a file piece by piece, so that it need not fit in memory. The extension of the
/// file's name says the format: .npy (version 1.0; bfloat16, which NumPy has no name for, as the uint16 of
/// its bits) or .safetensors. The file has its name only once it is whole: see UnfinishedFile.
class TensorWriter {
 public:
  /// \param tensor_name, metadata what a .safetensors file says besides type and shape; .npy has no place for
  /// them
  /// \throws InputError if the extension is another one, the tensor has no elements, the disk has no room for
  /// it, or the file cannot be written
  TensorWriter(const std::filesystem::path& file, ElementType type, const Shape& shape,
               const std::string& tensor_name, const std::map<std::string, std::string>& metadata);

  /// The next elements, the last index fastest. \param bytes little-endian; no more in all than the shape
  /// says \throws InputError if they cannot be written
  void append(std::span<const std::byte> bytes);
  /// Gives the file its name. \pre as many bytes were appended as the shape says \throws InputError if that
  /// cannot be done
  void finish();

 private:
  TensorWriter(const std::filesystem::path& file, const std::string& preamble,
               std::optional<std::uintmax_t> size);

  std::uintmax_t left_;  ///< bytes of the tensor still to come
  UnfinishedFile file_;
};

}  // namespace vernier
