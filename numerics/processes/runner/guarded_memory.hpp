#pragma once

#include <cstddef>
#include <span>
#include <string_view>

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

/// A piece of guarded memory, for the note.
struct GuardedPiece {
  std::string_view name;                     ///< "the output"
  std::span<const std::byte> reserved = {};  ///< inaccessible pages on both sides included; empty: not mapped
  std::span<const std::byte> data = {};
};

/// Has a segmentation fault in a guard leave a line on standard error before the process dies of it: "touched
/// byte 4 after the end of the output". A plug-in may handle the signal itself; then there is none.
/// \param pieces stay where they are until the process ends; read whenever a fault comes
void note_faults(std::span<const GuardedPiece> pieces);

}  // namespace vernier::plugin_runner
