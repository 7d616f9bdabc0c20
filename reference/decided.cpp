#include "reference/decided.hpp"

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

std::optional<int> decided_sign(const Real& number) {
  return agreed<int>(number, sign_of);
}

std::optional<std::int64_t> decided_floor(const Real& number) {
  return agreed<std::int64_t>(number, floor_of);
}

}  // namespace vernier
