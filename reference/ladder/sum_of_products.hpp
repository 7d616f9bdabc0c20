#pragma once

#include <cstddef>

#include "reference/double_double.hpp"
#include "reference/enclosure.hpp"
#include "reference/ladder/seeds.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// One component of one pair in a row of the ladder, x = A1 B1 + A2 B2: its seeds in full.
struct SumOfProducts {
  DoubleDouble a1, b1, a2, b2;
  double spread1, spread2;  ///< of the A's (CoarsePlanes)
  bool bounded;             ///< else the seeds carry no bound, and x must be had another way

  /// What stage one computes.
  double in_double() const { return a1.high * b1.high + a2.high * b2.high; }
  /// The M of kernel.hpp, of this row alone.
  double magnitude() const;
  /// Stage two. \pre bounded \param bound_scale as in LadderOptions
  Enclosure enclosure(double bound_scale = 1) const;
};

/// \param component sine or cosine
SumOfProducts sum_of_products(const CoarseRows& coarse, std::size_t coarse_row, const SeedRows& fine,
                              std::size_t fine_row, std::size_t pair, Component component);

}  // namespace vernier
