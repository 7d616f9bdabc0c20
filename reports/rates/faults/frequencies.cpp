// Faults of frequencies.

#include <array>
#include <cmath>

#include "reports/rates/budgets.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

std::optional<Planted> base_off(Draw& draw, Design& design) {
  if (!has_products(design) || design.frequencies.size() < 3) {
    return std::nullopt;
  }
  const double factor =
      draw.chance(0.5) ? draw.one_of({0.02, 0.1, 10.0, 50.0, 2.0}) : 1 + draw.sign() * draw.spread(1e-4, 0.5);
  const auto pairs = static_cast<double>(design.frequencies.size());
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    auto& frequency = design.frequencies[pair];
    frequency = round_to(design.compute, frequency * std::pow(factor, -static_cast<double>(pair) / pairs));
  }
  return Planted{"by a factor of " + number(factor), {greatest_position(design)}};
}

/// Exponents that people have got wrong: 2i/(d - 2), (2i + 1)/d, (2i + 2)/d, 4i/d, i/d.
std::optional<Planted> exponent_off(Draw& draw, Design& design) {
  const auto pairs = static_cast<double>(design.frequencies.size());
  if (!has_products(design) || design.frequencies.size() < 3) {
    return std::nullopt;
  }
  const double last = design.frequencies.back();
  const double log_base = -std::log(last / design.frequencies.front()) * pairs / (pairs - 1);
  if (!std::isfinite(log_base) || log_base < 1) {
    return std::nullopt;
  }
  const auto kind = draw.between(0, 4);
  for (std::size_t i = 0; i < design.frequencies.size(); ++i) {
    const auto pair = static_cast<double>(i);
    const double right = pair / pairs;
    const std::array wrong{pair / (pairs - 1), (pair + 0.5) / pairs, (pair + 1) / pairs, 2 * right,
                           right / 2};
    auto& frequency = design.frequencies[i];
    frequency = round_to(design.compute,
                         frequency * std::exp(-log_base * (wrong[static_cast<std::size_t>(kind)] - right)));
  }
  static constexpr std::array<const char*, 5> names{"2i/(d - 2)", "(2i + 1)/d", "(2i + 2)/d", "4i/d", "i/d"};
  return Planted{names[static_cast<std::size_t>(kind)], {greatest_position(design)}};
}

std::optional<Planted> narrow(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const auto format = draw.chance(0.6) ? Format::bfloat16 : Format::binary16;
  for (auto& frequency : design.frequencies) {
    frequency = round_to(format, frequency);
  }
  return Planted{"in " + std::string(traits(format).name), {greatest_position(design)}};
}

std::optional<Planted> one_off(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const auto pair = draw.index(design.frequencies.size());
  const double times = draw.spread(3, 1000);
  const double phase = std::fabs(static_cast<double>(greatest_position(design)) * design.frequencies[pair]);
  if (phase == 0) {
    return std::nullopt;
  }
  const double share = times * element_budget(design, greatest_position(design), pair) / phase;
  design.frequencies[pair] = round_to(design.compute, design.frequencies[pair] * (1 + draw.sign() * share));
  return Planted{"pair " + std::to_string(pair) + " by " + number(share), {greatest_position(design)}};
}

std::optional<Planted> two_swapped(Draw& draw, Design& design) {
  if (!has_products(design) || design.frequencies.size() < 2) {
    return std::nullopt;
  }
  const auto pair = draw.index(design.frequencies.size() - 1);
  std::swap(design.frequencies[pair], design.frequencies[pair + 1]);
  return Planted{"pairs " + std::to_string(pair) + " and " + std::to_string(pair + 1),
                 {greatest_position(design)}};
}

std::optional<Planted> one_zero(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const auto pair = draw.index(design.frequencies.size());
  design.frequencies[pair] = 0;
  return Planted{"pair " + std::to_string(pair), {greatest_position(design)}};
}

std::optional<Planted> iterated(Draw&, Design& design) {
  if (!has_products(design) || design.frequencies.size() < 16 || !design.encoding->has<TrigTable>() ||
      design.encoding->all<TrigTable>().front().frequencies.geometric() == nullptr) {
    return std::nullopt;
  }
  const auto ratio = static_cast<float>(design.frequencies[1] / design.frequencies[0]);
  auto frequency = static_cast<float>(design.frequencies[0]);
  for (auto& each : design.frequencies) {
    each = static_cast<double>(frequency);
    frequency *= ratio;
  }
  return Planted{"in float32", {greatest_position(design)}};
}

}  // namespace

std::span<const Fault> frequency_faults() {
  static const std::array all{
      Fault{"frequencies/base",
            "another base",
            Shows::values,
            base_off,
            {"frequency/base", "frequency/exponent", "frequency/head-dim", "frequency/scaling-parameter"}},
      Fault{"frequencies/exponent",
            "another exponent",
            Shows::values,
            exponent_off,
            {"frequency/exponent", "frequency/base"}},
      Fault{"frequencies/narrow",
            "frequencies are rounded to 16 bits",
            Shows::values,
            narrow,
            {"frequency/format"}},
      Fault{"frequencies/one-off", "one frequency is off", Shows::values, one_off, {"frequency/one-pair"}},
      Fault{"frequencies/swapped",
            "two frequencies are swapped",
            Shows::values,
            two_swapped,
            {"frequency/swapped", "damage/columns-swapped"}},
      Fault{"frequencies/zero",
            "one pair does not turn",
            Shows::values,
            one_zero,
            {"frequency/zero", "frequency/one-pair"}},
      Fault{"frequencies/iterated",
            "by repeated multiplication, which the contract does not allow",
            Shows::values,
            iterated,
            {"frequency/iterated", "frequency/base"}},
  };
  return all;
}

}  // namespace vernier::rates
