#include "numerics/formats/tensor_file.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <memory>
#include <system_error>
#include <vector>

#include <fmt/core.h>

#include "numerics/formats/mapped_file.hpp"
#include "numerics/formats/npy.hpp"
#include "numerics/formats/npz.hpp"
#include "numerics/formats/safetensors.hpp"
#include "reference/json/json.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// Files of several tensors.
constexpr std::array<std::string_view, 2> archive_endings{".safetensors", ".npz"};

/// The name of the tensor that a place means, of those in its file.
std::string name_meant(const std::optional<std::string>& name, const std::vector<std::string>& names,
                       std::string_view role) {
  return name ? *name : names.size() == 1 ? names.front() : std::string(role);
}

Tensor read_npz(const std::string& file, const std::optional<std::string>& wanted, std::string_view role) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  const ZipArchive archive(mapped->bytes(), file);
  const auto names = npz_names(archive);
  const auto name = name_meant(wanted, names, role);
  if (std::ranges::find(names, name) == names.end()) {
    refuse_tensor_name(file, names, name);
  }
  const auto tensor = npz_array(archive, name, mapped, file);
  refuse_if(!tensor, "{}: {}: found that {}, expected an array that numpy.savez wrote", file, in_quotes(name),
            npz_obstacle);
  return *tensor;
}

namespace fs = std::filesystem;

/// \return .npy or .safetensors
std::string extension_of(const fs::path& file) {
  auto extension = file.extension().string();
  refuse_if(extension != ".npy" && extension != ".safetensors", "{}: found {}, expected .npy or .safetensors",
            file.string(), extension.empty() ? "no extension" : fmt::format("the extension {}", extension));
  return extension;
}

std::string preamble_of(const fs::path& file, ElementType type, const Shape& shape,
                        const std::string& tensor_name, const std::map<std::string, std::string>& metadata) {
  const auto extension = extension_of(file);
  refuse_if(std::ranges::find(shape, std::size_t{0}) != shape.end(),
            "{}: found the shape {}, expected at least one element", file.string(), to_string(shape));
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
  refuse_if(error.value() != 0, "{}: cannot be written ({})", file.string(), error.message());
  refuse_if(!size || *size > space.available, "{}: found {} bytes free in {}, expected {} for the tensor",
            file.string(), space.available, folder.string(),
            size ? std::to_string(*size) : std::string("more than any disk holds"));
  return file;
}

std::optional<std::uintmax_t> sum(std::uintmax_t a, std::optional<std::uintmax_t> b) {
  return b && *b <= std::numeric_limits<std::uintmax_t>::max() - a ? std::optional(a + *b) : std::nullopt;
}

}  // namespace

std::string file_of_place(const std::string& place) {
  for (const auto ending : archive_endings) {
    if (const auto split = place.find(fmt::format("{}:", ending)); split != std::string::npos) {
      return place.substr(0, split + ending.size());
    }
  }
  return place;
}

bool names_archive(const std::string& place) {
  const auto file = file_of_place(place);
  return std::ranges::any_of(archive_endings, [&](auto ending) { return file.ends_with(ending); });
}

Tensor read_tensor_file(const std::string& place, std::string_view role) {
  const auto file = file_of_place(place);
  if (!names_archive(place)) {
    return read_npy(place);
  }
  const auto name = file == place ? std::nullopt : std::optional(place.substr(file.size() + 1));
  refuse_if(name && name->empty(), "{}: found no name after the colon, expected that of a tensor in the file",
            place);
  if (file.ends_with(".npz")) {
    return read_npz(file, name, role);
  }
  const auto tensors = read_safetensors(file);
  return tensors.tensor(name_meant(name, tensors.names(), role));
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
