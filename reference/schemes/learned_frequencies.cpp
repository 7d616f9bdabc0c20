#include "reference/schemes/learned_frequencies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/core.h>

#include "reference/real.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_mixed_axes = 8;
constexpr std::string_view frequencies_key = "frequencies";
constexpr std::string_view dtype_key = "frequencies_dtype";
constexpr std::string_view expected_frequencies =
    "1 to 8 rows of numbers, one an axis, all of one length from 1 to 32768";
constexpr std::string_view expected_learned_frequency =
    "0 or a number from 1e-12 to 1e12 in magnitude, or one written as text (\"0.1\", \"-1/3\")";

bool is_learned_frequency(const Rational& value) {
  return value == 0 || (abs(value) <= greatest_constant() && abs(value) * greatest_constant() >= 1);
}

std::optional<Format> read_dtype(ObjectReader& reader) {
  const std::array<std::string_view, 5> names{"exact", "float64", "float32", "bfloat16", "float16"};
  const auto which = reader.choice(dtype_key, {names[0], names[1], names[2], names[3], names[4]}, 0);
  return which == 0 ? std::nullopt : format_named(names[which]);
}

/// The numbers of the format that are nearest. \throws InputError for one beyond it
void round_all(const ObjectReader& reader, std::vector<Rational>& row, Format format) {
  for (auto& value : row) {
    const auto nearest = correctly_rounded(format, [&] { return enclose(value); });
    if (!nearest || !std::isfinite(*nearest) || (*nearest == 0) != (value == 0)) {
      reader.refuse(dtype_key, fmt::format("a format that holds {}", approximately(value)));
    }
    value = exact_rational(*nearest);
  }
}

/// The numbers of a row, head by head.
std::vector<std::vector<Rational>> read_heads(const ObjectReader& reader, const std::string& within,
                                              const JsonValue& row, bool may_have_heads) {
  const auto numbers_of = [&](const std::string& where, const JsonValue& of_head) {
    const auto* numbers = std::get_if<JsonValue::Array>(&of_head.value());
    if (numbers == nullptr || numbers->empty()) {
      reader.refuse_within(where, of_head, "a row of numbers, one a pair");
    }
    return read_exact_numbers(reader, where, *numbers, is_learned_frequency, expected_learned_frequency);
  };
  std::vector<std::vector<Rational>> result;
  const auto* all = std::get_if<JsonValue::Array>(&row.value());
  const bool has_heads =
      all != nullptr && !all->empty() && std::holds_alternative<JsonValue::Array>(all->front().value());
  if (!has_heads || !may_have_heads) {
    return {numbers_of(within, row)};
  }
  for (const auto& of_head : *all) {
    result.push_back(numbers_of(fmt::format("{}[{}]", within, result.size()), of_head));
  }
  return result;
}

/// "2 heads of 3 numbers"
std::string shape_words(std::size_t heads, std::size_t numbers) {
  return (heads == 1 ? "" : fmt::format("{} heads of ", heads)) +
         (numbers == 1 ? "one number" : fmt::format("{} numbers", numbers));
}

bool are_equal(const std::vector<RealPositions>& positions) {
  return std::ranges::all_of(positions, [&](const RealPositions& one) { return one == positions.front(); });
}

/// Of phases.
int power_of_pi(const RealPositions& positions) {
  return positions.frequency_scale.power_of_pi + positions.map.quantum().power_of_pi;
}

}  // namespace

LearnedFrequencies LearnedFrequencies::read(ObjectReader& reader, bool may_have_heads) {
  LearnedFrequencies result;
  result.format = read_dtype(reader);
  for (const auto& row : reader.array(frequencies_key, expected_frequencies)) {
    const auto within = fmt::format("{}[{}]", frequencies_key, result.values.size());
    auto of_heads = read_heads(reader, within, row, may_have_heads);
    const bool is_first = result.values.empty();
    result.heads = is_first ? of_heads.size() : result.heads;
    const auto expected = is_first ? of_heads.front().size() : result.values.front().size() / result.heads;
    auto& values = result.values.emplace_back();
    for (auto& of_head : of_heads) {
      if (of_heads.size() != result.heads || of_head.size() != expected) {
        reader.refuse_all(fmt::format("{}: found {}, expected {}, as of the first axis and head", within,
                                      shape_words(of_heads.size(), of_head.size()),
                                      shape_words(result.heads, expected)));
      }
      std::ranges::move(of_head, std::back_inserter(values));
    }
    if (result.format) {
      round_all(reader, values, *result.format);
    }
  }
  if (result.values.empty() || result.values.size() > most_mixed_axes || result.values.front().empty() ||
      result.values.front().size() > static_cast<std::size_t>(largest_dimension / 2)) {
    reader.refuse(frequencies_key, expected_frequencies);
  }
  return result;
}

void LearnedFrequencies::write(OrderedJson& to) const {
  const auto written = [&](std::span<const Rational> row) {
    if (!format) {
      return exact_json_numbers({row.begin(), row.end()});
    }
    // The shortest decimal of a double is rounded back to it, and so to the format.
    auto numbers = OrderedJson::array();
    for (const auto& value : row) {
      numbers.push_back(json_number(value));
    }
    return numbers;
  };
  auto& rows = to[frequencies_key] = OrderedJson::array();
  for (const auto& row : values) {
    if (heads == 1) {
      rows.push_back(written(row));
      continue;
    }
    auto& of_heads = rows.emplace_back(OrderedJson::array());
    const auto each = row.size() / heads;
    for (std::size_t head = 0; head < heads; ++head) {
      of_heads.push_back(written(std::span(row).subspan(head * each, each)));
    }
  }
  to[dtype_key] = format ? traits(*format).name : "exact";
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

std::vector<RealPositions> read_mixed_positions(ObjectReader& reader, std::size_t axes) {
  const auto of_all = RealPositions::read(reader);
  if (axes > 1 && of_all.map.unit() > 1) {
    reader.refuse(position_unit_key, "a power of two up to 1 where there are axes");
  }
  if (!reader.has("axes")) {
    reader.ignore("axes");
    return std::vector<RealPositions>(axes, of_all);
  }
  const auto expected = fmt::format("{} {} with the keys of real positions, one a row of \"{}\"", axes,
                                    axes == 1 ? "object" : "objects", frequencies_key);
  std::vector<RealPositions> result;
  for (auto& of_axis : reader.objects("axes", expected)) {
    result.push_back(RealPositions::read_axis(of_axis, of_all));
    of_axis.finish();
  }
  if (result.size() != axes) {
    reader.refuse("axes", expected);
  }
  for (const auto& one : result) {
    if (power_of_pi(one) != power_of_pi(result.front())) {
      reader.refuse("axes", "axes that all have pi in their scales or all have none, as phases are added");
    }
  }
  return result;
}

void write_mixed_positions(const std::vector<RealPositions>& positions, OrderedJson& to) {
  if (are_equal(positions)) {
    positions.front().write(to);
    return;
  }
  auto& axes = to["axes"] = OrderedJson::array();
  for (const auto& one : positions) {
    one.write(axes.emplace_back(OrderedJson::object()));
    axes.back().erase(std::string(position_unit_key));
  }
  if (const auto& unit = positions.front().map.unit(); unit != 1) {
    to[position_unit_key] = exact_json_number(unit);
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
