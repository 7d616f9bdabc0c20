#include "numerics/formats/tensor_file.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <system_error>

#include <fmt/core.h>

#include "numerics/formats/npy.hpp"
#include "numerics/formats/safetensors.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

constexpr std::string_view safetensors_ending = ".safetensors";

/// The tensor of a file that names none.
Tensor read_unnamed(const std::string& file, std::string_view role) {
  const auto tensors = read_safetensors(file);
  const auto names = tensors.names();
  return tensors.tensor(names.size() == 1 ? std::string_view(names.front()) : role);
}

namespace fs = std::filesystem;

/// \return .npy or .safetensors
std::string extension_of(const fs::path& file) {
  auto extension = file.extension().string();
  if (extension != ".npy" && extension != ".safetensors") {
    throw InputError("{}: found {}, expected .npy or .safetensors", file.string(),
                     extension.empty() ? "no extension" : fmt::format("the extension {}", extension));
  }
  return extension;
}

std::string preamble_of(const fs::path& file, ElementType type, const Shape& shape,
                        const std::string& tensor_name, const std::map<std::string, std::string>& metadata) {
  const auto extension = extension_of(file);
  if (std::ranges::find(shape, std::size_t{0}) != shape.end()) {
    throw InputError("{}: found the shape {}, expected at least one element", file.string(),
                     to_string(shape));
  }
  if (extension == ".npy") {
    return npy_preamble(type, shape);
  }
  // A size beyond 64 bits is refused for want of room before the preamble is written.
  const SafetensorsEntry entry{tensor_name, type, shape};
  return safetensors_preamble(std::span(&entry, 1), metadata);
}

/// The file if its file system has room for that many bytes; nothing says more than 64 bits count.
fs::path with_room(const fs::path& file, std::optional<std::uintmax_t> size) {
  std::error_code error;
  // Where a symbolic link points to, there the bytes go.
  const auto folder = fs::weakly_canonical(fs::absolute(file, error), error).parent_path();
  const auto space = error ? fs::space_info{} : fs::space(folder, error);
  if (error) {
    throw InputError("{}: cannot be written ({})", file.string(), error.message());
  }
  if (!size || *size > space.available) {
    throw InputError("{}: found {} bytes free in {}, expected {} for the tensor", file.string(),
                     space.available, folder.string(),
                     size ? std::to_string(*size) : std::string("more than any disk holds"));
  }
  return file;
}

std::optional<std::uintmax_t> sum(std::uintmax_t a, std::optional<std::uintmax_t> b) {
  return b && *b <= std::numeric_limits<std::uintmax_t>::max() - a ? std::optional(a + *b) : std::nullopt;
}

}  // namespace

std::string file_of_place(const std::string& place) {
  const auto split = place.find(std::string(safetensors_ending) + ":");
  return split == std::string::npos ? place : place.substr(0, split + safetensors_ending.size());
}

Tensor read_tensor_file(const std::string& place, std::string_view role) {
  if (place.ends_with(safetensors_ending)) {
    return read_unnamed(place, role);
  }
  const auto file = file_of_place(place);
  if (file == place) {
    return read_npy(place);
  }
  const auto name = place.substr(file.size() + 1);
  if (name.empty()) {
    throw InputError("{}: found no name after the colon, expected that of a tensor in the file", place);
  }
  return read_safetensors(file).tensor(name);
}

TensorWriter::TensorWriter(const fs::path& file, ElementType type, const Shape& shape,
                           const std::string& tensor_name, const std::map<std::string, std::string>& metadata)
    : TensorWriter(file, preamble_of(file, type, shape, tensor_name, metadata), size_in_bytes(type, shape)) {}

TensorWriter::TensorWriter(const fs::path& file, const std::string& preamble,
                           std::optional<std::uintmax_t> size)
    : left_(size.value_or(0)), file_(with_room(file, sum(preamble.size(), size))) {
  file_.append(std::as_bytes(std::span(preamble)));
}

void TensorWriter::append(std::span<const std::byte> bytes) {
  assert(bytes.size() <= left_);
  file_.append(bytes);
  left_ -= bytes.size();
}

void TensorWriter::finish() {
  assert(left_ == 0);
  file_.finish();
}

}  // namespace vernier
