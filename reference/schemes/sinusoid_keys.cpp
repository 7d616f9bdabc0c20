#include "reference/schemes/sinusoid_keys.hpp"

#include <array>
#include <ranges>

#include <fmt/core.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> order_names{"sin_cos", "cos_sin"};

constexpr std::string_view first_key = "first";
constexpr std::string_view last_key = "last";

}  // namespace

void visit_pair_order(KeyVisitor& visit, PairOrder& order) {
  visit.defaulted("order", order, one_of(order_names));
}

std::vector<Column> interleaved_pairs(int pairs, PairOrder order) {
  const auto first = order == PairOrder::sin_cos ? Component::sine : Component::cosine;
  const auto second = order == PairOrder::sin_cos ? Component::cosine : Component::sine;
  std::vector<Column> result;
  for (int pair = 0; pair < pairs; ++pair) {
    result.push_back({pair, first});
    result.push_back({pair, second});
  }
  return result;
}

std::vector<Column> sines_of(int pairs) {
  return mapped(std::views::iota(0, pairs), [](int pair) { return Column{pair, Component::sine}; });
}

void visit_bounds(KeyVisitor& visit, std::optional<BoundedFrequencies>& bounds,
                  std::optional<BoundedFrequencies::Spacing> spacing, int pairs) {
  if (!spacing) {
    for (const auto key : {first_key, last_key}) {
      visit.forbidden(key, "none, unless \"frequency\" is \"geometric\" or \"linear\"");
    }
    return;
  }
  static const NumberRange each{factor_range().least, factor_range().greatest,
                                "a frequency from 1e-12 to 1e12, a number or text (\"pi/2\", \"10000pi/2\")"};
  visit.fallback(bounds, BoundedFrequencies{.first = {}, .last = {}, .pairs = pairs, .spacing = *spacing});
  auto& [first, last, count, kind] = *bounds;
  visit.required(first_key, first, constant(each));
  visit.required(last_key, last, constant(each));
  visit.require(first.power_of_pi == last.power_of_pi, last_key,
                first.power_of_pi == 0 ? "a number without pi, as first has none"
                                       : "a multiple of pi, as first is one");
  visit.require(pairs > 1 || first == last, last_key,
                fmt::format("{}, as first, as there is one pair", to_string(first)));
}

std::string summary_of(const BoundedFrequencies& bounds) {
  return fmt::format("{} to {} by even {}", to_string(bounds.first), to_string(bounds.last),
                     bounds.spacing == BoundedFrequencies::Spacing::linear ? "steps" : "ratios");
}

}  // namespace vernier
