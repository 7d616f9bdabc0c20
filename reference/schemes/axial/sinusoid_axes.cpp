#include "reference/schemes/axial/sinusoid_axes.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reference/input_error.hpp"
#include "reference/schemes/axial/token_grid.hpp"
#include "reference/schemes/frequency_bounds.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

using Arrangement = SinusoidAxesSpec::Arrangement;

constexpr std::array<std::string_view, 3> axes_layout_names{"per_axis", "across", "by_frequency"};
constexpr std::size_t most_axes_of_sines = 8;
constexpr std::string_view dims_key = "dims";

void refuse_layout(const ObjectReader& reader) {
  if (reader.has("layout")) {
    reader.refuse("layout", "none, as \"axes_layout\" says where sines and cosines lie");
  }
}

SinusoidalSpec read_sinusoid_axis(ObjectReader& reader, const SinusoidalSpec& fallback,
                                  Arrangement arrangement) {
  auto axis = SinusoidalSpec::read(reader, dims_key, fallback);
  if (arrangement != Arrangement::per_axis) {
    refuse_layout(reader);
    if (axis.d_model % 2 != 0) {
      reader.refuse(dims_key, "an even number, as \"axes_layout\" is not \"per_axis\"");
    }
  }
  axis.positions = RealPositions::read_axis(reader, fallback.positions);
  reader.finish();
  return axis;
}

std::vector<SinusoidalSpec> read_sinusoid_axes(ObjectReader& reader, Arrangement arrangement) {
  SinusoidalSpec fallback;
  fallback.read_style(reader);
  fallback.positions = RealPositions::read(reader);
  if (fallback.positions.map.unit() > 1) {
    reader.refuse(position_unit_key, "a power of two up to 1 where there are axes");
  }
  if (arrangement != Arrangement::per_axis) {
    refuse_layout(reader);
    fallback.layout = SinusoidalSpec::Layout::halves;
  }
  std::vector<SinusoidalSpec> axes;
  for (auto& of_axis : reader.objects("axes", "2 to 8 axes, each an object with the key \"dims\"")) {
    axes.push_back(read_sinusoid_axis(of_axis, fallback, arrangement));
  }
  if (axes.size() < 2 || axes.size() > most_axes_of_sines) {
    reader.refuse("axes", fmt::format("2 to {} axes; there {} {}", most_axes_of_sines,
                                      axes.size() == 1 ? "is" : "are", axes.size()));
  }
  return axes;
}

/// The axes in the order of their columns.
std::vector<int> read_blocks(ObjectReader& reader, std::size_t axes) {
  std::vector<int> in_order(axes);
  std::iota(in_order.begin(), in_order.end(), 0);
  if (!reader.has("block_order")) {
    reader.ignore("block_order");
    return in_order;
  }
  const auto expected =
      fmt::format("each number from 0 to {} once, the axes in the order of their columns", axes - 1);
  const auto numbers = read_exact_numbers(
      reader, "block_order", reader.array("block_order", expected),
      [](const Rational& x) { return x >= 0 && x < most_axes_of_sines && denominator(x) == 1; }, expected);
  std::vector<int> blocks;
  std::ranges::transform(numbers, std::back_inserter(blocks),
                         [](const Rational& x) { return static_cast<int>(*as_integer(x)); });
  if (!std::ranges::is_permutation(blocks, in_order)) {
    reader.refuse("block_order", expected);
  }
  return blocks;
}

std::int64_t read_width(ObjectReader& reader, const SinusoidAxesSpec& spec) {
  const auto sum = spec.width();
  const auto last = spec.axes[static_cast<std::size_t>(spec.blocks.back())].d_model;
  const auto width = reader.optional_integer("d_model", 1, largest_dimension).value_or(sum);
  if (width > sum || width <= sum - last || (width < sum && spec.arrangement != Arrangement::per_axis)) {
    reader.refuse("d_model", fmt::format("{}, the sum of the dims of the axes{}", sum,
                                         spec.arrangement != Arrangement::per_axis
                                             ? ""
                                             : ", or less where the last of them are cut"));
  }
  return width;
}

/// \throws InputError for rows before the first position that reach beyond largest_place
std::int64_t read_zero_prefix(ObjectReader& reader, const Rational& unit) {
  const auto rows = reader.optional_integer("zero_prefix", 0, largest_position).value_or(0);
  if (rows / unit > largest_place) {
    reader.refuse(position_unit_key,
                  fmt::format("a power of two from {}/2^53 on, as \"zero_prefix\" is {}", rows, rows));
  }
  return rows;
}

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
  const int parts = spec.arrangement == Arrangement::per_axis ? 1 : 2;
  const int runs = spec.arrangement == Arrangement::by_frequency ? spec.axes.front().pairs() : 1;
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

std::unique_ptr<Encoding> parse_sinusoid_axes(ObjectReader& reader) {
  SinusoidAxesSpec spec;
  spec.arrangement = static_cast<Arrangement>(
      reader.choice("axes_layout", {axes_layout_names[0], axes_layout_names[1], axes_layout_names[2]}, 0));
  spec.axes = read_sinusoid_axes(reader, spec.arrangement);
  const bool are_equal = std::ranges::all_of(
      spec.axes, [&](const SinusoidalSpec& axis) { return axis.d_model == spec.axes.front().d_model; });
  if (spec.arrangement == Arrangement::by_frequency && !are_equal) {
    reader.refuse("axes_layout", "\"per_axis\" or \"across\", or axes that all have the same dims");
  }
  spec.blocks = read_blocks(reader, spec.axes.size());
  spec.d_model = read_width(reader, spec);
  spec.grid = read_grid(reader, spec.axes.size());
  spec.zero_prefix = read_zero_prefix(reader, spec.axes.front().positions.map.unit());
  spec.scale = read_positive(reader, "scale").value_or(spec.scale);
  return std::make_unique<SinusoidAxesEncoding>(std::move(spec));
}

PositionAxes SinusoidAxesEncoding::position_axes() const {
  const auto& unit = spec_.axes.front().positions.map.unit();
  auto result = positions_along_axes(spec_.axes.size(), spec_.grid, unit);
  for (const auto& axis : spec_.axes) {
    result.maps.push_back(axis.positions.map);
  }
  if (spec_.zero_prefix > 0) {
    const auto of_one = *as_integer(Rational(1 / unit));
    result.given_for_zeros = -of_one;
    result.of_position = [of_row = std::move(result.of_position),
                          first = -of_one * spec_.zero_prefix](std::int64_t position) {
      return position < 0 && position >= first ? std::nullopt : of_row(position);
    };
  }
  return result;
}

std::vector<TensorDefinition> SinusoidAxesEncoding::define_tensors() const {
  JoinedFrequencies frequencies;
  for (const auto& axis : spec_.axes) {
    frequencies.parts.push_back(axis.positions.of(axis.family()));
  }
  auto [columns, axes] = columns_of_axes(spec_);
  auto along = position_axes();
  const auto first = along.maps.front();
  return {TurnedTable(
      {"encoding", std::move(frequencies), spec_.scale, std::move(columns), std::nullopt, first},
      {std::move(axes), std::move(along)})};
}

std::string SinusoidAxesEncoding::summary() const {
  std::vector<std::string> axes;
  for (const auto& axis : spec_.axes) {
    axes.push_back(fmt::format("{} of {}{}", axis.d_model, axis.summary(), axis.positions.summary()));
  }
  std::string text = fmt::format("sinusoidal, d_model {}, axes {}", spec_.d_model, fmt::join(axes, "; "));
  if (!std::ranges::is_sorted(spec_.blocks)) {
    text += fmt::format("; in the order {}", fmt::join(spec_.blocks, ", "));
  }
  if (spec_.arrangement != Arrangement::per_axis) {
    text += spec_.arrangement == Arrangement::across ? "; all sines beside all cosines"
                                                     : "; frequency by frequency";
  }
  if (!spec_.grid.empty()) {
    text += fmt::format("; grid {}", fmt::join(spec_.grid, " x "));
  }
  if (spec_.zero_prefix > 0) {
    text += fmt::format("; {} zero first",
                        spec_.zero_prefix == 1 ? "one row" : std::to_string(spec_.zero_prefix) + " rows");
  }
  if (spec_.scale != 1) {
    text += "; scaled by " + to_string(spec_.scale);
  }
  return text;
}

OrderedJson SinusoidAxesEncoding::spec() const {
  OrderedJson axes = OrderedJson::array();
  for (const auto& axis : spec_.axes) {
    auto& one = axes.emplace_back(OrderedJson::object());
    axis.write(one, dims_key);
    axis.write_shift(one);
    axis.positions.write(one);
    one.erase(std::string(position_unit_key));
    if (spec_.arrangement != Arrangement::per_axis) {
      one.erase("layout");
    }
  }
  OrderedJson result{{"scheme", "sinusoidal"},
                     {"d_model", spec_.d_model},
                     {"axes", axes},
                     {"axes_layout", axes_layout_names[static_cast<std::size_t>(spec_.arrangement)]},
                     {"block_order", spec_.blocks},
                     {"zero_prefix", spec_.zero_prefix},
                     {"scale", json_number(spec_.scale)}};
  if (!spec_.grid.empty()) {
    result["grid"] = spec_.grid;
  }
  const auto& unit = positions().unit();
  if (unit != 1) {
    result[position_unit_key] = exact_json_number(unit);
  }
  return result;
}

}  // namespace vernier
