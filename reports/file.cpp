#include "reports/file.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "reference/input_error.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

bool write_all(const fs::path& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  return static_cast<bool>(stream);
}

/// Beside the file, so that renaming stays within one file system.
fs::path temporary_name(const fs::path& file) {
  auto name = fs::path(".");
  name += file.filename();
  name += ".";
  name += std::to_string(getpid());
  name += ".part";
  return file.parent_path() / name;
}

void replace(const fs::path& file, std::string_view bytes) {
  const auto temporary = temporary_name(file);
  std::error_code error;
  if (write_all(temporary, bytes)) {
    fs::rename(temporary, file, error);
    if (!error) {
      return;
    }
  }
  fs::remove(temporary, error);
  throw InputError(file.string() + ": cannot be written");
}

}  // namespace

void write_file(const std::string& name, std::string_view bytes, std::ostream& out) {
  if (name == standard_output) {
    out << bytes << std::flush;
    if (!out) {
      throw InputError("standard output: cannot be written");
    }
    return;
  }
  std::error_code error;
  // Through symbolic links, which stay.
  const fs::path file = fs::is_symlink(name, error) ? fs::weakly_canonical(name, error) : fs::path(name);
  const auto status = fs::status(file, error);
  const bool in_place = fs::exists(status) && !fs::is_regular_file(status);
  if (file.filename().empty() || fs::is_directory(status)) {
    throw InputError(name + ": found a directory, expected the name of a file to write");
  }
  if (!in_place) {
    replace(file, bytes);
  } else if (!write_all(file, bytes)) {
    throw InputError(name + ": cannot be written");
  }
}

}  // namespace vernier
