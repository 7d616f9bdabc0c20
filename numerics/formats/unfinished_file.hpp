#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

#include "numerics/formats/descriptor.hpp"
#include "numerics/formats/removed_by_signal.hpp"

namespace vernier {

/// What to do about a name that stands for something else than a file: a terminal, a pipe, a device.
enum class Irregular { refuse, write_in_place };

/// A file being written under a temporary name beside its final one, which it takes when it is whole: every
/// file that Vernier writes is one. The temporary name is random and its file made anew, so that neither
/// another process nor what somebody planted there is written to. Until it is finished it is gone as soon as
/// this object is, or as a signal ends the process (see RemovedBySignal). A file that already has
/// the final name is replaced; a symbolic link to a file stays and what it points to is replaced.
class UnfinishedFile {
 public:
  /// \param file the final name \throws InputError if it cannot be written, is a directory or a symbolic link
  /// to nothing, or `irregular` refuses it
  explicit UnfinishedFile(const std::filesystem::path& file, Irregular irregular = Irregular::refuse);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();

  /// Adds bytes at the end. \pre not finished \throws InputError if they cannot all be written
  void append(std::span<const std::byte> bytes);
  /// Has all that was appended on the disk: a machine that fails after `finish` has the old file or the whole
  /// new one. \pre not finished \throws InputError if that cannot be done
  void sync();
  /// Gives the file its final name. \pre not finished \throws InputError if that cannot be done
  void finish();

 private:
  void create_temporary();

  std::filesystem::path final_name_;
  std::optional<std::filesystem::path> temporary_name_;  ///< none where it is written in place, or finished
  std::optional<RemovedBySignal> noted_;                 ///< likewise
  Descriptor descriptor_;
};

}  // namespace vernier
