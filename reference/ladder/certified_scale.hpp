#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/numbers/enclosure.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Certified scales, many of them: z^(n/B) is a product of the seeds z^(+-2^k/B), one for each bit of n.
/// Every fourth is made from the multiprecision reference when it is first needed, and squared for the next
/// three.
///
/// Error. Each of at most 33 seeds is off by 2^-100 of itself and eight times that after three squares, and
/// each product by 6u^2 more (u = 2^-53): the radius stays below 2^-91 of the scale. All seeds of one product
/// lie on the same side of 1, so no partial product is further from it than the scale itself.
class CertifiedScale {
 public:
  /// No scale beyond 2^+-this is enclosed: what it is multiplied by must not make products underflow.
  static constexpr double greatest_binade = 400;

  explicit CertifiedScale(PositionScale scale);

  const PositionScale& scale() const { return scale_; }
  /// Nothing where the scale may be beyond 2^+-400. \param position within +-2^31
  std::optional<Enclosure> at(std::int64_t position, int pair);
  /// Whether it is larger than 1.
  bool is_growth(std::int64_t position, int pair) const {
    return approximately(scale_.exponent(position)) * binades_[static_cast<std::size_t>(pair)] > 0;
  }

 private:
  const Enclosure& seed(int pair, int bit, bool is_negative);

  PositionScale scale_;
  std::vector<double> binades_;  ///< of a pair: log2(z)/B
  std::vector<std::optional<Enclosure>> seeds_;
};

}  // namespace vernier
