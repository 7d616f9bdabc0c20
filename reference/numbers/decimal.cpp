#include "reference/numbers/decimal.hpp"

#include <cassert>
#include <memory>

#include <mpfi.h>

namespace vernier {
namespace {

std::string decimal(const mpfr_t value, int places) {
  char* text = nullptr;
  if (mpfr_zero_p(value) != 0) {  // whatever sign interval arithmetic left on it
    mpfr_asprintf(&text, "%.*f", places, 0.0);
  } else {
    mpfr_asprintf(&text, "%.*RNf", places, value);
  }
  const std::unique_ptr<char, decltype(&mpfr_free_str)> owner(text, mpfr_free_str);
  return text;
}

}  // namespace

std::optional<std::string> correctly_rounded_decimal(const Real& number, int places) {
  assert(places >= 0 && places <= 1000);
  for (unsigned bits = ziv_first_precision; bits <= ziv_precision_cap; bits *= 2) {
    const WorkingPrecision precision(bits);
    const Interval interval = number();
    auto below = decimal(&interval.backend().data()->left, places);
    if (below == decimal(&interval.backend().data()->right, places)) {
      return below;
    }
  }
  return std::nullopt;
}

}  // namespace vernier
