#include "numerics/recipes/phase_rule.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "numerics/program/rounding.hpp"

namespace vernier {
namespace {

/// For the few roundings of a bound that is computed in binary64.
constexpr double estimate_slack = 1 + 0x1p-40;

/// How many bits a number has from its first to its last that is set. \param value finite
int significant_bits(double value) {
  int exponent = 0;
  const auto bits = static_cast<std::uint64_t>(std::ldexp(std::fabs(std::frexp(value, &exponent)), 53));
  return bits == 0 ? 0 : 53 - std::countr_zero(bits);
}

/// The phase as one product: position and frequency each rounded, then their product.
class ProductPhases final : public PhaseRule {
 public:
  /// \param positions the format that positions are rounded to
  ProductPhases(Format format, std::vector<double> frequencies, Format positions)
      : format_(format), positions_(positions), frequencies_(std::move(frequencies)) {}

  double rounded(std::int64_t position) const override {
    return round_to(format_, round_to(positions_, static_cast<double>(position)));
  }
  double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const override {
    const double used = frequencies_[static_cast<std::size_t>(pair)];
    const auto furthest = static_cast<double>(position);
    const double largest = round_to(format_, rounded(position) * used);
    if (!std::isfinite(largest)) {
      return std::numeric_limits<double>::infinity();
    }
    // Integers up to 2^p are exact; a larger one is off by at most u of itself in each of two roundings.
    const auto off = [&](Format format) {
      const double u = traits(format).unit_roundoff();
      return furthest * u <= 1 ? 0 : furthest * u;
    };
    const double positions = positions_ == format_ ? off(format_) : off(format_) + off(positions_);
    const double frequencies = std::fabs((frequency.middle - DoubleDouble{used, 0}).high) + frequency.radius;
    // A product has no more bits than its factors together, and those of the other by a power of two.
    const int bits = std::min({static_cast<int>(std::bit_width(static_cast<std::uint64_t>(position))),
                               traits(format_).precision, traits(positions_).precision});
    const int of_frequency = significant_bits(used);
    const bool is_exact = of_frequency <= 1 || bits + of_frequency <= traits(format_).precision;
    const double products = is_exact ? 0 : ulp_at(format_, largest) / 2;
    return (furthest * frequencies + positions * used + products) * estimate_slack;
  }
  void advance(int pair, std::span<const double> positions, std::span<double> phases) const override {
    const double frequency = frequencies_[static_cast<std::size_t>(pair)];
    for (std::size_t i = 0; i < phases.size(); ++i) {
      phases[i] = positions[i] * frequency;
    }
    round_each(format_, phases);  // see multiply()
  }
  PhaseSeeds seeds() const override { return {positions_, frequencies_}; }

 private:
  Format format_;
  Format positions_;
  std::vector<double> frequencies_;
};

/// theta_0 = p, theta_{i+1} = theta_i * base^(-2/d): the phase itself is carried from pair to pair. Where the
/// frequencies are scaled it is divided by the ratio of each to its unscaled one, which is not carried.
class IteratedPhases final : public PhaseRule {
 public:
  /// \param divisors one a pair, or none
  IteratedPhases(double ratio, std::vector<double> divisors)
      : ratio_(ratio), divisors_(std::move(divisors)) {}

  bool is_recursive() const override { return true; }

  double rounded(std::int64_t position) const override {
    return round_to(Format::binary32, static_cast<double>(position));
  }

  void advance(int pair, std::span<const double> positions, std::span<double> phases) const override {
    if (pair == 0) {
      std::ranges::copy(positions, phases.begin());
      return;
    }
    for (double& phase : phases) {
      phase = multiply(Format::binary32, phase, ratio_);
    }
  }

  std::span<const double> phases_for_pair(int pair, std::span<const double> carried,
                                          std::span<double> room) const override {
    if (divisors_.empty()) {
      return carried;
    }
    const double divisor = divisors_[static_cast<std::size_t>(pair)];
    std::ranges::transform(carried, room.begin(),
                           [divisor](double phase) { return round_to(Format::binary32, phase / divisor); });
    return room.first(carried.size());
  }

  /// p q^i (1 + u)^i for i products, one more for a quotient by another number than a power of two, and one
  /// for a position beyond 2^24; each may lose half the smallest subnormal as well. q^i is computed here to
  /// 2^-51.
  double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const override {
    const auto& t = traits(Format::binary32);
    const double divisor = divisors_.empty() ? 1 : divisors_[static_cast<std::size_t>(pair)];
    const double used = std::pow(ratio_, pair) / divisor;
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

  PhaseSeeds seeds() const override { return {Format::binary32, {ratio_}, divisors_}; }

 private:
  double ratio_;
  std::vector<double> divisors_;
};

/// What a program rounds positions to before its own format.
Format format_of_positions(const program::Program& program) {
  const auto found = std::ranges::find_if(
      program.ways, [](const program::Use& by) { return by.way->first == program::Stage::position; });
  return found != program.ways.end() && found->to ? found->to->range : program.in.format;
}

}  // namespace

double used_phase(const PhaseRule& rule, std::int64_t position, int pair) {
  const double rounded = rule.rounded(position);
  double phase = 0;
  for (int at = rule.is_recursive() ? 0 : pair; at <= pair; ++at) {
    rule.advance(at, {&rounded, 1}, {&phase, 1});
  }
  double room = 0;
  return rule.phases_for_pair(pair, {&phase, 1}, {&room, 1}).front();
}

std::unique_ptr<PhaseRule> phase_rule(const program::Program& program, const program::Declared& declared) {
  auto frequencies = program::frequencies_of(program, declared);
  if (!program.takes("carried")) {
    return std::make_unique<ProductPhases>(program.in.format, std::move(frequencies),
                                           format_of_positions(program));
  }
  assert(program.in.format == Format::binary32);
  const auto divisors =
      declared.is_scaled() ? bits_of(program, declared, program::Stage::divisor) : std::vector<double>();
  return std::make_unique<IteratedPhases>(frequencies.front(), divisors);
}

std::unique_ptr<PhaseRule> phases_of(std::vector<double> frequencies) {
  return std::make_unique<ProductPhases>(Format::binary64, std::move(frequencies), Format::binary64);
}

}  // namespace vernier
