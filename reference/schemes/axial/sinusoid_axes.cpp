#include "reference/schemes/axial/sinusoid_axes.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/schemes/axial/axial_tensors.hpp"
#include "reference/schemes/sinusoid_keys.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> axes_layout_names{"per_axis", "across", "by_frequency"};
constexpr std::size_t most_axes_of_sines = 8;

/// The columns of a table, and the axis of each.
struct ColumnsOfAxes {
  std::vector<Column> columns;
  std::vector<int> axes;

  void add(Column column, int axis, int first_pair) {
    column.pair += first_pair;
    columns.push_back(column);
    axes.push_back(axis);
  }
};

ColumnsOfAxes columns_of_axes(const SinusoidAxesSpec& spec) {
  std::vector<int> first_pairs{0};
  for (const auto& axis : spec.axes) {
    first_pairs.push_back(first_pairs.back() + axis.pairs());
  }
  ColumnsOfAxes result;
  // Runs of columns of one axis that stay together: whole axes, their halves, or single columns.
  const int parts = spec.arrangement == SinusoidAxesSpec::Arrangement::per_axis ? 1 : 2;
  const int runs =
      spec.arrangement == SinusoidAxesSpec::Arrangement::by_frequency ? spec.axes.front().pairs() : 1;
  for (int run = 0; run < runs; ++run) {
    for (int part = 0; part < parts; ++part) {
      for (const int axis : spec.blocks) {
        const auto at = static_cast<std::size_t>(axis);
        const auto columns = spec.axes[at].columns();
        const auto each = columns.size() / static_cast<std::size_t>(parts) / static_cast<std::size_t>(runs);
        const auto first = static_cast<std::size_t>(part * runs + run) * each;
        for (const auto& column : std::span(columns).subspan(first, each)) {
          result.add(column, axis, first_pairs[at]);
        }
      }
    }
  }
  result.columns.resize(static_cast<std::size_t>(spec.d_model));
  result.axes.resize(result.columns.size());
  return result;
}

}  // namespace

int SinusoidAxesSpec::width() const {
  return std::accumulate(axes.begin(), axes.end(), 0, [](int sum, const SinusoidalSpec& axis) {
    return sum + static_cast<int>(axis.d_model);
  });
}

void SinusoidAxesSpec::keys(KeyVisitor& visit) {
  visit.defaulted("axes_layout", arrangement, one_of(axes_layout_names));
  visit_axes(visit);
  const bool are_equal = std::ranges::all_of(
      axes, [&](const SinusoidalSpec& axis) { return axis.d_model == axes.front().d_model; });
  visit.require(arrangement != SinusoidAxesSpec::Arrangement::by_frequency || are_equal, "axes_layout",
                "\"per_axis\" or \"across\", or axes that all have the same dims");

  std::vector<int> in_order(axes.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  const auto words =
      fmt::format("each number from 0 to {} once, the axes in the order of their columns", axes.size() - 1);
  visit.fallback(blocks, in_order);
  visit.defaulted("block_order", blocks,
                  list_of(whole_numbers(0, most_axes_of_sines - 1, words), of_size(axes.size()), words));
  const bool is_order = std::ranges::is_permutation(blocks, in_order);
  visit.require(is_order, "block_order", words);

  const auto sum = width();
  const auto last = is_order ? axes[static_cast<std::size_t>(blocks.back())].d_model : 0;
  visit.fallback(d_model, sum);
  visit.defaulted("d_model", d_model, integer(1, largest_dimension));
  const bool may_be_cut = arrangement == SinusoidAxesSpec::Arrangement::per_axis;
  visit.require(d_model == sum || (may_be_cut && d_model < sum && d_model > sum - last), "d_model",
                fmt::format("{}, the sum of the dims of the axes{}", sum,
                            may_be_cut ? ", or less where the last of them are cut" : ""));
  visit_grid(visit, grid, axes.size());
  visit.defaulted("zero_prefix", zero_prefix, integer(0, largest_position));
  visit.require(
      zero_prefix / axes.front().positions.map.unit() <= largest_place, position_unit_key,
      fmt::format("a power of two from {}/2^53 on, as \"zero_prefix\" is {}", zero_prefix, zero_prefix));
  visit.defaulted("scale", scale, number(positive_range()));
}

void SinusoidAxesSpec::visit_axes(KeyVisitor& visit) {
  const std::string_view no_layout = arrangement == SinusoidAxesSpec::Arrangement::per_axis
                                         ? ""
                                         : "none, as \"axes_layout\" says where sines and cosines lie";
  SinusoidalSpec of_all;
  if (!no_layout.empty()) {
    of_all.layout = SinusoidalSpec::Layout::halves;
  }
  of_all.visit_style(visit, true, no_layout);
  if (!axes.empty()) {
    of_all.positions = with_unit_of(axes.front().positions);
  }
  of_all.positions.keys(visit);
  require_unit_of_axes(visit, of_all.positions);
  visit.objects("axes", axes, {1, most_axes_of_sines, true},
                "1 to 8 axes, each an object with the key \"dims\"", of_all,
                [&](KeyVisitor& within, SinusoidalSpec& axis) {
                  axis.visit_sinusoid(within, "dims", no_layout);
                  within.require(no_layout.empty() || axis.d_model % 2 == 0, "dims",
                                 "an even number, as \"axes_layout\" is not \"per_axis\"");
                  axis.positions.keys_of_axis(within, of_all.positions);
                });
  visit.require(!axes.empty() && axes.size() <= most_axes_of_sines, "axes",
                fmt::format("1 to {} axes; there are {}", most_axes_of_sines, axes.size()));
  for (const auto& axis : axes) {
    axis.require_divisor(visit);
  }
}

PositionAxes SinusoidAxesSpec::position_axes() const {
  const auto& unit = axes.front().positions.map.unit();
  auto result = positions_along_axes(axes.size(), grid, unit);
  for (const auto& axis : axes) {
    result.maps.push_back(axis.positions.map);
  }
  if (zero_prefix > 0) {
    const auto of_one = *as_integer(Rational(1 / unit));
    result.given_for_zeros = -of_one;
    result.of_position = [of_row = std::move(result.of_position),
                          first = -of_one * zero_prefix](std::int64_t position) {
      return position < 0 && position >= first ? std::nullopt : of_row(position);
    };
  }
  return result;
}

std::vector<TensorDefinition> SinusoidAxesSpec::tensors() const {
  JoinedFrequencies frequencies;
  for (const auto& axis : axes) {
    frequencies.parts.push_back(axis.positions.of(axis.family()));
  }
  auto [columns, axes_of_columns] = columns_of_axes(*this);
  return {TurnedTable({"encoding", std::move(frequencies), scale, std::move(columns), std::nullopt,
                       axes.front().positions.map},
                      {std::move(axes_of_columns), position_axes()})};
}

std::string SinusoidAxesSpec::summary() const {
  const auto told = mapped(axes, [&](const auto& axis) {
    return fmt::format("{} of {}{}", axis.d_model, axis.summary_of_sinusoid(), axis.positions.summary());
  });
  std::string text = fmt::format("sinusoidal, d_model {}, axes {}", d_model, fmt::join(told, "; "));
  if (!std::ranges::is_sorted(blocks)) {
    text += fmt::format("; in the order {}", fmt::join(blocks, ", "));
  }
  if (arrangement != SinusoidAxesSpec::Arrangement::per_axis) {
    text += arrangement == SinusoidAxesSpec::Arrangement::across ? "; all sines beside all cosines"
                                                                 : "; frequency by frequency";
  }
  if (!grid.empty()) {
    text += fmt::format("; grid {}", fmt::join(grid, " x "));
  }
  if (zero_prefix > 0) {
    text +=
        fmt::format("; {} zero first", zero_prefix == 1 ? "one row" : std::to_string(zero_prefix) + " rows");
  }
  if (scale != 1) {
    text += "; scaled by " + to_string(scale);
  }
  return text;
}

}  // namespace vernier
