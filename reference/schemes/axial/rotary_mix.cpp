#include "reference/schemes/axial/rotary_mix.hpp"

#include <array>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/mixed_axes.hpp"
#include "reference/schemes/axial/axial_tensors.hpp"
#include "reference/schemes/axial/token_grid.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/rotary_layout.hpp"
#include "reference/schemes/rotary_operation.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 1> arrangement_names{"mixed"};

}  // namespace

void RotaryMixSpec::keys(KeyVisitor& visit) {
  Choice arrangement{};
  visit.defaulted({"arrangement", "that each pair turns by all axes at once"}, arrangement,
                  one_of(arrangement_names));
  frequencies.keys(visit, true);
  const auto axes = frequencies.axes();
  visit.require(axes >= 2, "frequencies", "rows of 2 axes or more");
  auto width = head_dim();
  visit.required(
      {"head_dim", "the width of a head, two dimensions for each of its frequencies", "dimensions"}, width,
      integer(2, largest_dimension));
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
  for (const auto& of_axis : positions) {
    turns.axes.maps.push_back(of_axis.map);
  }
  auto result = axial_tensors({.head_dim = 2 * std::int64_t{pairs},
                               .layout = layout,
                               .operation = operation,
                               .positions = positions.front()},
                              turns);
  if (layout == RopeSpec::Layout::half) {
    lie_in_blocks(result, std::vector<int>(frequencies.heads, static_cast<int>(head_dim() / 2)));
  }
  return result;
}

std::string RotaryMixSpec::summary() const {
  return fmt::format("axial RoPE, head_dim {}, {}, mixed, {} layout{}{}", head_dim(), frequencies.summary(),
                     name_of(layout), summary_of_mixed(positions),
                     grid.empty() ? "" : fmt::format(", grid {}", fmt::join(grid, " x "))) +
         summary_of(operation);
}

}  // namespace vernier
