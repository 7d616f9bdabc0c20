#include "reference/schemes/mrope_axes.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/core.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

constexpr std::string_view section_key = "mrope_section";
constexpr std::string_view interleaved_key = "mrope_interleaved";
constexpr std::string_view reading_key = "mrope_reading";
constexpr std::string_view pair_axes_key = "pair_axes";
constexpr std::array<std::string_view, 5> mrope_reading_names{"huggingface", "ggml", "ernie", "xdrope",
                                                              "openpangu"};
constexpr int most_mrope_axes = 8;

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

}  // namespace

void MropeAxes::keys(KeyVisitor& visit, std::optional<MropeAxes>& axes, int pairs) {
  const auto whole = whole_numbers(0, largest_dimension, "an integer from 0");
  auto listed = axes && axes->section.empty() ? axes->pair_axes : std::vector<int>();
  const auto expected_axes =
      fmt::format("{} axes, one a pair, each from 0 to {}", pairs, most_mrope_axes - 1);
  visit.optional(pair_axes_key, listed,
                 list_of(whole, of_size(static_cast<std::size_t>(pairs)), expected_axes));
  if (!listed.empty()) {
    visit.require(std::ranges::max(listed) < most_mrope_axes, pair_axes_key, expected_axes);
    for (const auto key : {section_key, interleaved_key, reading_key}) {
      visit.forbidden(key, "either it or pair_axes, not both");
    }
    visit.fallback(axes, MropeAxes{.section = {}, .pair_axes = listed});
    return;
  }
  auto interleaved = axes && axes->order == Order::interleaved;
  if (visit.fills() || axes) {
    visit.defaulted(interleaved_key, interleaved, boolean());
  }
  if (visit.fills() ? !visit.has(section_key) : !axes) {
    return;
  }
  visit.fallback(axes, MropeAxes{{}, interleaved ? Order::interleaved : Order::sections});
  auto& [section, order, reading, pair_axes] = *axes;
  visit.defaulted(reading_key, reading, one_of(mrope_reading_names));
  const std::size_t count = reading == Reading::xdrope ? sections + 1 : sections;
  auto section_domain = list_of(
      whole, of_size(count),
      fmt::format("{} numbers of pairs that add up to {}", count == sections ? "three" : "four", pairs));
  section_domain.sum = pairs;
  visit.required(section_key, section, section_domain);
  const bool is_openpangu = reading == Reading::openpangu;
  const bool takes_turns = reading == Reading::ernie || reading == Reading::xdrope;
  visit.require(reading != Reading::ernie || section[0] == section[1], section_key,
                "as many pairs by height as by width, which take turns");
  visit.require(
      !takes_turns || !interleaved, interleaved_key,
      fmt::format("false with the reading {}", mrope_reading_names[static_cast<std::size_t>(reading)]));
  visit.require(!is_openpangu || interleaved, interleaved_key, "true with the reading openpangu");
  visit.require(!is_openpangu || section[0] > 0, section_key, "a pair by time, as the last one is");
  if (is_openpangu && section[0] > 0) {
    visit.fallback(pair_axes, rarest_first(section));
  }
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
