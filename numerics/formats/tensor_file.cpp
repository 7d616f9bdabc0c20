#include "numerics/formats/tensor_file.hpp"

#include "numerics/formats/npy.hpp"
#include "numerics/formats/safetensors.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

constexpr std::string_view safetensors_ending = ".safetensors";

/// The tensor of a file that names none.
Tensor read_unnamed(const std::string& file, std::string_view role) {
  const auto tensors = read_safetensors(file);
  const auto names = tensors.names();
  return tensors.tensor(names.size() == 1 ? std::string_view(names.front()) : role);
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

}  // namespace vernier
