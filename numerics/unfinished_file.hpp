#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace vernier {

/// A file being written under a hidden temporary name beside its final one, which it takes when it is whole.
/// Until then it is gone as soon as this object is. A file that already has the final name is replaced; a
/// symbolic link to a file stays and what it points to is replaced.
class UnfinishedFile {
 public:
  /// \param file the final name \throws InputError if it cannot be written or names something that is no
  /// regular file
  explicit UnfinishedFile(const std::filesystem::path& file);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

  /// Adds bytes at the end. \pre not finished \throws InputError if they cannot all be written
  void append(std::span<const std::byte> bytes);
  /// Gives the file its final name. \pre not finished \throws InputError if that cannot be done
  void finish();

 private:
  std::filesystem::path final_name_;
  std::filesystem::path temporary_name_;
  int descriptor_ = -1;
  bool finished_ = false;
};

}  // namespace vernier
