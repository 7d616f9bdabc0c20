#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

class KeyVisitor;

/// M-RoPE (P. Wang et al., "Qwen2-VL", 2024): a token has several positions, by time, height and width, and
/// each pair turns by one of them. Frequencies are those of the pair in the whole head, whichever axis it
/// has. Where all positions of a token are equal, as in text, this is RoPE.
struct MropeAxes {
  enum class Order {
    sections,    ///< the first pairs by time, the next by height, the last by width (Qwen2-VL)
    interleaved  ///< pairs 1, 4, 7 ... by height, 2, 5, 8 ... by width, others by time (Qwen3-VL)
  };
  /// Who reads the sections. The first two differ in what becomes of the pairs behind the last one of their
  /// section when the order is interleaved: with sections 24, 20, 20, of pairs 61 and 62.
  enum class Reading {
    huggingface,  ///< they turn by time (transformers, modeling_qwen3_vl)
    ggml,         ///< they turn by a fourth position (ggml, ggml_mrope_cache_init of src/ggml-cpu/ops.cpp),
                  ///< which llama.cpp sets to zero in text: there this is not RoPE
    ernie,        ///< sections of height, width and time: pairs by height and width in turn, then those by
                  ///< time (transformers, modeling_ernie4_5_vl_moe, recomposition_to_3d)
    xdrope,       ///< four sections, by position in the text, width, height and time (vLLM, xdrope.py)
    openpangu     ///< each pair by the axis that is rarest so far for its section, never the last one's if
                  ///< another is left; the last by time (vLLM, mrope_interleaved.py)
  };
  static constexpr int sections = 3;

  std::vector<int> section;  ///< pairs of each axis, in the reading's order; they add up to those of the head
  Order order = Order::sections;
  Reading reading = Reading::huggingface;
  /// The axis of each pair, where it follows from neither order nor a simple reading.
  std::vector<int> pair_axes = {};

  /// "mrope_interleaved", "mrope_reading" and "mrope_section", or "pair_axes", if there is either.
  /// \param pairs of the head
  static void keys(KeyVisitor& visit, std::optional<MropeAxes>& axes, int pairs);
  std::string summary() const;

  /// How many positions a token has.
  int count() const;
  /// The axis whose position a pair turns by: 0 (time), 1 (height), 2 (width) or 3 (ggml's fourth); in xdrope
  /// 0 (text), 1 (width), 2 (height) or 3 (time).
  int axis(int pair) const;
  /// The positions of a token of text, count() of them.
  std::vector<std::int64_t> of_text(std::int64_t position) const;
  bool operator==(const MropeAxes&) const = default;
};

}  // namespace vernier
