#include "props/judging/interval_predicates.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include <mpfi.h>

#include "reference/numbers/rational.hpp"

namespace vernier {
namespace {

/// Half a unit of the last digit of a decimal without exponent.
Rational half_unit(std::string_view decimal) {
  const auto point = decimal.find('.');
  const auto places = point == std::string_view::npos ? 0 : decimal.size() - point - 1;
  return *parse_rational(std::string("0.5e-") + std::to_string(places));
}

/// How many significant digits of the middle of `value` its radius leaves.
int proved_digits(const Interval& value) {
  const double magnitude = std::fabs(middle(value));
  const double width = radius(value);
  if (width == 0) {
    return 1000;
  }
  return magnitude <= width ? 0 : static_cast<int>(std::log10(magnitude / width));
}

}  // namespace

bool certainly_less(const Interval& a, const Interval& b) {
  return mpfr_less_p(&a.backend().data()->right, &b.backend().data()->left) != 0;
}

bool certainly_different(const Interval& a, const Interval& b) {
  return certainly_less(a, b) || certainly_less(b, a);
}

bool rounds_to_decimal(const Interval& value, std::string_view decimal) {
  const Rational stated = *parse_rational(decimal);
  const Rational half = half_unit(decimal);
  Interval allowed;
  const Rational below = stated - half;
  const Rational above = stated + half;
  mpfi_interv_q(allowed.backend().data(), below.backend().data(), above.backend().data());
  return mpfi_is_inside(value.backend().data(), allowed.backend().data()) != 0;
}

std::string digits(const Interval& value, int significant) {
  assert(significant >= 1);
  const int proved = std::min(significant, proved_digits(value));
  if (proved == 0) {
    return std::string("0 (within ") + std::to_string(greatest_magnitude(value)) + ")";
  }
  mpfr_t middle_point;
  mpfr_init2(middle_point, mpfi_get_prec(value.backend().data()));
  mpfi_mid(middle_point, value.backend().data());
  char* text = nullptr;
  mpfr_asprintf(&text, "%.*Rg", proved, middle_point);
  const std::unique_ptr<char, decltype(&mpfr_free_str)> owner(text, mpfr_free_str);
  mpfr_clear(middle_point);
  return text;
}

}  // namespace vernier
