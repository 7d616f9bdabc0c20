#include "reference/schemes/axial/rotary_axes.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/schemes/rotary_keys.hpp"
#include "reference/schemes/sinusoid_keys.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> arrangement_names{"blocks", "alternating", "mixed"};
constexpr std::array<std::string_view, 3> axes_rotary_layout_names{"half", "interleaved", "half_per_axis"};
constexpr std::size_t most_axes = 8;
constexpr std::int64_t longest_pool = 64;

std::string_view axes_layout_name(RotaryAxesSpec::Layout layout) {
  return axes_rotary_layout_names[static_cast<std::size_t>(layout)];
}

const std::array<std::string_view, 3> axis_frequency_names{"paper", geometric_name, linear_name};

bool have_one_map(const std::vector<RotaryAxis>& axes) {
  return std::ranges::all_of(
      axes, [&](const RotaryAxis& axis) { return axis.positions == axes.front().positions; });
}

void visit_identity(KeyVisitor& visit, std::string_view key, std::int64_t& dims) {
  visit.optional(key, dims, integer(0, largest_dimension));
  visit.require(dims % 2 == 0, key, "an even number, as dimensions rotate in pairs");
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

void RotaryAxis::keys(KeyVisitor& visit, const Rational& theta_of_all, const RealPositions& positions_of_all,
                      bool is_pooled) {
  using Spacing = BoundedFrequencies::Spacing;
  visit.required("dims", dims, integer(2, largest_dimension));
  visit.require(dims % 2 == 0, "dims", "an even number, as an axis turns whole pairs");
  visit.fallback(rope_theta, theta_of_all);
  if (visit.fills() || !bounds) {
    visit.defaulted("rope_theta", rope_theta, number(base_range()));
  }
  if (is_pooled) {
    for (const auto* key : {"rope_scaling", "frequency"}) {
      visit.forbidden(key, "none, because blocks average cosines of the frequencies of a base");
    }
    positions.keys_of_axis(visit, positions_of_all);
    return;
  }
  visit.object(
      "rope_scaling", !bounds && !std::holds_alternative<Unscaled>(scaling), [&](KeyVisitor& within) {
        const auto width = static_cast<int>(dims);
        visit_rope_type(within, scaling, false);
        visit_keys(within, scaling, {.rope_theta = rope_theta, .head_dim = width, .rotary_dim = width});
        within.require(amplitude(scaling).is_one(), "rope_type",
                       "a scaling that leaves cosines and sines as they are, as all axes share one "
                       "amplitude");
      });
  auto rule = static_cast<Choice>(!bounds ? 0 : bounds->spacing == Spacing::geometric ? 1 : 2);
  visit.optional("frequency", rule, one_of(axis_frequency_names));
  const bool is_bounded = rule != Choice();
  if (is_bounded) {
    for (const auto* key : {"rope_theta", "rope_scaling"}) {
      visit.require(!visit.has(key), key, "none, as frequencies lie between \"first\" and \"last\"");
    }
  }
  visit_bounds(visit, bounds,
               !is_bounded         ? std::nullopt
               : rule == Choice{1} ? std::optional(Spacing::geometric)
                                   : Spacing::linear,
               pairs());
  positions.keys_of_axis(visit, positions_of_all);
}

int RotaryAxesSpec::rotary_dim() const {
  return std::accumulate(axes.begin(), axes.end(), static_cast<int>(identity_front + identity_back),
                         [](int sum, const RotaryAxis& axis) { return sum + static_cast<int>(axis.dims); });
}

void RotaryAxesSpec::keys(KeyVisitor& visit) {
  visit.required("head_dim", head_dim, integer(2, largest_dimension));
  visit.require(head_dim % 2 == 0, "head_dim", "an even number, as dimensions rotate in pairs");
  visit.optional("pool", pool,
                 list_of(whole_numbers(1, longest_pool, integer_from_to(1, longest_pool)),
                         {1, most_axes, true}, "1 to 8 integers, one for each axis"));
  auto theta = RotaryAxis().rope_theta;
  visit.optional("rope_theta", theta, number(base_range()), theta);
  auto of_all = axes.empty()         ? RealPositions()
                : have_one_map(axes) ? axes.front().positions
                                     : with_unit_of(axes.front().positions);
  of_all.keys(visit);
  require_unit_of_axes(visit, of_all);
  visit.objects(
      "axes", axes, {1, most_axes, true}, "1 to 8 axes, each an object with the key \"dims\"", {},
      [&](KeyVisitor& within, RotaryAxis& axis) { axis.keys(within, theta, of_all, !pool.empty()); });
  visit.require(!axes.empty() && axes.size() <= most_axes, "axes",
                fmt::format("1 to {} axes; there are {}", most_axes, axes.size()));
  visit.defaulted("arrangement", arrangement, one_of(arrangement_names));
  visit.require(arrangement != RotaryAxesSpec::Arrangement::mixed, "frequencies",
                "those of each axis, as the arrangement is \"mixed\"");
  visit_identity(visit, "identity_front", identity_front);
  visit_identity(visit, "identity_back", identity_back);
  visit.defaulted("layout", layout, one_of(axes_rotary_layout_names));
  visit.fallback(table_layout, layout);
  visit.optional("table_layout", table_layout, one_of(axes_rotary_layout_names), layout);
  visit_operation(visit, operation);
  require_fit(visit);
  visit_grid(visit, grid, axes.size());
  require_poolable(visit);
}

void RotaryAxesSpec::require_poolable(KeyVisitor& visit) const {
  if (pool.empty()) {
    return;
  }
  visit.require(pool.size() == axes.size(), "pool",
                fmt::format("{} integers, one for each axis", axes.size()));
  visit.require(axes.front().positions.map.unit() == 1, "position_unit",
                "1, because whole places are pooled");
  visit.require(operation == RotationOperation::forward, "operation",
                "\"forward\", because an average of turns is not a rotation");
}

const PositionMap& RotaryAxesSpec::positions_along(std::size_t axis) const {
  static const PositionMap of_blocks;
  return pool.empty() ? axes[axis].positions.map : of_blocks;
}

void RotaryAxesSpec::require_fit(KeyVisitor& visit) const {
  visit.require(rotary_dim() <= head_dim, "axes",
                fmt::format("axes that add up to at most the {} dimensions of the head, not {}", head_dim,
                            rotary_dim()));
  if (arrangement == RotaryAxesSpec::Arrangement::alternating) {
    visit.require(
        std::ranges::all_of(axes, [&](const RotaryAxis& axis) { return axis.dims == axes.front().dims; }),
        "arrangement", "\"blocks\", or axes that all have the same dims to alternate among");
    for (const auto& [key, of] : {std::pair("layout", layout), std::pair("table_layout", table_layout)}) {
      visit.require(of != RotaryAxesSpec::Layout::half_per_axis, key,
                    "\"half\" or \"interleaved\", as axes that alternate have no block of their own");
    }
  }
  visit.require(layout == table_layout || operation == RotationOperation::forward, "operation",
                "\"forward\", because table_layout makes no rotation");
}

std::vector<TensorDefinition> RotaryAxesSpec::tensors() const {
  auto result = tensors_in(table_layout);
  if (layout != table_layout) {
    auto& by_columns = result.rotation;
    auto by_pairs = tensors_in(layout).rotation;
    for (auto& dimension : by_pairs.rotated) {
      dimension.pair = std::ranges::find(by_columns.rotated, dimension.out, &RotatedDimension::out)->pair;
    }
    by_columns.rotated = std::move(by_pairs.rotated);
    by_columns.pairs.clear();  // none turns by one phase
  }
  return pool.empty() ? result.definitions() : pooled(*this, result.tables);
}

AxialTensors RotaryAxesSpec::tensors_in(RotaryAxesSpec::Layout of_both) const {
  const RopeSpec shape{.head_dim = head_dim,
                       .layout = of_both == RotaryAxesSpec::Layout::interleaved
                                     ? RopeSpec::Layout::interleaved
                                     : RopeSpec::Layout::half,
                       .partial_rotary_factor = Rational(rotary_dim(), head_dim),
                       .positions = axes.front().positions};
  auto along = positions_along_axes(axes.size(), grid, axes.front().positions.map.unit());
  // There is no table of one position: tokens that have only one have it on every axis.
  for (const auto& axis : axes) {
    along.maps.push_back(axis.positions.map);
  }
  return axial_tensors(
      shape, {frequencies_of(*this), turns_of_pairs(*this), std::move(along)},
      of_both == RotaryAxesSpec::Layout::half_per_axis ? pairs_of_blocks(*this) : std::vector<int>());
}

std::string RotaryAxesSpec::summary() const {
  const bool is_common = have_one_map(axes);
  std::vector<std::string> told;
  for (const auto& axis : axes) {
    const bool is_scaled = !std::holds_alternative<Unscaled>(axis.scaling);
    told.push_back(fmt::format("{} of ", axis.dims) +
                   (axis.bounds ? "frequencies " + summary_of(*axis.bounds)
                                : fmt::format("base {}{}{}", to_string(axis.rope_theta), is_scaled ? " " : "",
                                              is_scaled ? vernier::summary(axis.scaling) : "")) +
                   (is_common ? "" : axis.positions.summary()));
  }
  std::string still;
  for (const auto& [dims, where] : {std::pair(identity_front, "front"), std::pair(identity_back, "back")}) {
    still += dims == 0 ? "" : fmt::format(", {} dimensions of identity in {}", dims, where);
  }
  return fmt::format("axial RoPE, head_dim {}, axes {} in {}{}, {} layout{}", head_dim, fmt::join(told, ", "),
                     arrangement == RotaryAxesSpec::Arrangement::blocks ? "blocks" : "turns", still,
                     axes_layout_name(layout),
                     grid.empty() ? "" : fmt::format(", grid {}", fmt::join(grid, " x "))) +
         (pool.empty() ? "" : fmt::format(", averages over blocks of {}", fmt::join(pool, " x "))) +
         (is_common ? axes.front().positions.summary() : "") +
         (layout == table_layout
              ? ""
              : fmt::format(", columns of cos and sin {}", axes_layout_name(table_layout))) +
         summary_of(operation);
}

}  // namespace vernier
