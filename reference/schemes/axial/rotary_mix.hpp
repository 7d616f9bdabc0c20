#pragma once

#include <cstdint>
#include <vector>

#include "reference/schemes/learned_frequencies.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {

/// Rotary encoding by learned frequencies: pair i of each head turns by the sum over the axes a of
/// p_a w_(a,head,i). RoPE-Mixed (Heo et al. 2024, "Rotary Position Embedding for Vision Transformer"; timm,
/// RotaryEmbeddingMixed) and Mochi (genmo, dit/joint_model/rope_mixed.py). The heads of a token lie one
/// behind the other.
struct RotaryMixSpec {
  static constexpr std::string_view scheme = "axial_rope";

  LearnedFrequencies frequencies;  ///< a row an axis, head_dim/2 numbers of every head
  RopeSpec::Layout layout = RopeSpec::Layout::interleaved;  ///< of each head
  std::vector<RealPositions> positions;                     ///< one an axis, all of one unit
  std::vector<std::int64_t> grid;                           ///< lengths of all axes but the first; or empty
  RotationOperation operation = RotationOperation::forward;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  /// cos and sin by several positions, each with one column a pair and with one column a dimension, and the
  /// rotation: of all heads side by side.
  std::vector<TensorDefinition> tensors() const;
  const PositionMap& positions_along(std::size_t axis) const { return positions[axis].map; }
  std::int64_t head_dim() const {
    return std::int64_t{2} * frequencies.pairs() / static_cast<std::int64_t>(frequencies.heads);
  }
};

}  // namespace vernier
