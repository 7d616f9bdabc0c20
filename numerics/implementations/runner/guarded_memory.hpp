#pragma once

#include <cstddef>
#include <span>

namespace vernier::plugin_runner {

/// One piece of the memory that is shared with Vernier, between inaccessible pages.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() = default;  // mapped until the process ends

  /// Maps what the descriptor names in place of what was mapped. \param capacity in bytes, whole pages
  /// \returns false if the kernel refuses
  bool map(int descriptor, std::size_t capacity);
  /// Opens the end of the piece that holds so many bytes of data, and no more. \returns where they start, or
  /// null if the kernel refuses
  void* open(std::size_t bytes);
  /// What is mapped, inaccessible pages on both sides included.
  std::span<const std::byte> reserved() const { return {reserved_, reserved_bytes_}; }

 private:
  std::byte* reserved_ = nullptr;
  std::size_t reserved_bytes_ = 0;
  std::byte* end_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t open_ = 0;
};

}  // namespace vernier::plugin_runner
