#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "numerics/formats/descriptor.hpp"

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

  std::span<std::byte> data() const;
  /// What was changed around the data since they were surrounded: "4 bytes, 16 to 13 before its start".
  std::optional<std::string> changed_surroundings() const;

  int descriptor() const { return file_.value(); }
  /// In bytes, whole pages.
  std::size_t capacity() const { return mapped_.size(); }

 private:
  std::span<std::byte> below() const;
  std::span<std::byte> above() const;

  Descriptor file_;
  std::span<std::byte> mapped_;
  std::size_t bytes_ = 0;
};

}  // namespace vernier
