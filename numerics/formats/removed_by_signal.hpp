#pragma once

#include <cstddef>
#include <filesystem>

namespace vernier {

/// A temporary file, or a folder for some, that is to go if a signal ends the process while this object
/// lives.
class RemovedBySignal {
 public:
  explicit RemovedBySignal(const std::filesystem::path& path);
  RemovedBySignal(const RemovedBySignal&) = delete;
  RemovedBySignal& operator=(const RemovedBySignal&) = delete;
  ~RemovedBySignal();

 private:
  std::size_t place_;
};

/// Removes what is temporary of this process: files, then the folders that are empty by then.
/// Async-signal-safe: for a signal handler that ends the process.
void remove_temporary_files() noexcept;

}  // namespace vernier
