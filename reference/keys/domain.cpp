#include "reference/keys/domain.hpp"

#include <algorithm>

#include "reference/json/json.hpp"

namespace vernier {
namespace {

bool is_power_of_two(const Rational& x) {
  using Integer = boost::multiprecision::mpz_int;
  const auto has_one_bit = [](const Integer& n) { return n > 0 && lsb(n) == msb(n); };
  return has_one_bit(numerator(x)) && has_one_bit(denominator(x));
}

}  // namespace

bool NumberRange::contains(const Rational& x) const {
  if (grid == Grid::signed_magnitude) {
    return x == 0 || (abs(x) >= least && abs(x) <= greatest);
  }
  return (is_open ? x > least : x >= least) && x <= greatest &&
         (grid != Grid::integers || denominator(x) == 1) &&
         (grid != Grid::powers_of_two || is_power_of_two(x));
}

std::optional<std::size_t> KeyDomain::choice_named(std::string_view name) const {
  if (const auto older =
          std::ranges::find(older_names, name, &std::pair<std::string_view, std::size_t>::first);
      older != older_names.end()) {
    return older->second;
  }
  const auto found = std::ranges::find(choices, name);
  return found == choices.end() ? std::nullopt : std::optional<std::size_t>(found - choices.begin());
}

KeyDomain boolean() {
  return {};
}

KeyDomain one_of(std::span<const std::string_view> names) {
  return {.kind = KeyDomain::Kind::choice, .choices = {names.begin(), names.end()}};
}

KeyDomain one_of(std::vector<std::string_view> names, std::string words) {
  return {.kind = KeyDomain::Kind::choice, .choices = std::move(names), .words = std::move(words)};
}

KeyDomain integer(std::int64_t least, std::int64_t greatest) {
  return {.kind = KeyDomain::Kind::integer,
          .range = whole_numbers(least, greatest, integer_from_to(least, greatest))};
}

KeyDomain number(NumberRange range) {
  return {.kind = KeyDomain::Kind::number, .range = std::move(range)};
}

KeyDomain quotient(NumberRange range) {
  return {.kind = KeyDomain::Kind::constant, .range = std::move(range)};
}

KeyDomain constant(NumberRange range) {
  return {.kind = KeyDomain::Kind::constant, .range = std::move(range), .may_have_pi = true};
}

KeyDomain list_of(NumberRange elements, ListCount count, std::string words) {
  return {.kind = KeyDomain::Kind::numbers,
          .range = std::move(elements),
          .count = count,
          .words = std::move(words)};
}

KeyDomain rows_of(NumberRange elements, ListCount count, std::string words) {
  return {
      .kind = KeyDomain::Kind::rows, .range = std::move(elements), .count = count, .words = std::move(words)};
}

KeyDomain heads_of(NumberRange elements, ListCount count, ListCount columns, std::string words) {
  return {.kind = KeyDomain::Kind::heads,
          .range = std::move(elements),
          .count = count,
          .columns = columns,
          .words = std::move(words)};
}

NumberRange whole_numbers(std::int64_t least, std::int64_t greatest, std::string element) {
  return {least, greatest, std::move(element), false, NumberRange::Grid::integers};
}

}  // namespace vernier
