#include "reference/numbers/interval.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <mpfi.h>

namespace vernier {
namespace {

/// Boost counts precision in decimal digits d and gives d / 0.301 bits or a little more; this is its inverse,
/// rounded up.
unsigned digits_for_bits(unsigned bits) {
  return bits * 301 / 1000 + 1;
}

/// MPFR keeps constants and buffers for each thread, and is not told when one ends.
struct CachesOfThread {
  ~CachesOfThread() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

std::recursive_mutex& precision_lock() {
  static std::recursive_mutex lock;
  return lock;
}

}  // namespace

WorkingPrecision::WorkingPrecision(unsigned bits)
    : lock_(precision_lock()), previous_digits_(Interval::default_precision()) {
  assert(bits >= 24);
  [[maybe_unused]] thread_local const CachesOfThread freed_at_its_end{};
  Interval::default_precision(digits_for_bits(bits));
}

WorkingPrecision::~WorkingPrecision() {
  Interval::default_precision(previous_digits_);
}

Interval enclose(const Rational& value) {
  Interval result;
  mpfi_set_q(result.backend().data(), value.backend().data());
  return result;
}

Interval enclose(std::int64_t value) {
  static_assert(sizeof(long) == sizeof(std::int64_t), "mpfi_set_si takes a long");
  Interval result;
  mpfi_set_si(result.backend().data(), value);
  return result;
}

Interval enclose(double value) {
  assert(std::isfinite(value));
  Interval result;
  mpfi_set_d(result.backend().data(), value);
  return result;
}

Interval pi() {
  Interval result;
  mpfi_const_pi(result.backend().data());
  return result;
}

Interval hull(double lower, double upper) {
  assert(lower <= upper);
  Interval result;
  mpfi_interv_d(result.backend().data(), lower, upper);
  return result;
}

bool contains(const Interval& interval, const Rational& value) {
  return mpfi_is_inside_q(value.backend().data(), interval.backend().data()) != 0;
}

bool contains_zero(const Interval& interval) {
  return mpfi_has_zero(interval.backend().data()) != 0;
}

double least_magnitude(const Interval& interval) {
  if (contains_zero(interval)) {
    return 0;
  }
  const auto* data = interval.backend().data();
  return mpfi_is_pos(data) != 0 ? mpfr_get_d(&data->left, MPFR_RNDD) : -mpfr_get_d(&data->right, MPFR_RNDU);
}

double greatest_magnitude(const Interval& interval) {
  const auto* data = interval.backend().data();
  return std::max(mpfr_get_d(&data->right, MPFR_RNDU), -mpfr_get_d(&data->left, MPFR_RNDD));
}

double radius(const Interval& interval) {
  const auto* data = interval.backend().data();
  Interval width;
  auto* upper = &width.backend().data()->right;
  mpfr_sub(upper, &data->right, &data->left, MPFR_RNDU);
  mpfr_div_2ui(upper, upper, 1, MPFR_RNDU);
  return mpfr_get_d(upper, MPFR_RNDU);
}

double middle(const Interval& interval) {
  return mpfi_get_d(interval.backend().data());
}

CentredInterval centred(const Interval& x) {
  CentredInterval result{x, x};
  auto* centre = result.centre.backend().data();
  mpfi_mid(&centre->left, x.backend().data());
  mpfr_set(&centre->right, &centre->left, MPFR_RNDN);
  result.spread = symmetric(Interval(x - result.centre));
  return result;
}

Interval symmetric(const Interval& x) {
  Interval result;
  auto* ends = result.backend().data();
  mpfi_mag(&ends->right, x.backend().data());
  mpfr_neg(&ends->left, &ends->right, MPFR_RNDD);
  return result;
}

}  // namespace vernier
