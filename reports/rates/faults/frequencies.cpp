// Faults of frequencies.

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/rates/budgets.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

bool is_scaled(const Design& design) {
  return OrderedJson::parse(design.spec).contains("rope_scaling");
}

std::optional<Planted> base_off(Draw& draw, Design& design) {
  if (!has_products(design) || design.frequencies.size() < 3) {
    return std::nullopt;
  }
  const double factor =
      draw.chance(0.5) ? draw.one_of({0.02, 0.1, 10.0, 50.0, 2.0}) : 1 + draw.sign() * draw.spread(1e-4, 0.5);
  if (is_scaled(design)) {
    auto spec = OrderedJson::parse(design.spec);
    spec["rope_theta"] = std::max(2.0, std::round(spec["rope_theta"].get<double>() * factor * 1000) / 1000);
    compute_another(design, spec);
    return Planted{"base " + spec["rope_theta"].dump(), {greatest_position(design)}};
  }
  const auto pairs = static_cast<double>(design.frequencies.size());
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    auto& frequency = design.frequencies[pair];
    frequency = round_to(design.compute, frequency * std::pow(factor, -static_cast<double>(pair) / pairs));
  }
  Planted planted{"by a factor of " + number(factor), {greatest_position(design)}};
  if (design.encoding->scheme() == "frequency_list") {
    planted.names = {"frequency/unknown", "frequency/one-pair"};  // a list has no base
  }
  return planted;
}

/// The library's own, whatever the configuration says.
std::optional<Planted> default_base(Draw&, Design& design) {
  auto spec = OrderedJson::parse(design.spec);
  if (!has_products(design) || !design.rotates() || spec.value("rope_theta", 10000.0) == 10000) {
    return std::nullopt;
  }
  const auto was = spec["rope_theta"].dump();
  spec["rope_theta"] = 10000;
  compute_another(design, spec);
  return Planted{"10000 for " + was, {greatest_position(design)}};
}

/// Exponents that people have got wrong: 2i/(d - 2), (2i + 1)/d, (2i + 2)/d, 4i/d, i/d.
std::optional<Planted> exponent_off(Draw& draw, Design& design) {
  const auto pairs = static_cast<double>(design.frequencies.size());
  if (!has_products(design) || design.frequencies.size() < 3 || is_scaled(design)) {
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
  Planted planted{names[static_cast<std::size_t>(kind)], {greatest_position(design)}};
  if (kind == 1 || kind == 2) {
    planted.names = {"frequency/exponent", "frequency/factor", "position/scaled"};  // a shift is a factor
  }
  return planted;
}

/// The cosine of column 2i + 1 has the exponent (2i + 1)/d, as if each column had its own.
std::optional<Planted> cosine_exponent(Draw&, Design& design) {
  const auto pairs = static_cast<double>(design.frequencies.size());
  if (!has_products(design) || design.encoding->scheme() != "sinusoidal" || pairs < 3 ||
      !design.placing.empty()) {
    return std::nullopt;
  }
  const double step = std::pow(design.frequencies.back() / design.frequencies.front(), 0.5 / (pairs - 1));
  design.turning.push_back(
      [step, frequencies = design.frequencies, trigonometry = design.trigonometry,
       amplitude = design.amplitude](std::int64_t position, std::size_t pair, Turn turn) {
        const double phase = static_cast<double>(position) * frequencies[pair] * step;
        return Turn{trigonometry(phase).cosine * amplitude, turn.sine};
      });
  return Planted{"(2i + 1)/d", {greatest_position(design)}};
}

/// A buffer that nobody filled.
std::optional<Planted> uninitialised(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const auto kind = draw.between(0, 2);
  for (auto& frequency : design.frequencies) {
    frequency = kind == 0   ? 0
                : kind == 1 ? round_to(design.compute, draw.sign() * draw.spread(1e-30, 1e-6))
                            : round_to(design.compute, draw.sign() * draw.spread(1e-12, 1e3));
  }
  static constexpr std::array<const char*, 3> names{"zeros", "tiny numbers", "whatever was there"};
  return Planted{
      names[static_cast<std::size_t>(kind)],
      {greatest_position(design)},
      kind == 0 ? std::vector<std::string_view>{"frequency/zero", "frequency/unknown", "rotation/not-rotated",
                                                "position/scaled", "frequency/factor"}
                : std::vector<std::string_view>{"frequency/unknown", "frequency/zero"}};
}

std::optional<Planted> reversed_frequencies(Draw&, Design& design) {
  if (!has_products(design) || design.frequencies.size() < 2) {
    return std::nullopt;
  }
  std::ranges::reverse(design.frequencies);
  return Planted{"the slowest first", {greatest_position(design)}};
}

/// Cut off where they should be rounded, or without the subnormals.
std::optional<Planted> cast_badly(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const bool flushes = draw.chance(0.5);
  const auto format = flushes ? Format::binary16 : draw.chance(0.5) ? Format::binary16 : Format::bfloat16;
  Planted planted{std::string(flushes ? "flushed" : "cut off") + " in " + std::string(traits(format).name),
                  {greatest_position(design)},
                  {"frequency/format", "frequency/zero", "frequency/one-pair"}};
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    auto& frequency = design.frequencies[pair];
    const double nearest = round_to(format, frequency);
    if (flushes && std::fabs(nearest) < 0x1p-14 && hardly_turns(design, pair)) {
      planted.names.push_back("damage/column-zero");  // of the sine
    }
    const bool is_away = std::fabs(nearest) > std::fabs(frequency);
    frequency = flushes   ? (std::fabs(nearest) < 0x1p-14 ? 0 : nearest)
                : is_away ? next_down(format, nearest)
                          : nearest;
  }
  return planted;
}

std::optional<Planted> narrow_frequencies(Draw& draw, Design& design) {
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
  const bool hardly_turned = hardly_turns(design, pair);
  design.frequencies[pair] = 0;
  Planted planted{
      "pair " + std::to_string(pair), {greatest_position(design)}, {"frequency/zero", "frequency/one-pair"}};
  if (pair + 1 == design.frequencies.size()) {
    planted.names.push_back("mapping/rotary-part");
  }
  if (hardly_turned) {
    planted.names.push_back("damage/column-zero");  // of the sine
  }
  return planted;
}

std::optional<Planted> iterated(Draw&, Design& design) {
  if (!has_products(design) || design.frequencies.size() < 16 || !design.encoding->has_plain_tables() ||
      design.encoding->plain_tables().front().frequencies.geometric() == nullptr) {
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
      Fault{"frequencies/default-base",
            "the base is the library's own",
            Shows::values,
            default_base,
            {"frequency/base", "frequency/exponent", "frequency/head-dim", "frequency/scaling-parameter"},
            "rope"},
      Fault{"frequencies/cosine-exponent",
            "cosines have exponents of their own",
            Shows::values,
            cosine_exponent,
            {"frequency/exponent"},
            "sinusoidal"},
      Fault{"frequencies/uninitialised", "the buffer of frequencies was never filled", Shows::values,
            uninitialised},
      Fault{"frequencies/reversed",
            "frequencies are in the reverse order",
            Shows::values,
            reversed_frequencies,
            {"frequency/swapped", "frequency/unknown", "frequency/base", "frequency/exponent",
             "frequency/factor"}},
      Fault{"frequencies/cast",
            "frequencies are cast to 16 bits without rounding or subnormals",
            Shows::values,
            cast_badly,
            {"frequency/format", "frequency/zero", "frequency/one-pair"}},
      Fault{"frequencies/exponent",
            "another exponent",
            Shows::values,
            exponent_off,
            {"frequency/exponent", "frequency/base"}},
      Fault{"frequencies/narrow",
            "frequencies are rounded to 16 bits",
            Shows::values,
            narrow_frequencies,
            {"frequency/format"}},
      Fault{"frequencies/one-off", "one frequency is off", Shows::values, one_off, {"frequency/one-pair"}},
      Fault{"frequencies/swapped",
            "two frequencies are swapped",
            Shows::values,
            two_swapped,
            {"frequency/swapped", "frequency/other-pair", "damage/columns-swapped"}},
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
