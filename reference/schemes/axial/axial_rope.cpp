#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/schemes/axial/axial_tensors.hpp"
#include "reference/schemes/axial/rotary_axes.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/learned_frequencies.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/rotary_keys.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

constexpr int row_axis = 0;
constexpr int column_axis = 1;

/// How a model shares the pairs of a head among the two axes of an image.
struct AxialReading {
  std::string_view name;
  RopeSpec::Layout layout;  ///< unless the spec says otherwise
  bool width_first;         ///< the first half of the pairs turns by the column, not by the row
  bool alternating;         ///< the axis of the first half has frequencies w_0, w_2, w_4 ... of the head, the
                            ///< other w_1, w_3 ...; else each has those of a head half as wide, from 1 on
  std::int64_t first_coordinate;  ///< of the first row and column
};

constexpr std::array<AxialReading, 3> readings{{
    {.name = "pixtral",
     .layout = RopeSpec::Layout::half,
     .width_first = false,
     .alternating = true,
     .first_coordinate = 0},
    {.name = "llama4_vision",
     .layout = RopeSpec::Layout::interleaved,
     .width_first = true,
     .alternating = false,
     .first_coordinate = 1},
    {.name = "ggml_vision",
     .layout = RopeSpec::Layout::half,
     .width_first = false,
     .alternating = false,
     .first_coordinate = 0},
}};

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

  void keys(KeyVisitor& visit) {
    visit.required("head_dim", head_dim, integer(4, largest_dimension));
    visit.require(head_dim % 4 == 0, "head_dim",
                  "a multiple of 4, as each of the two axes turns whole pairs");
    visit.defaulted("rope_theta", rope_theta, number(base_range()));
    auto which = static_cast<Choice>(reading == nullptr ? 0 : reading - readings.data());
    visit.defaulted("reading", which, one_of(names_of(readings)));
    visit.fallback(reading, &readings[static_cast<std::size_t>(which)]);
    visit.fallback(layout, reading->layout);
    visit_layout(visit, layout);
    visit.required("grid_width", grid_width, integer(1, largest_position));
    visit_operation(visit, operation);
  }

  std::string summary() const {
    return fmt::format("axial RoPE as in {}, head_dim {}, base {}, {} layout, grid width {}", reading->name,
                       head_dim, to_string(rope_theta), name_of(layout), grid_width) +
           summary_of(operation);
  }

  /// By row or column, and by which of the `frequencies`. \param pair in [0, head_dim/2)
  AxialTurn turn(int pair) const {
    const auto each = static_cast<int>(head_dim / 4);
    const int half = pair / each;
    const int index = pair % each;
    return {(half == 0) == reading->width_first ? column_axis : row_axis,
            reading->alternating ? 2 * index + half : index};
  }

  GeometricFrequencies frequencies() const {
    const auto d = static_cast<int>(head_dim);
    return reading->alternating ? GeometricFrequencies{rope_theta, Rational(2, d), d / 2}
                                : GeometricFrequencies{rope_theta, Rational(4, d), d / 4};
  }

  /// cos and sin by row and column, each with one column a pair and with one column a dimension; the
  /// rotation.
  std::vector<TensorDefinition> tensors() const {
    const auto coordinates = [width = grid_width, first = reading->first_coordinate](std::int64_t position) {
      refuse_if(position < 0, "found the position {}, expected row * grid_width + column, from 0", position);
      return std::vector{position / width + first, position % width + first};
    };
    AxialTurns turns{frequencies(), {}, {2, coordinates}};
    for (int pair = 0; pair < head_dim / 2; ++pair) {
      turns.of_pairs.push_back(turn(pair));
    }
    return axial_tensors({.head_dim = head_dim, .layout = layout, .operation = operation}, turns)
        .definitions();
  }
};

constexpr std::array<std::string_view, 1> mixed_arrangement_names{"mixed"};

/// Rotary encoding by learned frequencies: pair i of each head turns by the sum over the axes a of
/// p_a w_(a,head,i). RoPE-Mixed (Heo et al. 2024, "Rotary Position Embedding for Vision Transformer"; timm,
/// RotaryEmbeddingMixed) and Mochi (genmo, dit/joint_model/rope_mixed.py). One axis is a sequence whose heads
/// have frequencies of their own (FoPE). The heads of a token lie one behind the other.
struct RotaryMixSpec {
  static constexpr std::string_view scheme = "axial_rope";

  LearnedFrequencies frequencies;  ///< a row an axis, head_dim/2 numbers of every head
  RopeSpec::Layout layout = RopeSpec::Layout::interleaved;  ///< of each head
  std::vector<RealPositions> positions;                     ///< one an axis, all of one unit
  std::vector<std::int64_t> grid;                           ///< lengths of all axes but the first; or empty
  RotationOperation operation = RotationOperation::forward;

  void keys(KeyVisitor& visit) {
    Choice arrangement{};
    visit.defaulted("arrangement", arrangement, one_of(mixed_arrangement_names));
    frequencies.keys(visit, true);
    const auto axes = frequencies.axes();
    auto width = head_dim();
    visit.required("head_dim", width, integer(2, largest_dimension));
    visit.require(width == head_dim(), "head_dim",
                  fmt::format("{}, two dimensions for each of the frequencies of a head", head_dim()));
    visit_layout(visit, layout);
    visit_mixed_positions(visit, positions, axes);
    visit_grid(visit, grid, axes);
    visit_operation(visit, operation);
  }

  std::string summary() const {
    return fmt::format("axial RoPE, head_dim {}, {}, mixed, {} layout{}{}", head_dim(), frequencies.summary(),
                       name_of(layout), summary_of_mixed(positions),
                       grid.empty() ? "" : fmt::format(", grid {}", fmt::join(grid, " x "))) +
           summary_of(operation);
  }

  /// cos and sin by several positions, each with one column a pair and with one column a dimension, and the
  /// rotation: of all heads side by side.
  std::vector<TensorDefinition> tensors() const {
    const int pairs = frequencies.pairs();
    AxialTurns turns{frequencies.joined(positions),
                     {},
                     positions_along_axes(frequencies.axes(), grid, positions.front().map.unit())};
    for (int pair = 0; pair < pairs; ++pair) {
      turns.of_pairs.push_back({all_axes, pair});
    }
    turns.axes.maps = mapped(positions, [&](const RealPositions& of_axis) { return of_axis.map; });
    const std::vector<int> pairs_of_heads(layout == RopeSpec::Layout::half ? frequencies.heads : 0,
                                          static_cast<int>(head_dim() / 2));
    return axial_tensors({.head_dim = 2 * std::int64_t{pairs},
                          .layout = layout,
                          .operation = operation,
                          .positions = positions.front()},
                         turns, pairs_of_heads)
        .definitions();
  }

  const PositionMap& positions_along(std::size_t axis) const { return positions[axis].map; }
  std::int64_t head_dim() const {
    return std::int64_t{2} * frequencies.pairs() / static_cast<std::int64_t>(frequencies.heads);
  }
};

}  // namespace

std::vector<Scheme> axial_rope_schemes() {
  return {scheme_of<AxialRopeSpec>(
      {form_of<RotaryMixSpec>("frequencies"), form_of<RotaryAxesSpec>("axes"), form_of<AxialRopeSpec>()})};
}

}  // namespace vernier
