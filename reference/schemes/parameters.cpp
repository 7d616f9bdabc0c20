#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

const Rational& largest_factor() {
  static const Rational value = *parse_rational("1e30");
  return value;
}

}  // namespace

std::optional<Rational> read_base(ObjectReader& reader, std::string_view key) {
  return reader.optional_number(
      key, [](const Rational& x) { return x > 1 && x <= largest_factor(); },
      "a number greater than 1, at most 1e30");
}

std::optional<Rational> read_positive(ObjectReader& reader, std::string_view key) {
  return reader.optional_number(
      key, [](const Rational& x) { return x * largest_factor() >= 1 && x <= largest_factor(); },
      "a number from 1e-30 to 1e30");
}

OrderedJson json_number(const Rational& value) {
  if (const auto integer = as_integer(value)) {
    return *integer;
  }
  return approximately(value);
}

}  // namespace vernier
