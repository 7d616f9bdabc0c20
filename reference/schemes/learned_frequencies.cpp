#include "reference/schemes/learned_frequencies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

#include <fmt/core.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_mixed_axes = 8;
constexpr std::string_view frequencies_key = "frequencies";
constexpr std::string_view dtype_key = "frequencies_dtype";
constexpr std::array<std::string_view, 5> dtype_names{"exact", "float64", "float32", "bfloat16", "float16"};

/// The number of the format that is nearest; nothing for one beyond it.
std::optional<Rational> rounded(const Rational& value, Format format) {
  const auto nearest = correctly_rounded(format, [&] { return enclose(value); });
  if (!nearest || !std::isfinite(*nearest) || (*nearest == 0) != (value == 0)) {
    return std::nullopt;
  }
  return exact_rational(*nearest);
}

bool are_equal(const std::vector<RealPositions>& positions) {
  return std::ranges::all_of(positions, [&](const RealPositions& one) { return one == positions.front(); });
}

/// Of phases.
int power_of_pi(const RealPositions& positions) {
  return positions.frequency_scale.power_of_pi + positions.map.quantum().power_of_pi;
}

}  // namespace

void LearnedFrequencies::keys(KeyVisitor& visit, bool may_have_heads) {
  static const NumberRange each{1 / greatest_constant(), greatest_constant(),
                                "0 or a number from 1e-12 to 1e12 in magnitude, or one written as text "
                                "(\"0.1\", \"-1/3\")",
                                false, NumberRange::Grid::signed_magnitude};
  const auto name = format ? traits(*format).name : dtype_names[0];
  auto dtype = static_cast<Choice>(std::ranges::find(dtype_names, name) - dtype_names.begin());
  visit.defaulted(dtype_key, dtype, one_of(dtype_names));
  visit.fallback(format, format_named(dtype_names[static_cast<std::size_t>(dtype)]));

  std::vector<NumberRows> rows;
  for (const auto& row : values) {
    auto& of_heads = rows.emplace_back();
    const auto each_head = static_cast<std::ptrdiff_t>(row.size() / heads);
    for (auto first = row.begin(); first != row.end(); first += each_head) {
      of_heads.emplace_back(first, first + each_head);
    }
  }
  auto domain = heads_of(each, {1, most_mixed_axes}, {1, largest_dimension / 2},
                         "1 to 8 rows of numbers, one an axis, all of one length from 1 to 32768");
  domain.may_have_heads = may_have_heads;
  domain.are_doubles = format.has_value();  // whose shortest decimals are rounded back to them
  visit.required(frequencies_key, rows, domain);
  if (!visit.fills()) {
    return;
  }
  values.clear();
  for (const auto& of_heads : rows) {
    heads = of_heads.size();
    auto& row = values.emplace_back();
    for (const auto& value : std::views::join(of_heads)) {
      const auto nearest = format ? rounded(value, *format) : value;
      visit.require(nearest.has_value(), dtype_key,
                    fmt::format("a format that holds {}", approximately(value)));
      visit.require(!nearest || each.contains(*nearest), frequencies_key,
                    fmt::format("numbers that are from 1e-12 to 1e12 in magnitude in {}",
                                dtype_names[static_cast<std::size_t>(dtype)]));
      row.push_back(nearest.value_or(value));
    }
  }
}

std::string LearnedFrequencies::summary() const {
  const auto each = values.front().size() / heads;
  return fmt::format("{} {} of {}{} frequencies{}", axes(), axes() == 1 ? "axis" : "axes",
                     heads == 1 ? "" : fmt::format("{} heads with ", heads), each,
                     format ? fmt::format(" in {}", traits(*format).name) : "");
}

Frequencies LearnedFrequencies::joined(const std::vector<RealPositions>& positions) const {
  JoinedFrequencies result;
  for (std::size_t axis = 0; axis < axes(); ++axis) {
    result.parts.push_back(positions[axis].of(ListedFrequencies{values[axis]}));
  }
  return result;
}

void visit_mixed_positions(KeyVisitor& visit, std::vector<RealPositions>& positions, std::size_t axes) {
  const bool is_common = positions.empty() || are_equal(positions);
  auto of_all = positions.empty() ? RealPositions() : positions.front();
  if (!is_common) {
    of_all = with_unit_of(of_all);
  }
  of_all.keys(visit);
  if (axes > 1) {
    require_unit_of_axes(visit, of_all);
  }
  auto of_each = is_common ? std::vector<RealPositions>() : positions;
  const auto words = fmt::format("{} {} with the keys of real positions, one a row of \"{}\"", axes,
                                 axes == 1 ? "object" : "objects", frequencies_key);
  visit.optional_objects("axes", of_each, of_size(axes), words, {},
                         [&](KeyVisitor& within, RealPositions& one) { one.keys_of_axis(within, of_all); });
  visit.fallback(positions, of_each.empty() ? std::vector<RealPositions>(axes, of_all) : of_each);
  for (const auto& one : positions) {
    visit.require(power_of_pi(one) == power_of_pi(positions.front()), "axes",
                  "axes that all have pi in their scales or all have none, as phases are added");
  }
}

std::string summary_of_mixed(const std::vector<RealPositions>& positions) {
  if (are_equal(positions)) {
    return positions.front().summary();
  }
  std::string text;
  for (const auto& one : positions) {
    const auto own = one.summary();
    text += fmt::format("; axis {}{}", &one - positions.data(), own.empty() ? ": positions as given" : own);
  }
  return text;
}

}  // namespace vernier
