#include "numerics/errors/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <ios>
#include <limits>

#include <fmt/core.h>
#include <mpfr.h>

#include "reference/numbers/parsed_number.hpp"

namespace vernier {
namespace {

constexpr int significand_bits = 53;
constexpr int smallest_exponent = -1074;  // of the unit
using Integer = boost::multiprecision::mpz_int;

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
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const auto sum = words_[i] + other.words_[i];
    const bool wrapped = sum < words_[i];
    words_[i] = sum + carry;
    carry = wrapped || words_[i] < sum ? 1 : 0;
  }
  beyond_ += other.beyond_;
  return *this;
}

Integer ExactSum::units() const {
  Integer result;
  mpz_import(result.backend().data(), words, -1, sizeof(std::uint64_t), 0, 0, words_.data());
  return words_.back() >> 63 != 0 ? Integer(result - (Integer(1) << (64 * words))) : result;
}

double ExactSum::nearest() const {
  if (!std::isfinite(beyond_)) {
    return beyond_;
  }
  mpfr_t rounded;
  mpfr_init2(rounded, significand_bits);
  mpfr_set_z_2exp(rounded, units().backend().data(), smallest_exponent, MPFR_RNDN);
  const double result = mpfr_get_d(rounded, MPFR_RNDN);
  mpfr_clear(rounded);
  return result;
}

std::string ExactSum::text() const {
  if (!std::isfinite(beyond_)) {
    return std::isnan(beyond_) ? "nan" : fmt::format("{}", beyond_);
  }
  const auto all = units();
  if (all == 0) {
    return "0";
  }
  auto digits = Integer(abs(all)).str(0, std::ios_base::hex);
  const auto zeros = digits.size() - 1 - digits.find_last_not_of('0');
  digits.resize(digits.size() - zeros);
  return fmt::format("{}0x{}p{}", all < 0 ? "-" : "", digits,
                     4 * static_cast<int>(zeros) + smallest_exponent);
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
  const auto exponent = parsed_number<int>(text.substr(power + 1));
  const auto digits = text.substr(2, power - 2);
  const int shift = exponent.value_or(0) - smallest_exponent;
  constexpr auto most_digits = static_cast<std::int64_t>(words * 16 - 1);  // and the sign
  if (!exponent || shift % 4 != 0 || digits.empty() ||
      digits.find_first_not_of("0123456789abcdef") != digits.npos || shift < 0 ||
      shift / 4 + std::ssize(digits) > most_digits) {
    return std::nullopt;
  }
  Integer units = Integer("0x" + std::string(digits)) << shift;
  if (negative && units != 0) {
    units = (Integer(1) << (64 * words)) - units;
  }
  mpz_export(sum.words_.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, units.backend().data());
  return sum;
}

}  // namespace vernier
