#include "reference/real.hpp"

#include <cmath>

namespace vernier {

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

}  // namespace vernier
