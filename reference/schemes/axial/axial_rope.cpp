#include "reference/schemes/axial/axial_rope.hpp"

#include <memory>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/schemes/axial/rotary_axes.hpp"
#include "reference/schemes/axial/rotary_mix.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/rotary_layout.hpp"
#include "reference/schemes/rotary_operation.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Layout = RopeSpec::Layout;

constexpr int row_axis = 0;
constexpr int column_axis = 1;

constexpr std::array<AxialReading, 3> readings{{
    {.name = "pixtral",
     .layout = Layout::half,
     .width_first = false,
     .alternating = true,
     .first_coordinate = 0},
    {.name = "llama4_vision",
     .layout = Layout::interleaved,
     .width_first = true,
     .alternating = false,
     .first_coordinate = 1},
    {.name = "ggml_vision",
     .layout = Layout::half,
     .width_first = false,
     .alternating = false,
     .first_coordinate = 0},
}};

std::unique_ptr<Encoding> parse_axial_rope(ObjectReader& reader) {
  if (reader.has("frequencies")) {
    return parse_rotary_mix(reader);
  }
  if (reader.has("axes")) {
    return parse_rotary_axes(reader);
  }
  AxialRopeSpec spec;
  spec.head_dim = reader.integer("head_dim", 4, largest_dimension);
  if (spec.head_dim % 4 != 0) {
    reader.refuse("head_dim", "a multiple of 4, as each of the two axes turns whole pairs");
  }
  spec.rope_theta = read_base(reader, "rope_theta").value_or(spec.rope_theta);
  spec.reading =
      &readings[reader.choice("reading", {readings[0].name, readings[1].name, readings[2].name}, 0)];
  spec.layout = read_layout(reader, spec.reading->layout);
  spec.grid_width = reader.integer("grid_width", 1, largest_position);
  spec.operation = read_operation(reader);
  return std::make_unique<AxialRopeEncoding>(std::move(spec));
}

}  // namespace

std::span<const AxialReading> axial_readings() {
  return readings;
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

std::vector<TensorDefinition> AxialRopeEncoding::define_tensors() const {
  AxialTurns turns{spec_.frequencies(), {}, {2, [spec = spec_](std::int64_t position) {
                                               const auto place = spec.coordinates(position);
                                               return std::vector<std::int64_t>(place.begin(), place.end());
                                             }}};
  for (int pair = 0; pair < spec_.head_dim / 2; ++pair) {
    turns.of_pairs.push_back(spec_.turn(pair));
  }
  return axial_tensors({.head_dim = spec_.head_dim, .layout = spec_.layout, .operation = spec_.operation},
                       turns);
}

std::string AxialRopeEncoding::summary() const {
  return fmt::format("axial RoPE as in {}, head_dim {}, base {}, {} layout, grid width {}",
                     spec_.reading->name, spec_.head_dim, to_string(spec_.rope_theta), name_of(spec_.layout),
                     spec_.grid_width) +
         summary_of(spec_.operation);
}

OrderedJson AxialRopeEncoding::spec() const {
  OrderedJson result{{"scheme", "axial_rope"},
                     {"head_dim", spec_.head_dim},
                     {"rope_theta", json_number(spec_.rope_theta)},
                     {"reading", spec_.reading->name},
                     {"layout", name_of(spec_.layout)},
                     {"grid_width", spec_.grid_width}};
  write_operation(result, spec_.operation);
  return result;
}

Scheme axial_rope_scheme() {
  return {
      "axial_rope",
      "rotation of the pairs of a head by several positions, each pair by one: row and column of a patch, or "
      "axes that the spec lists (2-D and 3-D RoPE)",
      parse_axial_rope,
      {R"({"scheme":"axial_rope","head_dim":32,"grid_width":16,"reading":"pixtral"})",
       R"({"scheme":"axial_rope","head_dim":32,"axes":[{"dims":8},{"dims":12},{"dims":8,"rope_theta":256}],"identity_front":2,"grid":[6,10]})",
       R"({"scheme":"axial_rope","head_dim":16,"rope_theta":100,"layout":"half","frequency_scale":"2pi","axes":[{"dims":8,"position_scale":"2/7"},{"dims":8,"position_scale":"2/5"}]})",
       R"({"scheme":"axial_rope","head_dim":2,"arrangement":"mixed","frequencies":[[[0.5],[-0.25]],[[2],["1/3"]]],"grid":[4],"position_offset":"1/2"})"}};
}

}  // namespace vernier
