#include "numerics/errors/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <type_traits>

#include <fmt/core.h>

namespace vernier {
namespace {

constexpr int significand_bits = 53;
constexpr int smallest_exponent = -1074;  // of the unit
constexpr std::string_view hexadecimal = "0123456789abcdef";

std::uint64_t digit_at(const auto& words, std::size_t digit) {
  return words[digit / 16] >> (digit % 16 * 4) & 0xf;
}

/// The index of the highest bit that is set, -1 of zero.
int highest_bit(const auto& words) {
  for (std::size_t i = words.size(); i-- > 0;) {
    if (words[i] != 0) {
      return static_cast<int>(i) * 64 + static_cast<int>(std::bit_width(words[i])) - 1;
    }
  }
  return -1;
}

bool bit_at(const auto& words, int bit) {
  return (words[static_cast<std::size_t>(bit) / 64] >> (bit % 64) & 1) != 0;
}

/// The sum of the words, `carry` added at the lowest.
void add_to(auto& words, const auto& terms, std::uint64_t carry) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto sum = words[i] + terms[i];
    const bool wrapped = sum < words[i];
    words[i] = sum + carry;
    carry = wrapped || words[i] < sum ? 1 : 0;
  }
}

void negate(auto& words) {
  for (auto& word : words) {
    word = ~word;
  }
  add_to(words, std::remove_reference_t<decltype(words)>{}, 1);
}

}  // namespace

ExactSum& ExactSum::operator+=(double term) {
  if (!std::isfinite(term)) {
    beyond_ += term;
    return *this;
  }
  const auto bits = std::bit_cast<std::uint64_t>(term);
  const auto exponent = bits >> (significand_bits - 1) & 0x7ff;
  const auto fraction = bits & ((std::uint64_t{1} << (significand_bits - 1)) - 1);
  const auto significand = exponent == 0 ? fraction : fraction | std::uint64_t{1} << (significand_bits - 1);
  const auto shift = exponent == 0 ? 0 : exponent - 1;
  const auto in_word = shift % 64;
  std::size_t i = shift / 64;
  const auto low = significand << in_word;
  // Below 2^53, so that it takes a carry without wrapping.
  auto high = in_word == 0 ? 0 : significand >> (64 - in_word);
  if (std::signbit(term)) {
    high += words_[i] < low ? 1 : 0;
    words_[i] -= low;
    while (high != 0 && ++i < words) {
      const auto before = words_[i];
      words_[i] -= high;
      high = before < high ? 1 : 0;
    }
  } else {
    words_[i] += low;
    high += words_[i] < low ? 1 : 0;
    while (high != 0 && ++i < words) {
      words_[i] += high;
      high = words_[i] < high ? 1 : 0;
    }
  }
  return *this;
}

ExactSum& ExactSum::operator+=(const ExactSum& other) {
  add_to(words_, other.words_, 0);
  beyond_ += other.beyond_;
  return *this;
}

ExactSum::Words ExactSum::magnitude() const {
  auto result = words_;
  if (is_negative()) {
    negate(result);
  }
  return result;
}

double ExactSum::nearest() const {
  if (!std::isfinite(beyond_)) {
    return beyond_;
  }
  const auto units = magnitude();
  const int highest = highest_bit(units);
  const int lowest = std::max(highest - significand_bits + 1, 0);  // of those that a double holds
  std::uint64_t significand = 0;
  for (int bit = highest; bit >= lowest; --bit) {
    significand = significand << 1 | (bit_at(units, bit) ? 1 : 0);
  }
  if (lowest > 0 && bit_at(units, lowest - 1)) {
    bool more = (significand & 1) != 0;  // a tie goes to the even one
    for (int bit = 0; !more && bit < lowest - 1; ++bit) {
      more = bit_at(units, bit);
    }
    significand += more ? 1 : 0;
  }
  const double result = std::ldexp(static_cast<double>(significand), lowest + smallest_exponent);
  return is_negative() ? -result : result;
}

std::string ExactSum::text() const {
  if (!std::isfinite(beyond_)) {
    return std::isnan(beyond_) ? "nan" : fmt::format("{}", beyond_);
  }
  const auto units = magnitude();
  const int highest = highest_bit(units);
  if (highest < 0) {
    return "0";
  }
  std::size_t lowest = 0;
  while (digit_at(units, lowest) == 0) {
    ++lowest;
  }
  std::string digits;
  for (auto digit = static_cast<std::size_t>(highest) / 4 + 1; digit-- > lowest;) {
    digits += hexadecimal[digit_at(units, digit)];
  }
  return fmt::format("{}0x{}p{}", is_negative() ? "-" : "", digits,
                     4 * static_cast<int>(lowest) + smallest_exponent);
}

std::optional<ExactSum> ExactSum::from_text(std::string_view text) {
  ExactSum sum;
  if (text == "0") {
    return sum;
  }
  if (text == "inf" || text == "-inf" || text == "nan") {
    sum.beyond_ = text == "nan"   ? std::numeric_limits<double>::quiet_NaN()
                  : text == "inf" ? infinity
                                  : -infinity;
    return sum;
  }
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  const auto power = text.find('p');
  if (!text.starts_with("0x") || power == text.npos) {
    return std::nullopt;
  }
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data() + power + 1, text.data() + text.size(), exponent);
  const auto digits = text.substr(2, power - 2);
  const int lowest = (exponent - smallest_exponent) / 4;
  constexpr auto most_digits = static_cast<std::int64_t>(words * 16 - 1);  // and the sign
  if (error != std::errc() || end != text.data() + text.size() || (exponent - smallest_exponent) % 4 != 0 ||
      digits.empty() || lowest < 0 || lowest + std::ssize(digits) > most_digits) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto value = hexadecimal.find(digits[i]);
    if (value == hexadecimal.npos) {
      return std::nullopt;
    }
    const auto digit = static_cast<std::size_t>(lowest) + digits.size() - 1 - i;
    sum.words_[digit / 16] |= static_cast<std::uint64_t>(value) << (digit % 16 * 4);
  }
  if (negative) {
    negate(sum.words_);
  }
  return sum;
}

}  // namespace vernier
