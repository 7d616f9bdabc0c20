#include "reference/schemes/axial/axial_rope.hpp"

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
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

constexpr int row_axis = 0;
constexpr int column_axis = 1;

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

constexpr std::array<std::string_view, 1> mixed_arrangement_names{"mixed"};

void RotaryMixSpec::keys(KeyVisitor& visit) {
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

std::vector<TensorDefinition> RotaryMixSpec::tensors() const {
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

std::string RotaryMixSpec::summary() const {
  return fmt::format("axial RoPE, head_dim {}, {}, mixed, {} layout{}{}", head_dim(), frequencies.summary(),
                     name_of(layout), summary_of_mixed(positions),
                     grid.empty() ? "" : fmt::format(", grid {}", fmt::join(grid, " x "))) +
         summary_of(operation);
}

}  // namespace

void AxialRopeSpec::keys(KeyVisitor& visit) {
  visit.required("head_dim", head_dim, integer(4, largest_dimension));
  visit.require(head_dim % 4 == 0, "head_dim", "a multiple of 4, as each of the two axes turns whole pairs");
  visit.defaulted("rope_theta", rope_theta, number(base_range()));
  auto which = static_cast<Choice>(reading == nullptr ? 0 : reading - readings.data());
  visit.defaulted("reading", which, one_of(names_of(readings)));
  visit.fallback(reading, &readings[static_cast<std::size_t>(which)]);
  visit.fallback(layout, reading->layout);
  visit_layout(visit, layout);
  visit.required("grid_width", grid_width, integer(1, largest_position));
  visit_operation(visit, operation);
}

AxialTurn AxialRopeSpec::turn(int pair) const {
  const auto each = static_cast<int>(head_dim / 4);
  const int half = pair / each;
  const int index = pair % each;
  return {(half == 0) == reading->width_first ? column_axis : row_axis,
          reading->alternating ? 2 * index + half : index};
}

GeometricFrequencies AxialRopeSpec::frequencies() const {
  const auto d = static_cast<int>(head_dim);
  return reading->alternating ? GeometricFrequencies{rope_theta, Rational(2, d), d / 2}
                              : GeometricFrequencies{rope_theta, Rational(4, d), d / 4};
}

std::array<std::int64_t, 2> AxialRopeSpec::coordinates(std::int64_t position) const {
  if (position < 0) {
    throw InputError(std::string("found the position ") + std::to_string(position) +
                     ", expected row * grid_width + column, from 0");
  }
  return {position / grid_width + reading->first_coordinate,
          position % grid_width + reading->first_coordinate};
}

std::vector<TensorDefinition> AxialRopeSpec::tensors() const {
  AxialTurns turns{frequencies(), {}, {2, [spec = *this](std::int64_t position) {
                                         const auto place = spec.coordinates(position);
                                         return std::vector<std::int64_t>(place.begin(), place.end());
                                       }}};
  for (int pair = 0; pair < head_dim / 2; ++pair) {
    turns.of_pairs.push_back(turn(pair));
  }
  return axial_tensors({.head_dim = head_dim, .layout = layout, .operation = operation}, turns).definitions();
}

std::string AxialRopeSpec::summary() const {
  return fmt::format("axial RoPE as in {}, head_dim {}, base {}, {} layout, grid width {}", reading->name,
                     head_dim, to_string(rope_theta), name_of(layout), grid_width) +
         summary_of(operation);
}

std::vector<Scheme> axial_rope_schemes() {
  return {scheme_of<AxialRopeSpec>(
      {form_of<RotaryMixSpec>("frequencies"), form_of<RotaryAxesSpec>("axes"), form_of<AxialRopeSpec>()})};
}

}  // namespace vernier
