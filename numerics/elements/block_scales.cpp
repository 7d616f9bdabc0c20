#include "numerics/elements/block_scales.hpp"

#include <cmath>
#include <utility>

namespace vernier {
namespace {

/// Roundings of a quotient of a value and a scale, and of a scale that is made of a magnitude.
constexpr double roundings_of_scaling = 4;

}  // namespace

BlockScales::BlockScales(const FormatTraits& element, Format scale, std::vector<double> scales,
                         std::size_t rows, std::size_t columns, bool saturates, std::optional<ScaleRule> rule)
    : element_(element),
      format_(scale),
      scales_(std::move(scales)),
      width_(columns * rows / scales_.size()),
      blocks_(scales_.size() / rows),
      saturates_(saturates),
      rule_(rule) {}

double BlockScales::rounding(std::size_t row, std::size_t column, double magnitude, double u) const {
  const double scale_size = std::fabs(scale(row, column));
  const double slack = roundings_of_scaling * u;
  const double element = magnitude * (1 + slack) / scale_size;
  if (!(element > 0) || !std::isfinite(element)) {
    return scale_size == 0 ? 0 : scale_size * element_.smallest() / 2;
  }
  return magnitude * slack + scale_size * std::ldexp(1.0, detail::last_place_exponent(element_, element)) / 2;
}

bool BlockScales::saturates(std::size_t row, std::size_t column, double got, double value, double off) const {
  const double most = element_.largest() * std::fabs(scale(row, column));
  return saturates_ && std::fabs(got) == most && std::signbit(got) == std::signbit(value) &&
         std::fabs(value) + off >= most;
}

JudgedElement BlockScales::judged(std::size_t row, std::size_t block, double greatest, double off,
                                  double u) const {
  const auto index = row * blocks_ + block;
  const double got = scales_[index];
  const double slack = roundings_of_scaling * u;
  const double right = greatest / element_.largest();
  if (!rule_) {
    return judged_element(index, got, exactly(std::isfinite(got) && got != 0 ? got : right), 0);
  }
  if (*rule_ == ScaleRule::amax) {
    const double computed = off / element_.largest() + right * slack;
    return judged_element(index, got, exactly(right), computed + ulp_at(format_, right + computed) / 2);
  }
  // The power of two jumps: of the two ends of what the magnitude may be, that which is nearer is the right
  // one.
  const auto power = [&](double magnitude) {
    return *rule_ == ScaleRule::mx ? std::ldexp(1.0, std::ilogb(magnitude) - element_.emax)
                                   : std::exp2(std::ceil(std::log2(magnitude / element_.largest())));
  };
  const double least = power((greatest - off) * (1 - slack));
  const double most = power((greatest + off) * (1 + slack));
  return judged_element(index, got, exactly(got > least ? most : least), 0);
}

}  // namespace vernier
