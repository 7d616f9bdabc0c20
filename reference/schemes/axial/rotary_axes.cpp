#include "reference/schemes/axial/rotary_axes.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/input_error.hpp"
#include "reference/schemes/axial/axial_tensors.hpp"
#include "reference/schemes/axial/token_grid.hpp"
#include "reference/schemes/frequency_bounds.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/rotary_operation.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> arrangement_names{"blocks", "alternating", "mixed"};
constexpr std::array<std::string_view, 3> turn_layout_names{"half", "interleaved", "half_per_axis"};
constexpr std::size_t most_axes_of_turns = 8;
constexpr std::string_view front_key = "identity_front";
constexpr std::string_view back_key = "identity_back";

std::string_view name_of(RotaryAxesSpec::Arrangement arrangement) {
  return arrangement_names[static_cast<std::size_t>(arrangement)];
}

std::string_view name_of(RotaryAxesSpec::Layout layout) {
  return turn_layout_names[static_cast<std::size_t>(layout)];
}

RopeScaling read_scaling(ObjectReader& reader, const RotaryAxis& axis) {
  auto scaling = reader.optional_object("rope_scaling");
  if (!scaling) {
    return Unscaled{};
  }
  const auto type = scaling->string("rope_type");
  if (!is_rope_scaling(type)) {
    scaling->refuse("rope_type", "one of " + rope_scaling_names());
  }
  const auto width = static_cast<int>(axis.dims);
  auto result = read_rope_scaling(type, *scaling,
                                  {.rope_theta = axis.rope_theta, .head_dim = width, .rotary_dim = width});
  if (!amplitude(result).is_one()) {
    scaling->refuse("rope_type",
                    "a scaling that leaves cosines and sines as they are, as all axes share one amplitude");
  }
  scaling->finish();
  return result;
}

/// What replaces a base and its scaling. \throws InputError for a base beside it
std::optional<BoundedFrequencies> read_axis_bounds(ObjectReader& reader, int pairs) {
  const auto rule = reader.choice("frequency", {"paper", geometric_name, linear_name}, 0);
  if (rule == 0) {
    refuse_bounds(reader);
    return std::nullopt;
  }
  for (const auto* key : {"rope_theta", "rope_scaling"}) {
    if (reader.has(key)) {
      reader.refuse(key, "none, as frequencies lie between \"first\" and \"last\"");
    }
  }
  return read_bounds(reader,
                     rule == 1 ? BoundedFrequencies::Spacing::geometric : BoundedFrequencies::Spacing::linear,
                     pairs);
}

/// \param of_all what the spec says of all axes
RotaryAxis read_axis(ObjectReader& reader, const Rational& rope_theta, const RealPositions& of_all) {
  RotaryAxis axis;
  axis.dims = reader.integer("dims", 2, largest_dimension);
  if (axis.dims % 2 != 0) {
    reader.refuse("dims", "an even number, as an axis turns whole pairs");
  }
  axis.rope_theta = read_base(reader, "rope_theta").value_or(rope_theta);
  axis.scaling = read_scaling(reader, axis);
  axis.bounds = read_axis_bounds(reader, axis.pairs());
  axis.positions = RealPositions::read_axis(reader, of_all);
  reader.finish();
  return axis;
}

std::vector<RotaryAxis> read_axes(ObjectReader& reader) {
  const auto rope_theta = read_base(reader, "rope_theta").value_or(RotaryAxis{}.rope_theta);
  const auto positions = RealPositions::read(reader);
  if (positions.map.unit() > 1) {
    reader.refuse(position_unit_key, "a power of two up to 1 where there are axes");
  }
  std::vector<RotaryAxis> axes;
  for (auto& of_axis : reader.objects("axes", "2 to 8 axes, each an object with the key \"dims\"")) {
    axes.push_back(read_axis(of_axis, rope_theta, positions));
  }
  if (axes.size() < 2 || axes.size() > most_axes_of_turns) {
    reader.refuse("axes", fmt::format("2 to {} axes; there {} {}", most_axes_of_turns,
                                      axes.size() == 1 ? "is" : "are", axes.size()));
  }
  return axes;
}

/// Dimensions that are turned by nothing.
std::int64_t read_identity(ObjectReader& reader, std::string_view key) {
  const auto dims = reader.optional_integer(key, 0, largest_dimension).value_or(0);
  if (dims % 2 != 0) {
    reader.refuse(key, "an even number, as dimensions rotate in pairs");
  }
  return dims;
}

bool have_one_map(const std::vector<RotaryAxis>& axes) {
  return std::ranges::all_of(
      axes, [&](const RotaryAxis& axis) { return axis.positions == axes.front().positions; });
}

void require_fit(const ObjectReader& reader, const RotaryAxesSpec& spec) {
  if (spec.rotary_dim() > spec.head_dim) {
    reader.refuse("axes", fmt::format("axes that add up to at most the {} dimensions of the head, not {}",
                                      spec.head_dim, spec.rotary_dim()));
  }
  const bool are_equal = std::ranges::all_of(
      spec.axes, [&](const RotaryAxis& axis) { return axis.dims == spec.axes.front().dims; });
  if (spec.arrangement == RotaryAxesSpec::Arrangement::alternating && !are_equal) {
    reader.refuse("arrangement", "\"blocks\", or axes that all have the same dims to alternate among");
  }
  for (const auto& [key, layout] :
       {std::pair("layout", spec.layout), std::pair("table_layout", spec.table_layout)}) {
    if (spec.arrangement == RotaryAxesSpec::Arrangement::alternating &&
        layout == RotaryAxesSpec::Layout::half_per_axis) {
      reader.refuse(key, "\"half\" or \"interleaved\", as axes that alternate have no block of their own");
    }
  }
  if (spec.layout != spec.table_layout && spec.operation != RotationOperation::forward) {
    reader.refuse("operation", "\"forward\", as what table_layout makes is no rotation");
  }
}

/// The first pair of an axis among the frequencies of all, which stand one axis behind the other.
std::vector<int> first_frequencies(const std::vector<RotaryAxis>& axes) {
  std::vector<int> result{0};
  for (const auto& axis : axes) {
    result.push_back(result.back() + axis.pairs());
  }
  return result;
}

std::vector<AxialTurn> turns_of_pairs(const RotaryAxesSpec& spec) {
  const auto first = first_frequencies(spec.axes);
  const auto axes = static_cast<int>(spec.axes.size());
  const AxialTurn by_nothing{0, first.back()};
  std::vector<AxialTurn> result(static_cast<std::size_t>(spec.identity_front / 2), by_nothing);
  for (int pair = 0; pair < first.back(); ++pair) {
    const int axis = spec.arrangement == RotaryAxesSpec::Arrangement::alternating
                         ? pair % axes
                         : static_cast<int>(std::ranges::upper_bound(first, pair) - first.begin()) - 1;
    const int frequency = spec.arrangement == RotaryAxesSpec::Arrangement::alternating
                              ? first[static_cast<std::size_t>(axis)] + pair / axes
                              : pair;
    result.push_back({axis, frequency});
  }
  result.insert(result.end(), static_cast<std::size_t>(spec.identity_back / 2), by_nothing);
  return result;
}

Frequencies frequencies_of(const RotaryAxesSpec& spec) {
  JoinedFrequencies result;
  for (const auto& axis : spec.axes) {
    const GeometricFrequencies own{axis.rope_theta, Rational(2, axis.dims), axis.pairs()};
    result.parts.push_back(axis.positions.of(axis.bounds ? Frequencies::Family(*axis.bounds)
                                                         : ScaledFrequencies{own, axis.scaling}));
  }
  if (spec.identity_front + spec.identity_back > 0) {
    result.parts.emplace_back(ListedFrequencies{{0}});
  }
  return result;
}

/// The pairs of each block of the head.
std::vector<int> pairs_of_blocks(const RotaryAxesSpec& spec) {
  std::vector<int> result{static_cast<int>(spec.identity_front / 2)};
  std::ranges::transform(spec.axes, std::back_inserter(result), &RotaryAxis::pairs);
  result.push_back(static_cast<int>(spec.identity_back / 2));
  return result;
}

}  // namespace

int RotaryAxesSpec::rotary_dim() const {
  return std::accumulate(axes.begin(), axes.end(), static_cast<int>(identity_front + identity_back),
                         [](int sum, const RotaryAxis& axis) { return sum + static_cast<int>(axis.dims); });
}

std::unique_ptr<Encoding> parse_rotary_axes(ObjectReader& reader) {
  RotaryAxesSpec spec;
  spec.head_dim = reader.integer("head_dim", 4, largest_dimension);
  if (spec.head_dim % 2 != 0) {
    reader.refuse("head_dim", "an even number, as dimensions rotate in pairs");
  }
  spec.axes = read_axes(reader);
  const auto arrangement =
      reader.choice("arrangement", {arrangement_names[0], arrangement_names[1], arrangement_names[2]}, 0);
  if (arrangement == 2) {
    reader.refuse("frequencies", "those of each axis, as the arrangement is \"mixed\"");
  }
  spec.arrangement = static_cast<RotaryAxesSpec::Arrangement>(arrangement);
  spec.identity_front = read_identity(reader, front_key);
  spec.identity_back = read_identity(reader, back_key);
  spec.layout = static_cast<RotaryAxesSpec::Layout>(
      reader.choice("layout", {turn_layout_names[0], turn_layout_names[1], turn_layout_names[2]},
                    static_cast<std::size_t>(spec.layout)));
  spec.table_layout = static_cast<RotaryAxesSpec::Layout>(
      reader.choice("table_layout", {turn_layout_names[0], turn_layout_names[1], turn_layout_names[2]},
                    static_cast<std::size_t>(spec.layout)));
  spec.operation = read_operation(reader);
  require_fit(reader, spec);
  spec.grid = read_grid(reader, spec.axes.size());
  return std::make_unique<RotaryAxesEncoding>(std::move(spec));
}

std::vector<TensorDefinition> RotaryAxesEncoding::define_tensors() const {
  auto result = tensors_in(spec_.table_layout);
  if (spec_.layout != spec_.table_layout) {
    auto& by_columns = std::get<HeadRotation>(result.back());
    auto by_pairs = std::get<HeadRotation>(tensors_in(spec_.layout).back());
    for (auto& dimension : by_pairs.rotated) {
      dimension.pair = std::ranges::find(by_columns.rotated, dimension.out, &RotatedDimension::out)->pair;
    }
    by_columns.rotated = std::move(by_pairs.rotated);
    by_columns.pairs.clear();  // none turns by one phase
  }
  return result;
}

std::vector<TensorDefinition> RotaryAxesEncoding::tensors_in(RotaryAxesSpec::Layout layout) const {
  const RopeSpec shape{.head_dim = spec_.head_dim,
                       .layout = layout == RotaryAxesSpec::Layout::interleaved ? RopeSpec::Layout::interleaved
                                                                               : RopeSpec::Layout::half,
                       .partial_rotary_factor = Rational(spec_.rotary_dim(), spec_.head_dim),
                       .positions = spec_.axes.front().positions};
  auto axes = positions_along_axes(spec_.axes.size(), spec_.grid, positions().unit());
  // There is no table of one position: tokens that have only one have it on every axis.
  for (const auto& axis : spec_.axes) {
    axes.maps.push_back(axis.positions.map);
  }
  auto result = axial_tensors(shape, {frequencies_of(spec_), turns_of_pairs(spec_), std::move(axes)});
  if (layout == RotaryAxesSpec::Layout::half_per_axis) {
    lie_in_blocks(result, pairs_of_blocks(spec_));
  }
  return result;
}

std::string RotaryAxesEncoding::summary() const {
  std::vector<std::string> axes;
  for (const auto& axis : spec_.axes) {
    const bool is_scaled = !std::holds_alternative<Unscaled>(axis.scaling);
    axes.push_back(fmt::format("{} of ", axis.dims) +
                   (axis.bounds ? "frequencies " + summary_of(*axis.bounds)
                                : fmt::format("base {}{}{}", to_string(axis.rope_theta), is_scaled ? " " : "",
                                              is_scaled ? vernier::summary(axis.scaling) : "")) +
                   (have_one_map(spec_.axes) ? "" : axis.positions.summary()));
  }
  std::string still;
  for (const auto& [dims, where] :
       {std::pair(spec_.identity_front, "front"), std::pair(spec_.identity_back, "back")}) {
    still += dims == 0 ? "" : fmt::format(", {} dimensions of identity in {}", dims, where);
  }
  return fmt::format("axial RoPE, head_dim {}, axes {} in {}{}, {} layout{}", spec_.head_dim,
                     fmt::join(axes, ", "),
                     spec_.arrangement == RotaryAxesSpec::Arrangement::blocks ? "blocks" : "turns", still,
                     name_of(spec_.layout),
                     spec_.grid.empty() ? "" : fmt::format(", grid {}", fmt::join(spec_.grid, " x "))) +
         (have_one_map(spec_.axes) ? spec_.axes.front().positions.summary() : "") +
         (spec_.layout == spec_.table_layout
              ? ""
              : fmt::format(", columns of cos and sin {}", name_of(spec_.table_layout))) +
         summary_of(spec_.operation);
}

OrderedJson RotaryAxesEncoding::spec() const {
  OrderedJson axes = OrderedJson::array();
  for (const auto& axis : spec_.axes) {
    auto& one = axes.emplace_back(OrderedJson{{"dims", axis.dims}});
    if (!have_one_map(spec_.axes)) {
      axis.positions.write(one);
      one.erase(std::string(position_unit_key));
    }
    if (axis.bounds) {
      one["frequency"] =
          axis.bounds->spacing == BoundedFrequencies::Spacing::linear ? linear_name : geometric_name;
      write_bounds(*axis.bounds, one);
      continue;
    }
    one["rope_theta"] = json_number(axis.rope_theta);
    if (!std::holds_alternative<Unscaled>(axis.scaling)) {
      one["rope_scaling"] = to_json(axis.scaling);
    }
  }
  OrderedJson result{{"scheme", "axial_rope"},
                     {"head_dim", spec_.head_dim},
                     {"axes", axes},
                     {"arrangement", name_of(spec_.arrangement)},
                     {"layout", name_of(spec_.layout)}};
  if (spec_.layout != spec_.table_layout) {
    result["table_layout"] = name_of(spec_.table_layout);
  }
  for (const auto& [key, dims] :
       {std::pair(front_key, spec_.identity_front), std::pair(back_key, spec_.identity_back)}) {
    if (dims > 0) {
      result[std::string(key)] = dims;
    }
  }
  if (!spec_.grid.empty()) {
    result["grid"] = spec_.grid;
  }
  write_operation(result, spec_.operation);
  if (have_one_map(spec_.axes)) {
    spec_.axes.front().positions.write(result);
  } else if (positions().unit() != 1) {
    result[position_unit_key] = exact_json_number(positions().unit());
  }
  return result;
}

}  // namespace vernier
