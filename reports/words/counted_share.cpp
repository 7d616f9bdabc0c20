#include "reports/words/counted_share.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vernier {

double CountedShare::bound(int side) const {
  constexpr double z = 1.959963984540054;  // the normal distribution has 2.5 % beyond it
  const auto n = static_cast<double>(all);
  const double spread = z * std::sqrt(share() * (1 - share()) / n + z * z / (4 * n * n));
  return std::clamp((share() + z * z / (2 * n) + side * spread) / (1 + z * z / n), 0.0, 1.0);
}

std::string interval_text(const CountedShare& share) {
  return fmt::format("{:.1f} to {:.1f} %", 100 * share.least(), 100 * share.greatest());
}

}  // namespace vernier
