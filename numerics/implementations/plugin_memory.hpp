#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/implementations/padded_rows.hpp"
#include "numerics/implementations/response.hpp"
#include "numerics/implementations/runner_protocol.hpp"
#include "numerics/implementations/watched_memory.hpp"

namespace vernier {

/// All that a plug-in is passed in one call: what it may read, and the output, which it shall write.
class PluginMemory {
 public:
  using Piece = plugin_protocol::Piece;

  /// Lends a copy of these bytes. \param contents stay as they are until they are placed anew
  /// \throws InputError if there is no memory
  void place(Piece piece, std::span<const std::byte> contents);
  /// Lends a copy of this tensor, laid out so, with poison for padding. \throws InputError if there is no
  /// memory
  void place_input(std::span<const std::byte> dense, const PaddedRows& rows, std::byte poison);
  /// Lends memory to be written, laid out so, each byte of this value. \throws InputError if there is no
  /// memory
  void place_output(PaddedRows rows, std::byte poison);
  /// The same, the elements those of a tensor that is to be overwritten.
  void place_in_place(std::span<const std::byte> dense, PaddedRows rows, std::byte poison);
  /// The elements of the output alone.
  void read_output(std::span<std::byte> dense) const;

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
  std::vector<std::byte> padded_input_;
  /// Of the output.
  PaddedRows rows_{ElementType::uint8, {0}, 0};
  std::byte poison_{};
  std::uint32_t new_pieces_ = 0;  ///< a bit for each piece
};

}  // namespace vernier
