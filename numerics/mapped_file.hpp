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

}  // namespace vernier
