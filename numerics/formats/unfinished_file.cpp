#include "numerics/formats/unfinished_file.hpp"

#include <cassert>
#include <cerrno>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr mode_t readable_and_writable = 0666;  // as far as the umask lets

/// \param error of the system, if it was not
void require_written(bool is_written, const fs::path& file, int error) {
  if (!is_written) {
    throw InputError("{}: cannot be written ({})", file.string(), std::generic_category().message(error));
  }
}

/// What the name stands for behind symbolic links, and whether that is to be written in place.
struct Resolved {
  fs::path name;
  bool in_place;
};

Resolved resolved(const fs::path& file, Irregular irregular) {
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0) {
    require_written(errno == ENOENT && !file.filename().empty(), file, errno);
    return {file, false};
  }
  if (!S_ISLNK(status.st_mode) && S_ISREG(status.st_mode)) {
    return {file, false};
  }
  if (stat(file.c_str(), &status) != 0) {
    require_written(errno == ENOENT, file, errno);
    throw InputError("{}: found a symbolic link to nothing, expected the name of a file to write",
                     file.string());
  }
  refuse_if(S_ISDIR(status.st_mode), "{}: found a directory, expected the name of a file to write",
            file.string());
  if (!S_ISREG(status.st_mode)) {
    refuse_if(irregular == Irregular::refuse,
              "{}: found a folder or device, expected the name of a file to write", file.string());
    return {file, true};
  }
  std::error_code error;
  auto target = fs::canonical(file, error);
  require_written(!error, file, error.value());
  return {std::move(target), false};
}

/// Beside the file, so that renaming stays within one file system.
fs::path random_name_beside(const fs::path& file) {
  std::random_device entropy;
  return file.parent_path() / fmt::format(".vernier-{:08x}{:08x}.part", entropy(), entropy());
}

}  // namespace

UnfinishedFile::UnfinishedFile(const fs::path& file, Irregular irregular) {
  const auto [name, in_place] = resolved(file, irregular);
  final_name_ = name;
  if (!in_place) {
    create_temporary();
    return;
  }
  descriptor_ = Descriptor(open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  require_written(descriptor_.is_open(), final_name_, errno);
}

void UnfinishedFile::create_temporary() {
  // Of 2^64 names two are hardly ever one; if so, another is drawn.
  do {
    temporary_name_ = random_name_beside(final_name_);
    noted_.emplace(*temporary_name_);
    descriptor_ = Descriptor(
        open(temporary_name_->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_and_writable));
    if (!descriptor_.is_open()) {
      noted_.reset();
    }
  } while (!descriptor_.is_open() && errno == EEXIST);
  if (!descriptor_.is_open()) {
    temporary_name_.reset();
    require_written(false, final_name_, errno);
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (temporary_name_) {
    std::error_code ignored;
    fs::remove(*temporary_name_, ignored);
  }
}

void UnfinishedFile::append(std::span<const std::byte> bytes) {
  assert(descriptor_.is_open());
  while (!bytes.empty()) {
    const auto written = write(descriptor_.value(), bytes.data(), bytes.size());
    require_written(written >= 0 || errno == EINTR, final_name_, errno);
    bytes = bytes.subspan(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
}

void UnfinishedFile::sync() {
  assert(descriptor_.is_open());
  const bool is_synced = fsync(descriptor_.value()) == 0;
  require_written(is_synced, final_name_, errno);
}

void UnfinishedFile::finish() {
  assert(descriptor_.is_open());
  // Some file systems tell only now that the bytes did not fit.
  const bool is_closed = close(descriptor_.release()) == 0;
  require_written(is_closed, final_name_, errno);
  if (!temporary_name_) {
    return;
  }
  std::error_code error;
  fs::rename(*temporary_name_, final_name_, error);
  require_written(!error, final_name_, error.value());
  temporary_name_.reset();
  noted_.reset();
}

}  // namespace vernier
