#pragma once

#include <filesystem>
#include <string>

namespace vernier {

/// The bytes of a file of at most 64 MiB, as text. \throws InputError naming the file
std::string read_text(const std::filesystem::path& file);

}  // namespace vernier
