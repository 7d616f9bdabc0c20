#include "numerics/unfinished_file.hpp"

#include <cassert>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "reference/input_error.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr mode_t readable_and_writable = 0666;  // as far as the umask lets

[[noreturn]] void refuse(const fs::path& file, int error) {
  throw InputError(file.string() + ": cannot be written (" + std::generic_category().message(error) + ")");
}

/// What the name stands for behind symbolic links.
fs::path resolved(const fs::path& file) {
  std::error_code error;
  auto target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
  const auto status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(file.string() +
                     ": found something that is no regular file, expected the name of a file to write");
  }
  return target;
}

/// Beside the file, so that renaming stays within one file system.
fs::path temporary_name(const fs::path& file) {
  const auto name = std::string(".") + file.filename().string() + "." + std::to_string(getpid()) + ".part";
  return file.parent_path() / name;
}

}  // namespace

UnfinishedFile::UnfinishedFile(const fs::path& file)
    : final_name_(resolved(file)),
      temporary_name_(temporary_name(final_name_)),
      descriptor_(open(temporary_name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                       readable_and_writable)) {
  if (descriptor_ < 0) {
    refuse(final_name_, errno);
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
  if (!finished_) {
    std::error_code ignored;
    fs::remove(temporary_name_, ignored);
  }
}

void UnfinishedFile::append(std::span<const std::byte> bytes) {
  assert(descriptor_ >= 0);
  while (!bytes.empty()) {
    const auto written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      refuse(final_name_, errno);
    }
    bytes = bytes.subspan(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
}

void UnfinishedFile::finish() {
  assert(descriptor_ >= 0);
  // Some file systems tell only now that the bytes did not fit.
  if (close(std::exchange(descriptor_, -1)) != 0) {
    refuse(final_name_, errno);
  }
  std::error_code error;
  fs::rename(temporary_name_, final_name_, error);
  if (error) {
    refuse(final_name_, error.value());
  }
  finished_ = true;
}

}  // namespace vernier
