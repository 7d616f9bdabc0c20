#include "reference/schemes/axial/axial_rope.hpp"

#include <memory>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/axial/rotary_axes.hpp"
#include "reference/schemes/axial/rotary_mix.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/rotary_layout.hpp"
#include "reference/schemes/rotary_operation.hpp"
#include "reference/schemes/schemes.hpp"

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

}  // namespace

std::span<const AxialReading> axial_readings() {
  return readings;
}

void AxialRopeSpec::keys(KeyVisitor& visit) {
  visit.required({"head_dim", "the width of a head", "dimensions"}, head_dim, integer(4, largest_dimension));
  visit.require(head_dim % 4 == 0, "head_dim", "a multiple of 4, as each of the two axes turns whole pairs");
  visit.defaulted({"rope_theta", "the base of the frequencies"}, rope_theta, number(base_range()));
  auto which = static_cast<Choice>(reading == nullptr ? 0 : reading - readings.data());
  visit.defaulted({"reading",
                   "whose code shares pairs among row and column: height by the frequencies 0, 2, 4 "
                   "... and width by 1, 3, 5 ...; width, then height, counted from 1, each with "
                   "frequencies of its own; height, then width, likewise"},
                  which, one_of(names_of(readings)));
  visit.fallback(reading, &readings[static_cast<std::size_t>(which)]);
  visit.fallback(layout, reading->layout);
  visit_layout(visit, layout);
  visit.required(
      {"grid_width", "how many patches a row of the grid has: a position is row * grid_width + column",
       "positions"},
      grid_width, integer(1, largest_position));
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
  return axial_tensors({.head_dim = head_dim, .layout = layout, .operation = operation}, turns);
}

std::string AxialRopeSpec::summary() const {
  return fmt::format("axial RoPE as in {}, head_dim {}, base {}, {} layout, grid width {}", reading->name,
                     head_dim, to_string(rope_theta), name_of(layout), grid_width) +
         summary_of(operation);
}

Scheme axial_rope_scheme() {
  return {
      "axial_rope",
      "rotation of the pairs of a head by several positions, each pair by one: row and column of a patch, or "
      "axes that the spec lists (2-D and 3-D RoPE)",
      {R"({"scheme":"axial_rope","head_dim":32,"grid_width":16,"reading":"pixtral"})",
       R"({"scheme":"axial_rope","head_dim":32,"axes":[{"dims":8},{"dims":12},{"dims":8,"rope_theta":256}],"identity_front":2,"grid":[6,10]})",
       R"({"scheme":"axial_rope","head_dim":16,"rope_theta":100,"layout":"half","frequency_scale":"2pi","axes":[{"dims":8,"position_scale":"2/7"},{"dims":8,"position_scale":"2/5"}]})",
       R"({"scheme":"axial_rope","head_dim":2,"arrangement":"mixed","frequencies":[[[0.5],[-0.25]],[[2],["1/3"]]],"grid":[4],"position_offset":"1/2"})"},
      {form_of<RotaryMixSpec>("frequencies"), form_of<RotaryAxesSpec>("axes"), form_of<AxialRopeSpec>()}};
}

}  // namespace vernier
