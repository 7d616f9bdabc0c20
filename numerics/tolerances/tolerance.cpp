#include "numerics/tolerances/tolerance.hpp"

#include <algorithm>
#include <array>

#include "numerics/tolerances/greatest_rounding.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 4> words_for_expected{"certified", "rounded", "another", "same-table"};

}  // namespace

std::span<const std::string_view> expected_names() {
  return words_for_expected;
}

std::optional<Expected> expected_named(std::string_view name) {
  const auto found = std::ranges::find(words_for_expected, name);
  return found == words_for_expected.end()
             ? std::nullopt
             : std::optional(static_cast<Expected>(found - words_for_expected.begin()));
}

Tolerance smallest_tolerance(const GreatestErrors& errors, Format stored, Expected expected) {
  const double u = traits(stored).unit_roundoff();
  const double half_subnormal = traits(stored).smallest() / 2;
  const double rounding = 2 * errors.last_ulps * u;
  const double before =
      errors.before_storage.before_storage() * (1 + rounding) + 2 * errors.last_ulps * half_subnormal;
  switch (expected) {
    case Expected::certified:
      return {before, rounding};
    case Expected::rounded:
      return {before + half_subnormal, (rounding + u) * (1 + 2 * u)};
    case Expected::another:
    case Expected::same_table:
      break;
  }
  const double relative = 2 * rounding * (1 + 2 * u);
  return {before * (2 + relative), relative};
}

double absolute_part_needed(const GreatestErrors& errors, Format stored, Expected expected, double relative,
                            double greatest_value) {
  const auto smallest = smallest_tolerance(errors, stored, expected);
  const double total = errors.total.total();
  const double difference = expected == Expected::certified ? total
                            : expected == Expected::rounded
                                ? total + greatest_rounding(stored, greatest_value)
                                : 2 * total;
  const double lacking = std::max(0.0, smallest.relative - relative) * (greatest_value + total);
  return std::min(smallest.absolute + lacking, difference);
}

}  // namespace vernier
