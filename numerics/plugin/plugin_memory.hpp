#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/live/response.hpp"
#include "numerics/plugin/runner_protocol.hpp"
#include "numerics/plugin/watched_memory.hpp"

namespace vernier {

/// All that a plug-in is passed in one call: what it may read, and the output, which it shall write.
class PluginMemory {
 public:
  using Piece = plugin_protocol::Piece;

  /// Lends a copy of these bytes. \param contents stay as they are until they are placed anew
  /// \throws InputError if there is no memory
  void place(Piece piece, std::span<const std::byte> contents);
  /// Lends so many bytes to be written, each of this value. \throws InputError if there is no memory
  void place_output(std::size_t bytes, std::byte poison);
  std::span<const std::byte> output() const { return piece(Piece::output).data(); }

  /// Says in the question where everything is. \returns the descriptors of the pieces that are new to the
  /// runner
  std::vector<int> describe(plugin_protocol::Question& question) const;
  /// The runner has got them.
  void set_known() { new_pieces_ = 0; }
  /// There is another runner, which knows none.
  void set_unknown();

  /// What was changed that is not the output, and puts it back. \param output what the output is called
  std::vector<SideEffect> take_effects(std::string_view output);

 private:
  WatchedMemory& piece(Piece which) { return memory_[static_cast<std::size_t>(which)]; }
  const WatchedMemory& piece(Piece which) const { return memory_[static_cast<std::size_t>(which)]; }
  void hold(Piece which, std::size_t bytes);

  std::array<WatchedMemory, plugin_protocol::pieces> memory_;
  std::array<std::span<const std::byte>, plugin_protocol::pieces> contents_;  ///< the output's is empty
  std::uint32_t new_pieces_ = 0;                                              ///< a bit for each piece
};

}  // namespace vernier
