#include "reference/keys/value_draw.hpp"

#include <algorithm>
#include <array>

#include "reference/keys/key_reader.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

using Integer = boost::multiprecision::mpz_int;
using Numbers = std::vector<Rational>;

/// How often a draw may miss its range before an end of it is taken.
constexpr int most_value_draws = 64;
/// The elements of a list beyond its fewest.
constexpr std::uint64_t most_more_elements = 5;

Rational power(int base, int exponent) {
  const Rational whole(pow(Integer(base), static_cast<unsigned>(std::abs(exponent))));
  return exponent < 0 ? Rational(1 / whole) : whole;
}

JsonValue json_of_number(const Rational& x) {
  auto text = to_string(x);
  const bool is_quotient = text.find('/') != std::string::npos;
  return is_quotient ? JsonValue(std::move(text)) : JsonValue(JsonValue::Number{std::move(text)});
}

JsonValue array_of(const Numbers& numbers) {
  return JsonValue(mapped(numbers, json_of_number));
}

struct Drawn {
  const ValueDraw& how;
  KeyDice& dice;

  /// One that has to do with those drawn before.
  Rational fitting_number() const {
    const Rational other = how.numbers.empty() ? 1 : dice.among(how.numbers);
    return std::array<Rational, 5>{other, other / 2, other * 2, other - 1, other + 1}[dice.below(5)];
  }

  /// In or out of the range.
  Rational any_number(const NumberRange& range) const {
    constexpr std::array typical{1, 2, 4, 8, 10, 32, 100, 1000, 10000, 500000, 1000000, 0, 3, 16};
    const auto kind = dice.below(how.mood == Mood::hostile ? 10 : 4);
    const auto digits = dice.below(std::uint64_t{1} << 60);
    const auto exponent = static_cast<int>(dice.below(121)) - 60;
    const auto size = dice.below(4);
    const Rational whole = dice.one_in(3) ? fitting_number() : dice.among(typical);
    const Rational little = power(10, -std::array{6, 12, 17, 30}[size]) * (dice.one_in(2) ? 1 : -1);
    const int sign = range.least < 0 && dice.one_in(2) ? -1 : 1;
    const auto& end = size % 2 == 0 ? range.least : range.greatest;
    switch (kind) {
      case 0:
        return sign * whole;
      case 1:
        return sign * whole / std::array<Rational, 4>{2, 10, 100, 1 + abs(fitting_number())}[size];
      case 2:
        return Rational(digits % 1000) * power(10, exponent / 8);
      case 3:
        return range.least + (range.greatest - range.least) * Rational(digits % 1000, 999);
      case 4:
        return end;
      case 5:
        return end + (range.grid == NumberRange::Grid::integers ? Rational(size < 2 ? 1 : -1)
                      : end == 0                                ? little
                                                                : Rational(little * end));
      case 6:  // of 18 digits
        return Rational(digits) * power(10, exponent / 4 - 18);
      case 7:
        return Rational(digits % (1 << 30), 1 + digits / (1 << 30));
      case 8:
        return power(2, exponent) * (1 + (size < 2 ? Rational(0) : power(2, -std::array{23, 53}[size % 2])));
      default:
        return 1 + little;
    }
  }

  Rational on_grid(const Rational& x, const NumberRange& range) const {
    switch (range.grid) {
      case NumberRange::Grid::all:
        return x;
      case NumberRange::Grid::integers:
        return Integer(numerator(x) / denominator(x));
      case NumberRange::Grid::powers_of_two:
        return power(2, static_cast<int>(dice.below(129)) - 64);
      case NumberRange::Grid::signed_magnitude:
        return dice.one_in(16) ? Rational(0) : dice.one_in(2) ? x : Rational(-x);
    }
    return x;
  }

  Rational number(NumberRange range, bool is_size, bool may_be_text) const {
    const bool is_even = is_size && range.grid == NumberRange::Grid::integers && !dice.one_in(4);
    if (is_size && range.grid == NumberRange::Grid::integers) {
      const Rational greatest = dice.one_in(2) ? abs(fitting_number()) : Rational(how.greatest_size);
      range.greatest = std::clamp<Rational>(on_grid(greatest, range), range.least,
                                            std::min<Rational>(range.greatest, how.greatest_size));
    }
    for (int i = 0; i < most_value_draws; ++i) {
      auto x = on_grid(any_number(range), range);
      if (is_even) {
        x = 2 * on_grid(x / 2, range);
      }
      if (range.contains(x) && (may_be_text || to_string(x).find('/') == std::string::npos)) {
        return x;
      }
    }
    return range.greatest;
  }

  Numbers numbers(const NumberRange& range, std::size_t size) const {
    Numbers result(size);
    std::ranges::generate(result, [&] { return number(range, true, true); });
    return result;
  }

  NumberRows rows(const KeyDomain& domain, std::size_t count, std::size_t columns) const {
    NumberRows result(count);
    std::ranges::generate(result, [&] { return numbers(domain.range, columns); });
    return result;
  }

  /// Parts of what was drawn before, or a permutation of 0 .. n - 1, or else any numbers.
  Numbers list(const KeyDomain& domain) const {
    auto result = numbers(domain.range, how.size(domain.count, dice));
    const auto kind = domain.sum ? 0 : dice.below(3);
    if (domain.range.grid != NumberRange::Grid::integers || kind == 2) {
      return result;
    }
    auto other = result;
    auto left = domain.sum ? Rational(*domain.sum) : on_grid(abs(fitting_number()), domain.range);
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (kind == 0) {
        other[i] = i + 1 == other.size() ? left : on_grid(left * Rational(dice.below(5), 4), domain.range);
        left -= other[i];
      } else {
        const auto j = dice.below(i + 1);
        other[i] = other[j];
        other[j] = i;
      }
    }
    return takes(domain, array_of(other)) ? other : result;
  }
};

struct InJson {
  const KeyDomain& domain;

  JsonValue operator()(std::monostate) const { return JsonValue(); }
  JsonValue operator()(std::int64_t value) const { return json_of_number(value); }
  JsonValue operator()(const Rational& value) const { return json_of_number(value); }
  JsonValue operator()(const Constant& value) const {
    return value.power_of_pi == 0 ? json_of_number(value.factor) : JsonValue(to_string(value));
  }
  JsonValue operator()(bool value) const { return JsonValue(value); }
  JsonValue operator()(std::size_t choice) const {
    return JsonValue(std::string(choice < domain.choices.size() ? domain.choices[choice] : "none"));
  }
  JsonValue operator()(const NumberRows& rows) const {
    return rows.size() == 1 && domain.kind == KeyDomain::Kind::heads ? (*this)(rows.front()) : array(rows);
  }
  JsonValue operator()(const Numbers& numbers) const { return array_of(numbers); }
  JsonValue operator()(const std::vector<NumberRows>& rows) const { return array(rows); }
  template <class Element>
  JsonValue array(const std::vector<Element>& list) const {
    return JsonValue(mapped(list, *this));
  }
};

}  // namespace

std::optional<Rational> number_of(const KeyValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return *integer;
  }
  if (const auto* constant = std::get_if<Constant>(&value)) {
    return constant->factor;
  }
  const auto* number = std::get_if<Rational>(&value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

KeyValue number_as_value(const Rational& number, const KeyDomain& domain) {
  switch (domain.kind) {
    case KeyDomain::Kind::integer: {
      const auto integer = as_integer(number);
      return integer ? KeyValue(*integer) : KeyValue();
    }
    case KeyDomain::Kind::number:
      return number;
    case KeyDomain::Kind::constant:
      return Constant{number, 0};
    default:
      return {};
  }
}

std::size_t ValueDraw::size(ListCount count, KeyDice& dice) const {
  const auto most = 1 + dice.below(most_more_elements);
  return std::min(count.most, count.fewest + dice.below(most));
}

KeyValue ValueDraw::operator()(const KeyDomain& domain, std::string_view unit, KeyDice& dice) const {
  const Drawn drawn{*this, dice};
  switch (domain.kind) {
    case KeyDomain::Kind::integer:
    case KeyDomain::Kind::number:
      return number_as_value(drawn.number(domain.range, unit != "positions", false), domain);
    case KeyDomain::Kind::constant: {
      auto factor = drawn.number(domain.range, false, true);
      return Constant{std::move(factor), domain.may_have_pi && dice.one_in(4) ? 1 : 0};
    }
    case KeyDomain::Kind::boolean:
      return dice.one_in(2);
    case KeyDomain::Kind::choice:
      return static_cast<std::size_t>(dice.below(domain.choices.size()));
    case KeyDomain::Kind::numbers:
      return drawn.list(domain);
    case KeyDomain::Kind::rows:
      return drawn.rows(domain, size(domain.count, dice), size(domain.columns, dice));
    case KeyDomain::Kind::heads: {
      const auto columns = size(domain.columns, dice);
      const auto heads = domain.may_have_heads && columns % 2 == 0 && dice.one_in(2) ? columns / 2 : 1;
      std::vector<NumberRows> rows(size(domain.count, dice));
      std::ranges::generate(rows, [&] { return drawn.rows(domain, heads, columns / heads); });
      return rows;
    }
  }
  return {};
}

JsonValue json_value(const KeyValue& value, const KeyDomain& domain) {
  return std::visit(InJson{domain}, value);
}

bool takes(const KeyDomain& domain, const JsonValue& value) {
  const JsonValue document(JsonValue::Object{{"key", value}});
  ObjectReader reader(document, "", "");
  try {
    return read_value(reader, "key", domain, true).has_value();
  } catch (const InputError&) {
    return false;
  }
}

JsonValue wrong_value(const KeyDomain& domain, KeyDice& dice) {
  const auto& range = domain.range;
  for (;;) {
    const Rational number = dice.among(std::array<Rational, 5>{
        range.least - 1, range.greatest + 1, range.least, range.greatest * 2, range.least + Rational(1, 2)});
    const std::array<JsonValue, 7> candidates{json_of_number(number),
                                              array_of({number}),
                                              JsonValue(JsonValue::Array{array_of({number})}),
                                              JsonValue(std::string("nonsense")),
                                              JsonValue(JsonValue::Object{}),
                                              JsonValue(JsonValue::Array{}),
                                              JsonValue(true)};
    if (const auto& value = dice.among(candidates); abs(number) < power(10, 300) && !takes(domain, value)) {
      return value;
    }
  }
}

}  // namespace vernier
