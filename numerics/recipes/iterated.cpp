#include "numerics/recipes/iterated.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/recipes/frequency_formulas.hpp"

namespace vernier {
namespace {

/// theta_0 = p, theta_{i+1} = theta_i * base^(-2/d): the phase itself is carried from pair to pair. Where the
/// frequencies are scaled it is divided by the ratio of each to its unscaled one, which is not carried.
class IteratedPhases final : public PhaseRule {
 public:
  /// \param divisors one a pair, or none
  IteratedPhases(float ratio, std::vector<float> divisors) : ratio_(ratio), divisors_(std::move(divisors)) {}

  bool is_recursive() const override { return true; }

  double rounded(std::int64_t position) const override {
    return static_cast<double>(static_cast<float>(position));
  }

  void advance(int pair, std::span<const double> positions, std::span<double> phases) const override {
    if (pair == 0) {
      std::ranges::copy(positions, phases.begin());
      return;
    }
    for (double& phase : phases) {
      phase = static_cast<double>(static_cast<float>(phase) * ratio_);
    }
  }

  std::span<const double> phases_for_pair(int pair, std::span<const double> carried,
                                          std::span<double> room) const override {
    if (divisors_.empty()) {
      return carried;
    }
    const float divisor = divisors_[static_cast<std::size_t>(pair)];
    std::ranges::transform(carried, room.begin(), [divisor](double phase) {
      return static_cast<double>(static_cast<float>(phase) / divisor);
    });
    return room.first(carried.size());
  }

  /// p q^i (1 + u)^i for i products, one more for a quotient by another number than a power of two, and one
  /// for a position beyond 2^24; each may lose half the smallest subnormal as well. q^i is computed here to
  /// 2^-51.
  double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const override {
    const auto& t = traits(Format::binary32);
    const double divisor =
        divisors_.empty() ? 1 : static_cast<double>(divisors_[static_cast<std::size_t>(pair)]);
    const double used = std::pow(static_cast<double>(ratio_), pair) / divisor;
    const auto furthest = static_cast<double>(position);
    const double off = std::fabs((frequency.middle - DoubleDouble{used, 0}).high) + frequency.radius +
                       (pair == 0 && divisor == 1 ? 0 : used * 0x1p-51);
    int exponent = 0;
    const bool divides = std::isfinite(divisor) && std::frexp(divisor, &exponent) != 0.5;
    const int count = pair + (divides ? 1 : 0) + (position > std::int64_t{1} << t.precision ? 1 : 0);
    const double roundings = std::expm1(count * std::log1p(t.unit_roundoff()));
    const double underflow = count == 0 ? 0 : (count + 1) * t.smallest();
    return (furthest * (off + used * roundings) + underflow) * (1 + 0x1p-40);
  }

  PhaseSeeds seeds() const override {
    return {Format::binary32, {static_cast<double>(ratio_)}, {divisors_.begin(), divisors_.end()}};
  }

 private:
  float ratio_;
  std::vector<float> divisors_;
};

/// What llama.cpp stores as rope_freqs: w_i over what the scaling makes of it, in float32. A frequency of
/// zero has an infinite one, which makes the phase zero.
std::vector<float> divisors(const RecipeFrequencies& wanted) {
  std::vector<float> result;
  for (int pair = 0; wanted.is_scaled() && pair < wanted.pairs(); ++pair) {
    const double frequency = unscaled_reciprocal_power<float>(wanted, pair);
    const double scaled = wanted.scaled(Format::binary32, pair, frequency);
    result.push_back(static_cast<float>(frequency) / static_cast<float>(scaled));
  }
  return result;
}

}  // namespace

std::unique_ptr<PhaseRule> iterated_phases(const RecipeFrequencies& wanted) {
  const auto base = static_cast<float>(wanted.base());
  const auto exponent = static_cast<float>(-approximately(wanted.step()));
  return std::make_unique<IteratedPhases>(std::pow(base, exponent), divisors(wanted));
}

}  // namespace vernier
