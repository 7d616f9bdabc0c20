#include "reports/verdict/checks/constant_norm_screen.hpp"

#include <algorithm>

#include "numerics/identification/screens/kernel.hpp"

namespace vernier {
namespace {

std::vector<RowBounds::Source> sources(std::span<const Couple> couples, std::span<const BinadeBounds> bounds,
                                       TensorColumn Couple::*component) {
  std::vector<RowBounds::Source> result;
  for (const auto& couple : couples) {
    result.push_back({&bounds[(couple.*component).tensor], couple.pair});
  }
  return result;
}

}  // namespace

ConstantNormScreen::ConstantNormScreen(std::span<const BudgetModel> models, std::span<const Couple> couples,
                                       const Enclosure& amplitude)
    : bounds_(models.begin(), models.end()),
      amplitude_(amplitude.approximately()),
      square_(amplitude_ * amplitude_),
      works_(amplitude_ > 0x1p-100 && amplitude_ < 0x1p100),
      is_fine_(is_fine()),
      cosine_bounds_(sources(couples, bounds_, &Couple::cosine), &BinadeBounds::Bounds::least),
      sine_bounds_(sources(couples, bounds_, &Couple::sine), &BinadeBounds::Bounds::least) {}

std::size_t ConstantNormScreen::surplus(double budget_ratio, std::int64_t position, std::span<const double> c,
                                        std::span<const double> s, Room& room) const {
  room.surplus.resize(c.size());
  if (!is_fine_) {
    return 0;
  }
  return screen_kernels().norm({.budget_ratio = budget_ratio,
                                .square = square_,
                                .rounding = rounding,
                                .cosines = c.data(),
                                .cosine_least = cosine_bounds_.of(position, c, room.cosine_least).data(),
                                .sines = s.data(),
                                .sine_least = sine_bounds_.of(position, s, room.sine_least).data()},
                               c.size(), room.surplus.data());
}

bool ConstantNormScreen::uses_at_most(double budget_ratio, std::int64_t position, const Couple& couple,
                                      double c, double s) const {
  const auto& b = bounds_[couple.cosine.tensor].at(position, couple.pair, c);
  const auto& a = bounds_[couple.sine.tensor].at(position, couple.pair, s);
  const double squares = c * c + s * s;
  const double excess = std::fabs(squares - square_) + rounding * (squares + square_);
  return works_ && excess <= budget_ratio * square_allowance(c, b.least, s, a.least) &&
         square_allowance(c, b.greatest, s, a.greatest) <= square_ / 2;
}

bool ConstantNormScreen::is_fine() const {
  double greatest = 0;
  for (const auto& bounds : bounds_) {
    greatest = std::max(greatest, bounds.greatest());
  }
  return works_ && square_allowance(2 * amplitude_, greatest, 2 * amplitude_, greatest) <= square_ / 2;
}

}  // namespace vernier
