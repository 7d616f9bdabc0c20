#include "reference/schemes/mrope_axes.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

using Order = MropeAxes::Order;
using Reading = MropeAxes::Reading;

constexpr std::string_view section_key = "mrope_section";
constexpr std::string_view interleaved_key = "mrope_interleaved";
constexpr std::string_view reading_key = "mrope_reading";
constexpr std::string_view pair_axes_key = "pair_axes";
constexpr std::array<std::string_view, 5> reading_names{"huggingface", "ggml", "ernie", "xdrope",
                                                        "openpangu"};
constexpr int most_axes = 8;

std::vector<int> read_integers(ObjectReader& reader, std::string_view key, std::string_view expected) {
  const auto numbers = read_exact_numbers(
      reader, std::string(key), reader.array(key, expected),
      [](const Rational& x) { return x >= 0 && x <= largest_dimension && denominator(x) == 1; },
      "an integer from 0");
  std::vector<int> result;
  std::ranges::transform(numbers, std::back_inserter(result),
                         [](const Rational& x) { return static_cast<int>(*as_integer(x)); });
  return result;
}

/// vLLM, mrope_interleaved.py, get_mrope_interleaved_id_list with force_last: the share that is placed of
/// each section decides, and the number of the axis where shares are equal.
std::vector<int> rarest_first(std::vector<int> section) {
  --section[0];
  std::vector<std::int64_t> placed(section.size(), 0);
  std::vector<int> axes;
  const auto is_left = [&](int axis) {
    const auto i = static_cast<std::size_t>(axis);
    return placed[i] < section[i];
  };
  const auto is_rarer = [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    return placed[i] * section[j] < placed[j] * section[i];
  };
  for (int left = std::accumulate(section.begin(), section.end(), 0); left > 0; --left) {
    const int last = axes.empty() ? -1 : axes.back();
    int best = -1;
    for (int axis = 0; axis < MropeAxes::sections; ++axis) {
      if (is_left(axis) && axis != last && (best < 0 || is_rarer(axis, best))) {
        best = axis;
      }
    }
    axes.push_back(best < 0 ? last : best);
    ++placed[static_cast<std::size_t>(axes.back())];
  }
  axes.push_back(0);
  return axes;
}

MropeAxes read_pair_axes(ObjectReader& reader, int pairs) {
  const auto expected = fmt::format("{} axes, one a pair, each from 0 to {}", pairs, most_axes - 1);
  MropeAxes result{{}};
  result.pair_axes = read_integers(reader, pair_axes_key, expected);
  if (std::ssize(result.pair_axes) != pairs || std::ranges::max(result.pair_axes) >= most_axes) {
    reader.refuse(pair_axes_key, expected);
  }
  for (const auto key : {section_key, interleaved_key, reading_key}) {
    if (reader.has(key)) {
      reader.refuse(key, "either it or pair_axes, not both");
    }
    reader.ignore(key);
  }
  return result;
}

}  // namespace

std::optional<MropeAxes> MropeAxes::read(ObjectReader& reader, int pairs) {
  if (reader.has(pair_axes_key)) {
    return read_pair_axes(reader, pairs);
  }
  reader.ignore(pair_axes_key);
  const bool interleaved = reader.optional_boolean(interleaved_key).value_or(false);
  if (!reader.has(section_key)) {
    return std::nullopt;
  }
  const auto reading = static_cast<Reading>(reader.choice(
      reading_key, {reading_names[0], reading_names[1], reading_names[2], reading_names[3], reading_names[4]},
      0));
  const std::size_t count = reading == Reading::xdrope ? sections + 1 : sections;
  const auto expected =
      fmt::format("{} numbers of pairs that add up to {}", count == sections ? "three" : "four", pairs);
  MropeAxes result{read_integers(reader, section_key, expected),
                   interleaved ? Order::interleaved : Order::sections, reading};
  const auto& section = result.section;
  if (section.size() != count || std::accumulate(section.begin(), section.end(), std::int64_t{0}) != pairs) {
    reader.refuse(section_key, expected);
  }
  if (reading == Reading::ernie && section[0] != section[1]) {
    reader.refuse(section_key, "as many pairs by height as by width, which take turns");
  }
  if ((reading == Reading::ernie || reading == Reading::xdrope) && interleaved) {
    reader.refuse(interleaved_key, fmt::format("false with the reading {}", reader.string(reading_key)));
  }
  if (reading == Reading::openpangu) {
    if (!interleaved || section[0] == 0) {
      reader.refuse(interleaved ? section_key : interleaved_key,
                    interleaved ? "a pair by time, as the last one is" : "true with the reading openpangu");
    }
    result.pair_axes = rarest_first(section);
  }
  return result;
}

void MropeAxes::write(OrderedJson& to) const {
  if (section.empty()) {
    to[pair_axes_key] = pair_axes;
    return;
  }
  to[section_key] = section;
  to[interleaved_key] = order == Order::interleaved;
  to[reading_key] = reading_names[static_cast<std::size_t>(reading)];
}

std::string MropeAxes::summary() const {
  if (section.empty()) {
    return fmt::format("M-RoPE of {} axes, listed by pairs", count());
  }
  constexpr std::array<std::string_view, 5> told{"", ", ggml's reading", ", Ernie's reading", ", XD-RoPE",
                                                 ", openPangu's reading"};
  return fmt::format("M-RoPE sections {}{}{}", joined(section),
                     order == Order::interleaved ? " interleaved" : "",
                     told[static_cast<std::size_t>(reading)]);
}

int MropeAxes::count() const {
  if (section.empty()) {
    return std::max(2, 1 + std::ranges::max(pair_axes));
  }
  return reading == Reading::ggml || reading == Reading::xdrope ? sections + 1 : sections;
}

int MropeAxes::axis(int pair) const {
  if (!pair_axes.empty()) {
    return pair_axes[static_cast<std::size_t>(pair)];
  }
  if (reading == Reading::ernie) {
    return pair >= section[0] + section[1] ? 0 : 1 + pair % 2;
  }
  if (order == Order::sections) {
    int axis = 0;
    for (int before = section[0]; pair >= before; before += section[static_cast<std::size_t>(axis)]) {
      ++axis;
    }
    return axis;
  }
  const int wanted = pair % sections;
  const bool within = pair < sections * section[static_cast<std::size_t>(wanted)];
  return within ? wanted : reading == Reading::ggml ? sections : 0;
}

std::vector<std::int64_t> MropeAxes::of_text(std::int64_t position) const {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(count()), position);
  if (reading == Reading::ggml) {
    positions.back() = 0;
  }
  return positions;
}

}  // namespace vernier
