#include "reference/ladder/sum_of_products.hpp"

#include <cassert>
#include <cmath>

namespace vernier {

double SumOfProducts::magnitude() const {
  return spread1 * std::fabs(b1.high) + spread2 * std::fabs(b2.high);
}

Enclosure SumOfProducts::enclosure(double bound_scale) const {
  assert(bounded);
  return {a1 * b1 + a2 * b2, stage_two_bound * bound_scale * magnitude()};
}

SumOfProducts sum_of_products(const CoarseRows& coarse, std::size_t coarse_row, const SeedRows& fine,
                              std::size_t fine_row, std::size_t pair, Component component) {
  const auto planes = coarse.planes(coarse_row);
  const auto a_sine = coarse.seeds.sine(coarse_row, pair);
  const auto a_cosine = coarse.seeds.cosine(coarse_row, pair);
  const auto b_sine = fine.sine(fine_row, pair);
  const auto b_cosine = fine.cosine(fine_row, pair);
  const double sine_spread = planes.sine_spread[pair];
  const double cosine_spread = planes.cosine_spread[pair];
  const bool bounded = std::isfinite(planes.sine_magnitude[pair]);
  if (component == Component::sine) {
    return {a_sine, b_cosine, a_cosine, b_sine, sine_spread, cosine_spread, bounded};
  }
  return {a_cosine, b_cosine, -a_sine, b_sine, cosine_spread, sine_spread, bounded};
}

}  // namespace vernier
