#pragma once

#include <array>
#include <cstdint>

#include "reference/numbers/format.hpp"
#include "reference/tables/position_map.hpp"

namespace vernier {

/// The relative error of a constant that is written down or computed in a format: none where the format holds
/// it, else one rounding; of a multiple of pi that of pi, and another unless the multiple is a power of two,
/// and a third where the divisor is rounded, as in DETR's p / (27 + 1e-6) * 2 pi.
double constant_error(const Constant& constant, Format format);

/// That of a product with a constant: its own, and one rounding unless it is a power of two.
double product_error(const Constant& constant, Format format);

/// What the number that an encoding turns by may be off by, x = scale p + offset, where a format is all that
/// it is computed in.
///
/// p is given. Where the format does not hold it, its rounding is computed exactly. The product with the
/// scale takes two roundings, of the constant and of the product. Of the sum both terms are off, and it is
/// rounded: off by u |x| and by a share of |scale p| and of |offset|, not of |x|. That matters where the two
/// cancel: 2 p - 1 next to p = 1/2 is off by as much as anywhere else. Code that shifts before it scales, or
/// splits the offset, rounds each of the two no more often. Where no term is rounded, the sum is, exactly.
class PositionError {
 public:
  PositionError() = default;
  explicit PositionError(const PositionMap& map);

  /// In places, absolute; infinite beyond the greatest number of the format.
  double at(std::int64_t place, Format format) const;
  /// Whether positions are integers that are turned by as they are.
  bool is_plain() const { return is_plain_; }

 private:
  /// Relative errors in a format, which take exact arithmetic: looked up, as every element of an audit asks.
  struct Roundings {
    double product = 0;  ///< of the product with the scale
    double offset = 0;   ///< of the offset, and of the product where the sum is not exact
  };

  bool is_plain_ = true;
  bool has_offset_ = false;
  std::array<Roundings, format_table.size()> roundings_{};
  double unit_ = 1;     ///< what a place is of p
  double quantum_ = 1;  ///< what a place is of x
  double shift_ = 0;
  double offset_size_ = 0;
};

}  // namespace vernier
