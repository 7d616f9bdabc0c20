#include "reports/outputs/element_figures.hpp"

#include <bit>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "reference/counted.hpp"
#include "reports/html/charts/bits_chart.hpp"
#include "reports/html/charts/error_heat_map.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/quantity_text.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

std::string element_text(const ElementWitness& element) {
  return fmt::format("position {}, pair {}", element.real_position.value_or(count_text(element.position)),
                     element.meaning.pair);
}

/// Which elements of a check a map points out, in words.
std::string map_story(const Check& check) {
  const auto& worst = check.worst;
  const auto whole = [&] {
    ErrorCell sum;
    for (const auto& octave : check.error_map->octaves) {
      sum.include(octave.whole());
    }
    return sum;
  }();
  if (whole.failing == 0) {
    const auto ring = worst ? fmt::format(", at {} (the ring)", element_text(*worst)) : std::string();
    return fmt::format(
        "Each cell is the greatest error of its pair at its positions, as a share of its budget. No element "
        "is beyond; the one that uses most of it takes {}{}.",
        percent_text(whole.greatest_budget_ratio), ring);
  }
  auto text =
      counted(whole.failing, "element is", "elements are") + " beyond the budget, within the dark line.";
  if (check.first_failing && worst && !is_same(*check.first_failing, *worst)) {
    text += fmt::format(" The first: {} (the square). The worst: {} (the ring), {}.",
                        element_text(*check.first_failing), element_text(*worst),
                        usage_text(worst->budget_ratio));
  } else if (worst) {
    text += fmt::format(" The first and the worst: {} (the ring), {}.", element_text(*worst),
                        usage_text(worst->budget_ratio));
  }
  return text;
}

std::optional<ElementOnMap> on_map(const std::optional<ElementWitness>& element) {
  return element && element->meaning.component != Component::zero
             ? std::optional(ElementOnMap{element->position, element->meaning.pair})
             : std::nullopt;
}

std::string map_figure(const Check& check, std::size_t index) {
  const bool same = check.first_failing && check.worst && is_same(*check.first_failing, *check.worst);
  return to_html(error_heat_map("errors-" + std::to_string(index + 1), check.id + ".", map_story(check),
                                *check.error_map, same ? std::nullopt : on_map(check.first_failing),
                                on_map(check.worst)));
}

/// "The bits that differ are 0 to 5."
std::string bits_story(const ElementWitness& worst) {
  const auto differing = encode_bits(worst.format, worst.got) ^ encode_bits(worst.format, *worst.expected);
  const auto count = static_cast<std::uint64_t>(std::popcount(differing));
  const auto greatest = std::bit_width(differing) - 1;
  return differing == 0
             ? "The worst element is the correctly rounded one."
             : fmt::format("What the worst element should be and is, at {}: {}, the highest is bit {}.",
                           element_text(worst), counted(count, "bit differs", "bits differ"), greatest);
}

}  // namespace

bool is_shown(const Check& check) {
  return check.status != Status::pass && check.status != Status::skipped;
}

bool is_same(const ElementWitness& a, const ElementWitness& b) {
  return a.row == b.row && a.column == b.column && a.leading_index == b.leading_index;
}

std::string bits_figure(const Check& check, std::size_t index) {
  const auto& worst = *check.worst;
  return to_html(bits_chart({"bits-" + std::to_string(index + 1), check.id + ", bit by bit.",
                             bits_story(worst), worst.format, *worst.expected, worst.got}));
}

OrderedJson maps_json(const Verdict& verdict) {
  constexpr std::size_t most = 4;
  auto figures = OrderedJson::array();
  for (const auto& check : verdict.checks) {
    if (check.error_map && is_shown(check) && figures.size() < most) {
      figures.push_back(map_figure(check, figures.size()));
    }
  }
  return figures;
}

std::string map_of_passes(const Verdict& verdict) {
  const Check* closest = nullptr;
  for (const auto& check : verdict.checks) {
    if (is_shown(check)) {
      return "";
    }
    if (check.error_map &&
        (closest == nullptr || check.greatest_budget_ratio > closest->greatest_budget_ratio)) {
      closest = &check;
    }
  }
  return closest == nullptr ? "" : map_figure(*closest, 0);
}

}  // namespace vernier
