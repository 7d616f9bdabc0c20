#include "reference/ladder/fixed_point_rotation.hpp"

#include <bit>
#include <cassert>

#include <gmp.h>
#include <mpfi.h>

#include "reference/numbers/format.hpp"
#include "reference/numbers/sine_cosine.hpp"

namespace vernier {
namespace {

using Number = FixedPointRotation::Number;

constexpr int limbs = 4;
constexpr int fraction_bits = 254;
static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t) && GMP_NUMB_BITS == 64);

const mp_limb_t* raw(const Number& number) {
  return reinterpret_cast<const mp_limb_t*>(number.data());
}

/// All ones where the number is negative.
std::uint64_t sign_mask(const Number& number) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(number.back()) >> 63);
}

Number masked(const Number& number, std::uint64_t mask) {
  return {number[0] & mask, number[1] & mask, number[2] & mask, number[3] & mask};
}

Number sum(const Number& a, const Number& b) {
  Number result;
  unsigned long long carry = 0;
  for (std::size_t i = 0; i < limbs; ++i) {
    unsigned long long first = 0;
    const auto overflow = __builtin_add_overflow(static_cast<unsigned long long>(a[i]), b[i], &first);
    unsigned long long second = 0;
    carry = static_cast<unsigned long long>(__builtin_add_overflow(first, carry, &second)) | overflow;
    result[i] = second;
  }
  return result;
}

Number difference(const Number& a, const Number& b) {
  Number result;
  unsigned long long borrow = 0;
  for (std::size_t i = 0; i < limbs; ++i) {
    unsigned long long first = 0;
    const auto underflow = __builtin_sub_overflow(static_cast<unsigned long long>(a[i]), b[i], &first);
    unsigned long long second = 0;
    borrow = static_cast<unsigned long long>(__builtin_sub_overflow(first, borrow, &second)) | underflow;
    result[i] = second;
  }
  return result;
}

/// a b rounded down. Two's complement limbs read as unsigned are too large by 2^256 where negative, so the
/// other factor is taken from the upper half of the product: no branch, as signs are as good as random.
Number product(const Number& a, const Number& b) {
  std::array<mp_limb_t, 2 * limbs> wide;
  mpn_mul_n(wide.data(), raw(a), raw(b), limbs);
  Number upper{wide[4], wide[5], wide[6], wide[7]};
  upper = difference(difference(upper, masked(b, sign_mask(a))), masked(a, sign_mask(b)));
  Number result;
  for (std::size_t i = 0; i < limbs; ++i) {
    const auto below = i == 0 ? wide[limbs - 1] : upper[i - 1];
    result[i] = (upper[i] << (256 - fraction_bits)) | (below >> (fraction_bits - 192));
  }
  return result;
}

Number magnitude(const Number& number) {
  return sign_mask(number) != 0 ? difference(Number{}, number) : number;
}

/// The middle of an interval in [-1, 1], rounded down.
Number fixed_point(const Interval& interval) {
  mpfr_t scaled;
  mpfr_init2(scaled, mpfi_get_prec(interval.backend().data()));
  mpfi_mid(scaled, interval.backend().data());
  mpfr_mul_2si(scaled, scaled, fraction_bits, MPFR_RNDN);
  mpz_t integer;
  mpz_init(integer);
  mpfr_get_z(integer, scaled, MPFR_RNDD);
  mpz_fdiv_r_2exp(integer, integer, 64 * limbs);
  Number result{};
  mpz_export(result.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, integer);
  mpz_clear(integer);
  mpfr_clear(scaled);
  return result;
}

}  // namespace

FixedPointRotation identity_rotation() {
  return {{0, 0, 0, std::uint64_t{1} << (fraction_bits - 192)}, {}};
}

FixedPointRotation rotation_by(const Interval& phase) {
  assert(radius(phase) < widest_phase);
  const auto [sine, cosine] = sine_cosine(phase);
  return {fixed_point(cosine), fixed_point(sine)};
}

FixedPointRotation operator*(const FixedPointRotation& a, const FixedPointRotation& b) {
  return {difference(product(a.cosine, b.cosine), product(a.sine, b.sine)),
          sum(product(a.sine, b.cosine), product(a.cosine, b.sine))};
}

DoubleDouble as_double_double(const Number& number) {
  auto left = magnitude(number);
  // The 128 bits from the leading one on; what follows is less than 2^-127 of the whole.
  int exponent = 64 * limbs - 1 - fraction_bits;
  int top = limbs - 1;
  while (top > 0 && left[static_cast<std::size_t>(top)] == 0) {
    --top;
    exponent -= 64;
  }
  const auto limb = [&](int index) { return index < 0 ? 0 : left[static_cast<std::size_t>(index)]; };
  if (limb(top) == 0) {
    return {};
  }
  const int shift = std::countl_zero(limb(top));
  const auto shifted = [&](int index) {
    return shift == 0 ? limb(index) : (limb(index) << shift) | (limb(index - 1) >> (64 - shift));
  };
  const std::uint64_t first = shifted(top);
  const std::uint64_t second = shifted(top - 1);
  // 53 bits cut off exactly, then 64 more rounded by u of themselves, and they are below 2u of the whole.
  const double unit = detail::power_of_two(exponent - shift - 116);
  const double high = static_cast<double>(first >> 11) * 0x1p64 * unit;
  const double low = static_cast<double>((first << 53) | (second >> 11)) * unit;
  const auto result = fast_two_sum(high, low);
  return sign_mask(number) != 0 ? -result : result;
}

}  // namespace vernier
