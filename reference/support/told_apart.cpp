#include "reference/support/told_apart.hpp"

#include <limits>

#include <fmt/core.h>

namespace vernier {

std::pair<std::string, std::string> told_apart(double a, double b, int digits) {
  const auto texts = [&](int of) {
    return std::pair(fmt::format("{:.{}g}", a, of), fmt::format("{:.{}g}", b, of));
  };
  for (int more = digits; a != b && more <= std::numeric_limits<double>::max_digits10; ++more) {
    auto both = texts(more);
    if (both.first != both.second) {
      return both;
    }
  }
  return texts(digits);
}

std::string one_not_other(double found, double meant, int digits) {
  const auto [one, other] = told_apart(found, meant, digits);
  return one + ", not " + other;
}

}  // namespace vernier
