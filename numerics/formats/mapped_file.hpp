#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace vernier {

struct WatchedMapping;

/// The bytes of a regular file as they lie on disk, mapped read-only: pages are read when they are looked at
/// and take no memory of the process's own. The file must stay as it is meanwhile. Looking at a page that is
/// no longer there because the file shrank ends the process with exit code 2 and a sentence on standard error
/// that names the file: the first mapping installs a handler of SIGBUS that leaves every other SIGBUS to
/// whoever handled it before.
class MappedFile {
 public:
  /// \throws InputError if there is no such regular file or it cannot be read
  explicit MappedFile(const std::filesystem::path& file);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// As many as the file had when it was mapped; an empty file has none.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  WatchedMapping* watched_ = nullptr;  ///< null for an empty file, of which nothing is mapped
};

/// Checks that no file which is mapped now has changed since: what was read of it might be neither the old
/// bytes nor the new ones, and where a file shrinks within its last page the rest reads as zeros without a
/// signal. To be called after everything was read, before anything is concluded. \throws InputError naming
/// the file
void require_unchanged_files();

}  // namespace vernier
