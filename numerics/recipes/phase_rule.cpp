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

/// What a program rounds positions to before its own format.
Format format_of_positions(const program::Program& program) {
  const auto found = std::ranges::find_if(
      program.ways, [](const program::Use& by) { return by.way->first == program::Stage::position; });
  return found != program.ways.end() && found->to ? found->to->range : program.in.format;
}

}  // namespace

void PhaseRule::scale_positions(const PositionMap& map, const Constant& frequency_scale) {
  const auto constant = [&](const Constant& of) { return round_to(compute_, approximately(of)); };
  scaled_ = {map, constant(map.scale()), constant(map.offset()), constant(frequency_scale)};
}

double PhaseRule::rounded(std::int64_t position) const {
  const auto given = scaled_ ? scaled_->map.approximate(position) : static_cast<double>(position);
  const double p = round_to(compute_, round_to(seeds_.positions, given));
  return scaled_ ? multiply(compute_, add(compute_, multiply(compute_, scaled_->scale, p), scaled_->offset),
                            scaled_->frequency_scale)
                 : p;
}

void PhaseRule::advance(int pair, std::span<const double> positions, std::span<double> phases) const {
  const bool is_first = is_recursive_ && pair == 0;
  const double factor = is_first ? 1 : seeds_.factors[is_recursive_ ? 0 : static_cast<std::size_t>(pair)];
  const auto from = is_recursive_ && !is_first ? std::span<const double>(phases) : positions;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    phases[i] = from[i] * factor;
  }
  round_each(compute_, phases);  // see multiply()
}

void PhaseRule::divide(int pair, std::span<const double> carried, std::span<double> used) const {
  if (seeds_.divisors.empty()) {
    std::ranges::copy(carried, used.begin());
    return;
  }
  const double divisor = seeds_.divisors[static_cast<std::size_t>(pair)];
  std::ranges::transform(carried, used.begin(), [divisor](double phase) { return phase / divisor; });
  round_each(compute_, used);
}

void PhaseRule::phases_from(std::int64_t first, int pair, std::span<double> phases) const {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    phases[i] = rounded(first + static_cast<std::int64_t>(i));
  }
  for (int at = is_recursive_ ? 0 : pair; at <= pair; ++at) {
    advance(at, phases, phases);
  }
  if (!seeds_.divisors.empty()) {
    divide(pair, phases, phases);
  }
}

double PhaseRule::frequency(int pair) const {
  const double factor =
      is_recursive_ ? std::pow(seeds_.factors.front(), pair) : seeds_.factors[static_cast<std::size_t>(pair)];
  return factor / divisor(pair);
}

double PhaseRule::phase_error(int pair, std::int64_t position, const Enclosure& frequency) const {
  return scaled_         ? std::numeric_limits<double>::infinity()
         : is_recursive_ ? error_of_carried(pair, position, frequency)
                         : error_of_product(pair, position, frequency);
}

double PhaseRule::error_of_product(int pair, std::int64_t position, const Enclosure& frequency) const {
  const double used = this->frequency(pair);
  const auto furthest = static_cast<double>(position);
  const double largest = round_to(compute_, rounded(position) * used);
  if (!std::isfinite(largest)) {
    return std::numeric_limits<double>::infinity();
  }
  // Integers up to 2^p are exact; a larger one is off by at most u of itself in each of two roundings.
  const auto off = [&](Format format) {
    const double u = traits(format).unit_roundoff();
    return furthest * u <= 1 ? 0 : furthest * u;
  };
  const double positions =
      seeds_.positions == compute_ ? off(compute_) : off(compute_) + off(seeds_.positions);
  const double frequencies = std::fabs((frequency.middle - DoubleDouble{used, 0}).high) + frequency.radius;
  // A product has no more bits than its factors together, and those of the other by a power of two.
  const int bits = std::min({static_cast<int>(std::bit_width(static_cast<std::uint64_t>(position))),
                             traits(compute_).precision, traits(seeds_.positions).precision});
  const int of_frequency = significant_bits(used);
  const bool is_exact = of_frequency <= 1 || bits + of_frequency <= traits(compute_).precision;
  const double products = is_exact ? 0 : ulp_at(compute_, largest) / 2;
  return (furthest * frequencies + positions * used + products) * estimate_slack;
}

/// p q^i (1 + u)^i for i products, one more for a quotient by another number than a power of two, and one for
/// a position beyond 2^24; each may lose half the smallest subnormal as well. q^i is computed here to 2^-51.
double PhaseRule::error_of_carried(int pair, std::int64_t position, const Enclosure& frequency) const {
  const auto& t = traits(compute_);
  const double divisor = this->divisor(pair);
  const double used = this->frequency(pair);
  const auto furthest = static_cast<double>(position);
  const double off = std::fabs((frequency.middle - DoubleDouble{used, 0}).high) + frequency.radius +
                     (pair == 0 && divisor == 1 ? 0 : used * 0x1p-51);
  int exponent = 0;
  const bool divides = std::isfinite(divisor) && std::frexp(divisor, &exponent) != 0.5;
  const int count = pair + (divides ? 1 : 0) + (position > std::int64_t{1} << t.precision ? 1 : 0);
  const double roundings = std::expm1(count * std::log1p(t.unit_roundoff()));
  const double underflow = count == 0 ? 0 : (count + 1) * t.smallest();
  return (furthest * (off + used * roundings) + underflow) * estimate_slack;
}

double used_phase(const PhaseRule& rule, std::int64_t position, int pair) {
  double phase = 0;
  rule.phases_from(position, pair, {&phase, 1});
  return phase;
}

PhaseRule phase_rule(const program::Program& program, const program::Declared& declared) {
  auto frequencies = program::frequencies_of(program, declared);
  if (!program.takes("carried")) {
    return {program.in.format, {format_of_positions(program), std::move(frequencies)}, false};
  }
  assert(program.in.format == Format::binary32);
  auto divisors =
      declared.is_scaled() ? bits_of(program, declared, program::Stage::divisor) : std::vector<double>();
  return {program.in.format, {Format::binary32, {frequencies.front()}, std::move(divisors)}, true};
}

}  // namespace vernier
