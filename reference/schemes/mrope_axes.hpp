#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/json.hpp"

namespace vernier {

/// M-RoPE (P. Wang et al., "Qwen2-VL", 2024): a token has several positions, by time, height and width, and
/// each pair turns by one of them. Frequencies are those of the pair in the whole head, whichever axis it
/// has. Where all positions of a token are equal, as in text, this is RoPE.
struct MropeAxes {
  enum class Order {
    sections,    ///< the first pairs by time, the next by height, the last by width (Qwen2-VL)
    interleaved  ///< pairs 1, 4, 7 ... by height, 2, 5, 8 ... by width, others by time (Qwen3-VL)
  };
  /// What becomes of the pairs behind the last one of their section when the order is interleaved: with
  /// sections 24, 20, 20, of pairs 61 and 62.
  enum class Reading {
    huggingface,  ///< they turn by time (transformers, modeling_qwen3_vl)
    ggml          ///< they turn by a fourth position (ggml, ggml_mrope_cache_init of src/ggml-cpu/ops.cpp),
                  ///< which llama.cpp sets to zero in text: there this is not RoPE
  };
  static constexpr int sections = 3;

  std::array<int, sections> section;  ///< pairs of time, height and width; they add up to those of the head
  Order order = Order::sections;
  Reading reading = Reading::huggingface;

  /// "mrope_section", "mrope_interleaved" and "mrope_reading", if the first is there. \param pairs of the
  /// head
  static std::optional<MropeAxes> read(ObjectReader& reader, int pairs);
  void write(OrderedJson& to) const;
  std::string summary() const;

  /// How many positions a token has.
  int count() const { return reading == Reading::ggml ? sections + 1 : sections; }
  /// The axis whose position a pair turns by: 0 (time), 1 (height), 2 (width) or 3 (ggml's fourth).
  int axis(int pair) const;
  /// The positions of a token of text, count() of them.
  std::vector<std::int64_t> of_text(std::int64_t position) const;
  bool operator==(const MropeAxes&) const = default;
};

}  // namespace vernier
