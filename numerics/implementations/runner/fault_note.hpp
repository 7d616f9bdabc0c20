#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace vernier::plugin_runner {

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
