#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/schemes/axial/axial_tensors.hpp"

namespace vernier {

/// How a model shares the pairs of a head among the two axes of an image.
struct AxialReading {
  std::string_view name;
  RopeSpec::Layout layout;  ///< unless the spec says otherwise
  bool width_first;         ///< the first half of the pairs turns by the column, not by the row
  bool alternating;         ///< the axis of the first half has frequencies w_0, w_2, w_4 ... of the head, the
                            ///< other w_1, w_3 ...; else each has those of a head half as wide, from 1 on
  std::int64_t first_coordinate;  ///< of the first row and column
};

/// Rotary encoding of the patches of an image (2-D RoPE): half of the pairs turn by the row, half by the
/// column. A patch has one position, row * grid_width + column, from 0.
///
/// Readings, by where they come from: "pixtral" (Hugging Face, modeling_pixtral; Mistral's own code has the
/// interleaved layout), "llama4_vision" (Hugging Face, modeling_llama4; the class token, which is behind the
/// patches and does not turn, is no position here), "ggml_vision" (ggml's GGML_ROPE_TYPE_VISION, as Qwen2-VL
/// uses it: the frequencies restart in each section).
struct AxialRopeSpec {
  static constexpr std::string_view scheme = "axial_rope";

  std::int64_t head_dim = 4;
  Rational rope_theta = 10000;
  const AxialReading* reading = nullptr;  ///< a row of the table of readings; the first where none is said
  RopeSpec::Layout layout = RopeSpec::Layout::half;
  std::int64_t grid_width = 1;  ///< patches in a row of the grid that positions count in
  RotationOperation operation = RotationOperation::forward;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  /// cos and sin by `coordinates`, each with one column a pair and with one column a dimension; the rotation.
  std::vector<TensorDefinition> tensors() const;
  /// By which of the `coordinates`, and of the `frequencies`. \param pair in [0, head_dim/2)
  AxialTurn turn(int pair) const;
  GeometricFrequencies frequencies() const;
  /// What row and column of a position are taken for. \throws InputError for a negative position
  std::array<std::int64_t, 2> coordinates(std::int64_t position) const;
};

using AxialRopeEncoding = EncodingOf<AxialRopeSpec>;

}  // namespace vernier
