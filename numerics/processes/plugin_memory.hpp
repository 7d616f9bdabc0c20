#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/descriptor.hpp"
#include "numerics/processes/padded_rows.hpp"
#include "numerics/processes/response.hpp"
#include "numerics/processes/runner_protocol.hpp"

namespace vernier {

/// Vernier's side of one piece of the memory that a plug-in is lent: data at its end, and below and above
/// them bytes that nobody has any business to change.
class WatchedMemory {
 public:
  WatchedMemory() = default;
  WatchedMemory(const WatchedMemory&) = delete;
  WatchedMemory& operator=(const WatchedMemory&) = delete;
  ~WatchedMemory();

  /// Makes room for so many bytes of data, of any content, and surrounds them.
  /// \returns whether the descriptor is a new one, that the runner has not mapped
  /// \throws InputError if there is no memory
  bool hold(std::size_t bytes);

  std::span<std::byte> data() const {
    return mapped_.subspan(mapped_.size() - plugin_protocol::start_before_end(bytes_), bytes_);
  }
  /// What was changed around the data since they were surrounded: "4 bytes, 16 to 13 before its start".
  std::optional<std::string> changed_surroundings() const;

  int descriptor() const { return file_.value(); }
  /// In bytes, whole pages.
  std::size_t capacity() const { return mapped_.size(); }

 private:
  std::span<std::byte> below() const;
  std::span<std::byte> above() const {
    return mapped_.last(plugin_protocol::start_before_end(bytes_) - bytes_);
  }

  Descriptor file_;
  std::span<std::byte> mapped_;
  std::size_t bytes_ = 0;
};

/// What an output is filled with before a call. As elements of any floating-point type such bytes are NaN, or
/// far from anything that an encoding holds. Two calls in a row get different ones.
std::byte poison_for(std::uint64_t sequence);

/// The elements that still hold the poison. \param width of an element, in bytes
std::vector<std::size_t> poisoned_elements(std::span<const std::byte> bytes, std::size_t width,
                                           std::byte poison);

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
  void read_output(std::span<std::byte> dense) const { rows_.gather(piece(Piece::output).data(), dense); }

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
