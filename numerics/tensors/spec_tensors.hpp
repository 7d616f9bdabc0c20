#pragma once

#include <filesystem>
#include <string>

#include "reference/json/json.hpp"

namespace vernier {

/// A spec in which a key may name a tensor, "table.npy" or "model.safetensors:NAME", in place of its numbers:
/// with the numbers, as lists nested as the tensor's dimensions are. \param folder that the names of files
/// are relative to \param source what to call the spec in errors \throws InputError for a file that holds no
/// such tensor, for numbers that are not finite, and for more of them than a spec may have
JsonValue with_tensors_read(JsonValue spec, const std::filesystem::path& folder, const std::string& source);

}  // namespace vernier
