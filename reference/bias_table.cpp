#include "reference/bias_table.hpp"

#include <cassert>
#include <cstdlib>

namespace vernier {

Interval Slope::enclosure() const {
  const Interval exponent = enclose(Rational(-step * power));
  Interval result = exponent;
  // MPFR rounds exp2 correctly both ways, so both ends of an exact power are the power itself.
  mpfi_exp2(result.backend().data(), exponent.backend().data());
  return result;
}

Real BiasTable::entry(std::size_t head, std::int64_t multiplier) const {
  if (!curves.empty()) {
    return curves[head](multiplier).value;
  }
  return [slope = slopes[head], multiplier] { return Interval(slope.enclosure() * enclose(multiplier)); };
}

std::int64_t BiasTable::multiplier(std::span<const std::int64_t> keys, std::size_t queries, std::size_t query,
                                   std::size_t key) const {
  if (factor == Factor::one) {
    return 1;
  }
  assert(key < keys.size() && query < queries && queries <= keys.size());
  switch (factor) {
    case Factor::distance_to_last:
      return keys[key] - keys.back();
    case Factor::distance:
      return -std::abs(keys[keys.size() - queries + query] - keys[key]);
    case Factor::key_position:
    case Factor::one:
      break;
  }
  return keys[key];
}

}  // namespace vernier
