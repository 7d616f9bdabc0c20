#include "reference/numbers/real.hpp"

#include <mpfi.h>

namespace vernier {
namespace {

/// The answer that both ends of an enclosure give, at the first precision where they agree.
template <class Answer>
std::optional<Answer> agreed(const Real& number, Answer (*of_end)(mpfr_srcptr end)) {
  for (unsigned bits = ziv_first_precision; bits <= ziv_precision_cap; bits *= 2) {
    const WorkingPrecision precision(bits);
    const Interval enclosed = number();
    const auto* ends = enclosed.backend().data();
    if (const Answer lower = of_end(&ends->left); lower == of_end(&ends->right)) {
      return lower;
    }
  }
  return std::nullopt;
}

int sign_of(mpfr_srcptr end) {
  const int sign = mpfr_sgn(end);
  return (sign > 0) - (sign < 0);
}

std::int64_t floor_of(mpfr_srcptr end) {
  return mpfr_get_si(end, MPFR_RNDD);
}

}  // namespace

std::optional<double> correctly_rounded(Format format, const Real& number, unsigned precision_cap) {
  for (unsigned bits = ziv_first_precision; bits <= precision_cap; bits *= 2) {
    const WorkingPrecision precision(bits);
    if (const auto result = rounded(format, number())) {
      return result;
    }
  }
  return std::nullopt;
}

Enclosure tight_enclosure(const Real& number) {
  Enclosure result;
  for (unsigned bits = 192; bits <= ziv_precision_cap; bits *= 2) {
    const WorkingPrecision precision(bits);
    result = enclosure_of(number());
    if (result.radius <= 0x1p-100 * std::fabs(result.middle.high)) {
      break;
    }
  }
  return result;
}

std::optional<int> decided_sign(const Real& number) {
  return agreed<int>(number, sign_of);
}

std::optional<std::int64_t> decided_floor(const Real& number) {
  return agreed<std::int64_t>(number, floor_of);
}

double growth_by(double roundings, double roundoff) {
  return std::expm1(roundings * std::log1p(roundoff));
}

}  // namespace vernier
