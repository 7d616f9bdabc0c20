#include "reference/ladder/certified_scale.hpp"

#include <cmath>

#include "reference/numbers/powers.hpp"

namespace vernier {
namespace {

/// Positions and centres are within +-2^31, their differences within +-2^32.
constexpr int scale_bits = 33;
/// A multiprecision power costs as much as a thousand products.
constexpr int bits_of_a_seed = 4;

}  // namespace

CertifiedScale::CertifiedScale(PositionScale scale) : scale_(std::move(scale)) {
  for (const auto& ratio : scale_.ratios) {
    binades_.push_back(std::log2(approximately(ratio)) / approximately(scale_.base));
  }
  seeds_.resize(scale_.ratios.size() * scale_bits * 2);
}

std::optional<Enclosure> CertifiedScale::at(std::int64_t position, int pair) {
  const auto distance = scale_.is_reciprocal ? scale_.centre - position : position - scale_.centre;
  if (!(std::fabs(static_cast<double>(distance) * binades_[static_cast<std::size_t>(pair)]) <=
        greatest_binade)) {
    return std::nullopt;
  }
  Enclosure product{{1, 0}, 0};
  auto rest = static_cast<std::uint64_t>(std::abs(distance));
  for (int bit = 0; rest != 0; ++bit, rest >>= 1) {
    if ((rest & 1) != 0) {
      product = product * seed(pair, bit, distance < 0);
    }
  }
  return product;
}

const Enclosure& CertifiedScale::seed(int pair, int bit, bool is_negative) {
  const auto place = (static_cast<std::size_t>(pair) * scale_bits + static_cast<std::size_t>(bit)) * 2;
  auto& made = seeds_[place + (is_negative ? 1 : 0)];
  if (!made && bit % bits_of_a_seed != 0) {
    const auto& root = seed(pair, bit - 1, is_negative);
    made = root * root;
  } else if (!made) {
    const auto steps = std::int64_t{1} << bit;
    made = tight_enclosure(rational_power(scale_.ratios[static_cast<std::size_t>(pair)],
                                          Rational(is_negative ? -steps : steps) / scale_.base));
  }
  return *made;
}

}  // namespace vernier
