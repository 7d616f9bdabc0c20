#pragma once

#include <array>
#include <optional>

#include "reference/json.hpp"

namespace vernier {

/// M-RoPE (P. Wang et al., "Qwen2-VL", 2024): a token has three positions, by time, height and width, and
/// each pair turns by one of them. Frequencies are those of the pair in the whole head, whichever stream it
/// has. A token of text has three equal positions, which makes this RoPE.
struct PositionStreams {
  enum class Order {
    sections,    ///< the first pairs by time, the next by height, the last by width (Qwen2-VL)
    interleaved  ///< pairs 1, 4, 7 ... by height, 2, 5, 8 ... by width, the rest by time (Qwen3-VL)
  };
  static constexpr int count = 3;

  std::array<int, count> section;  ///< pairs of time, height and width; they add up to the pairs of the head
  Order order = Order::sections;

  /// "mrope_section" and "mrope_interleaved", if the first is there. \param pairs of the head
  static std::optional<PositionStreams> read(ObjectReader& reader, int pairs);
  void write(OrderedJson& to) const;
  std::string summary() const;
  /// The stream, 0 (time), 1 (height) or 2 (width), that a pair turns by.
  int stream(int pair) const;
  bool operator==(const PositionStreams&) const = default;
};

}  // namespace vernier
