#include "reference/schemes/frequency_bounds.hpp"

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

constexpr std::string_view first_key = "first";
constexpr std::string_view last_key = "last";

Constant read_bound(ObjectReader& reader, std::string_view key) {
  constexpr std::string_view expected =
      "a frequency from 1e-12 to 1e12, a number or text (\"pi/2\", \"10000pi/2\")";
  const auto value = reader.optional_constant(key, is_factor, expected);
  if (!value) {
    reader.refuse(key, expected);
  }
  return *value;
}

}  // namespace

BoundedFrequencies read_bounds(ObjectReader& reader, BoundedFrequencies::Spacing spacing, int pairs) {
  BoundedFrequencies result{read_bound(reader, first_key), read_bound(reader, last_key), pairs, spacing};
  if (result.first.power_of_pi != result.last.power_of_pi) {
    reader.refuse(last_key, result.first.power_of_pi == 0 ? "a number without pi, as first has none"
                                                          : "a multiple of pi, as first is one");
  }
  if (pairs == 1 && result.first != result.last) {
    reader.refuse(last_key, fmt::format("{}, as first, as there is one pair", to_string(result.first)));
  }
  return result;
}

void refuse_bounds(ObjectReader& reader) {
  for (const auto key : {first_key, last_key}) {
    if (reader.has(key)) {
      reader.refuse(key, "none, unless \"frequency\" is \"geometric\" or \"linear\"");
    }
    reader.ignore(key);
  }
}

void write_bounds(const BoundedFrequencies& bounds, OrderedJson& to) {
  to[first_key] = exact_json_number(bounds.first);
  to[last_key] = exact_json_number(bounds.last);
}

std::string summary_of(const BoundedFrequencies& bounds) {
  return fmt::format("{} to {} by even {}", to_string(bounds.first), to_string(bounds.last),
                     bounds.spacing == BoundedFrequencies::Spacing::linear ? "steps" : "ratios");
}

}  // namespace vernier
