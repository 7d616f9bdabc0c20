#include "reference/keys/value_draw.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <tuple>

#include "reference/input_error.hpp"
#include "reference/keys/key_reader.hpp"

namespace vernier {
namespace {

using Kind = Domain::Kind;
using Integer = boost::multiprecision::mpz_int;

/// How often a proposal may miss its range before the range's end is taken.
constexpr int most_proposals = 64;
/// The elements of a list beyond its fewest.
constexpr std::uint64_t most_more_elements = 5;

Rational power(int base, int exponent) {
  const Rational whole(pow(Integer(base), static_cast<unsigned>(std::abs(exponent))));
  return exponent < 0 ? Rational(1 / whole) : whole;
}

bool is_decimal(const Rational& x) {
  return to_string(x).find('/') == std::string::npos;
}

/// From `least` on, each power of two as likely as another. \param greatest at least `least`
std::int64_t log_uniform(std::int64_t least, std::int64_t greatest, Dice& dice) {
  const auto span = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
  const auto bits = dice.below(static_cast<std::uint64_t>(std::bit_width(span)) + 1);
  const auto offset =
      bits == 0 ? 0 : (std::uint64_t{1} << (bits - 1)) + dice.below(std::uint64_t{1} << (bits - 1));
  return least + static_cast<std::int64_t>(std::min(offset, span));
}

std::int64_t any_integer(std::int64_t least, std::int64_t greatest, Dice& dice) {
  if (least < 0 && greatest > 0 && dice.one_in(2)) {
    return dice.one_in(2) ? log_uniform(0, greatest, dice) : -log_uniform(0, -least, dice);
  }
  return log_uniform(least, greatest, dice);
}

/// An integer that has to do with those drawn before.
std::int64_t fitting_integer(const std::vector<std::int64_t>& others, Dice& dice) {
  const auto other = others.empty() ? std::int64_t{1} : dice.among(others);
  return std::array<std::int64_t, 5>{other, other / 2, other * 2, other - 1, other + 1}[dice.below(5)];
}

std::int64_t near_power_of_two(Dice& dice) {
  const auto power = std::int64_t{1} << dice.below(54);
  return power + static_cast<std::int64_t>(dice.below(3)) - 1;
}

Rational fitting_quotient(const std::vector<std::int64_t>& others, Dice& dice) {
  const auto numerator = fitting_integer(others, dice);
  return Rational(numerator, std::max<std::int64_t>(1, fitting_integer(others, dice)));
}

std::int64_t hostile_integer(std::int64_t least, std::int64_t greatest, Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return dice.one_in(2) ? least : greatest;
    case 1:
      return dice.one_in(2) ? least + 1 : greatest - 1;
    case 2:
      return near_power_of_two(dice);
    default:
      return any_integer(least, greatest, dice);
  }
}

Rational usual_number(const NumberRange& range, Dice& dice) {
  constexpr std::array<std::int64_t, 14> typical{1,    2,     4,      8,       10, 32, 100,
                                                 1000, 10000, 500000, 1000000, 0,  3,  16};
  const auto kind = dice.below(4);
  const auto exponent = static_cast<int>(dice.below(13)) - 7;
  const auto whole = dice.among(typical);
  const auto digits = dice.below(1000);
  switch (kind) {
    case 0:
      return whole;
    case 1:
      return Rational(whole, std::array{2, 4, 10, 100}[digits % 4]);
    case 2:
      return Rational(digits) * power(10, exponent);
    default:
      return range.least + (range.greatest - range.least) * Rational(digits, 1000);
  }
}

Rational hostile_number(const NumberRange& range, Dice& dice) {
  const auto kind = dice.below(7);
  const auto exponent = static_cast<int>(dice.below(121)) - 60;
  const int sign = dice.one_in(2) ? 1 : -1;
  const auto size = dice.below(4);
  const auto digits = 1 + dice.below(std::uint64_t{1} << 60);
  const auto others = 1 + dice.below(std::uint64_t{1} << 40);
  const auto& end = size % 2 == 0 ? range.least : range.greatest;
  const Rational little = power(10, -std::array{6, 12, 17, 30}[size]);
  switch (kind) {
    case 0:
      return end;
    case 1:
      return end + sign * little * (end == 0 ? Rational(1) : end);
    case 2:  // of about 18 digits
      return Rational(digits) * power(10, exponent / 4 - 18);
    case 3:
      return Rational(digits, others);
    case 4:
      return power(2, exponent) + sign * power(2, exponent - std::array{23, 24, 52, 53}[size]);
    case 5:
      return power(2, exponent);
    default:
      return 1 + sign * little;
  }
}

Rational on_grid(const Rational& x, const NumberRange& range, Dice& dice) {
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

JsonValue number_value(const Rational& x) {
  auto text = to_string(x);
  return text.find('/') == std::string::npos ? JsonValue(JsonValue::Number{std::move(text)})
                                             : JsonValue(std::move(text));
}

JsonValue array_of(const std::vector<Rational>& numbers) {
  JsonValue::Array array;
  std::ranges::transform(numbers, std::back_inserter(array), number_value);
  return JsonValue(std::move(array));
}

/// Numbers that lists often are: parts of one that was drawn before, or a permutation of 0 .. n - 1.
std::optional<std::vector<Rational>> fitting_list(const Domain& domain,
                                                  const std::vector<std::int64_t>& others, Dice& dice) {
  auto size = domain.count.fewest + dice.below(most_more_elements);
  std::vector<Rational> result;
  if (dice.one_in(2)) {
    auto left = std::max<std::int64_t>(0, fitting_integer(others, dice));
    while (size-- > 1) {
      const auto part = static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(left) + 1));
      result.emplace_back(part);
      left -= part;
    }
    result.emplace_back(left);
  } else {
    for (std::uint64_t i = 0; i < size; ++i) {
      result.insert(result.begin() + static_cast<std::ptrdiff_t>(dice.below(i + 1)), Rational(i));
    }
  }
  return takes(domain, array_of(result)) ? std::optional(result) : std::nullopt;
}

struct Drawn {
  const ValueDraw& how;
  Dice& dice;

  std::int64_t integer(const NumberRange& range, bool is_size) const {
    const auto least = *as_integer(range.least);
    const auto end = *as_integer(range.greatest);
    const auto greatest = is_size ? std::clamp(how.greatest_size, least, end) : end;
    for (int i = 0; i < most_proposals; ++i) {
      const auto x = dice.one_in(4)              ? fitting_integer(how.integers, dice)
                     : how.mood == Mood::hostile ? hostile_integer(least, greatest, dice)
                                                 : any_integer(least, greatest, dice);
      if (x >= least && x <= greatest) {
        return x;
      }
    }
    return greatest;
  }

  Rational number(const NumberRange& range, bool may_be_quotient) const {
    for (int i = 0; i < most_proposals; ++i) {
      const auto raw = how.mood == Mood::hostile && !dice.one_in(4) ? hostile_number(range, dice)
                       : dice.one_in(8)                             ? fitting_quotient(how.integers, dice)
                                                                    : usual_number(range, dice);
      auto x = on_grid(raw, range, dice);
      if (range.contains(x) && (may_be_quotient || is_decimal(x))) {
        return x;
      }
    }
    return range.greatest;
  }

  std::vector<Rational> list(const NumberRange& range, std::size_t size) const {
    std::vector<Rational> result(size);
    std::ranges::generate(result, [&] {
      return range.grid == NumberRange::Grid::integers ? Rational(integer(range, true)) : number(range, true);
    });
    return result;
  }
};

struct InJson {
  const Domain& domain;

  JsonValue operator()(std::monostate) const { return JsonValue(); }
  JsonValue operator()(std::int64_t value) const { return number_value(value); }
  JsonValue operator()(const Rational& value) const { return number_value(value); }
  JsonValue operator()(const Constant& value) const {
    return value.power_of_pi == 0 ? number_value(value.factor) : JsonValue(to_string(value));
  }
  JsonValue operator()(bool value) const { return JsonValue(value); }
  JsonValue operator()(std::size_t choice) const {
    return JsonValue(std::string(choice < domain.choices.size() ? domain.choices[choice] : ""));
  }
  JsonValue operator()(const std::vector<Rational>& list) const { return array_of(list); }
  JsonValue operator()(const std::vector<std::vector<Rational>>& rows) const {
    JsonValue::Array array;
    std::ranges::transform(rows, std::back_inserter(array), array_of);
    return JsonValue(std::move(array));
  }
};

}  // namespace

KeyValue ValueDraw::operator()(const Domain& domain, std::string_view unit, Dice& dice) const {
  const Drawn drawn{*this, dice};
  const auto& range = domain.range;
  switch (domain.kind) {
    case Kind::integer:
      return drawn.integer(range, unit != "positions");
    case Kind::number:
      return drawn.number(range, false);
    case Kind::constant:
      return Constant{.factor = drawn.number(range, true),  // sequenced, as braces are
                      .power_of_pi = domain.may_have_pi && dice.one_in(4) ? 1 : 0};
    case Kind::boolean:
      return dice.one_in(2);
    case Kind::choice:
      return static_cast<std::size_t>(dice.below(domain.choices.size()));
    case Kind::numbers:
      if (range.grid == NumberRange::Grid::integers && !dice.one_in(3)) {
        if (auto list = fitting_list(domain, integers, dice)) {
          return *std::move(list);
        }
      }
      return drawn.list(range, size(domain.count, dice));
    case Kind::rows: {
      std::vector<std::vector<Rational>> rows(std::max<std::size_t>(1, size(domain.count, dice)));
      const auto columns = 1 + dice.below(most_more_elements);
      std::ranges::generate(rows, [&] { return drawn.list(range, columns); });
      return rows;
    }
  }
  return {};
}

std::size_t ValueDraw::size(Count count, Dice& dice) const {
  return std::min(count.most, count.fewest + dice.below(most_more_elements));
}

bool takes(const Domain& domain, const JsonValue& value) {
  const JsonValue document(JsonValue::Object{{"key", value}});
  ObjectReader reader(document, "", "");
  try {
    return read_value(reader, "key", domain, true).has_value();
  } catch (const InputError&) {
    return false;
  }
}

JsonValue json_value(const KeyValue& value, const Domain& domain) {
  return std::visit(InJson{domain}, value);
}

JsonValue wrong_value(const Domain& domain, Dice& dice) {
  const auto& [least, greatest] = std::tie(domain.range.least, domain.range.greatest);
  for (;;) {
    const Rational beyond = std::array<Rational, 5>{least - 1, greatest + 1, least, greatest * 2,
                                                    least + Rational(1, 2)}[dice.below(5)];
    const std::array<JsonValue, 7> candidates{number_value(beyond),
                                              array_of({beyond}),
                                              JsonValue(JsonValue::Array{array_of({beyond})}),
                                              JsonValue(std::string("nonsense")),
                                              JsonValue(JsonValue::Object{}),
                                              JsonValue(JsonValue::Array{}),
                                              JsonValue(true)};
    if (const auto& value = dice.among(candidates); !takes(domain, value)) {
      return value;
    }
  }
}

}  // namespace vernier
