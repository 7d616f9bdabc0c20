// Faults of phases, sines and cosines.

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "reports/rates/budgets.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

bool has_phases(const Design& design) {
  return design.has_turns() && has_rows(design);
}

std::optional<Planted> narrow_phases(Draw& draw, Design& design) {
  if (!has_phases(design)) {
    return std::nullopt;
  }
  const auto format = draw.chance(0.5) ? Format::bfloat16 : Format::binary16;
  design.phasing.push_back([format](double, std::size_t, double phase) { return round_to(format, phase); });
  return Planted{"in " + std::string(traits(format).name), {greatest_position(design)}};
}

/// Noise of a share of what a phase may be off by. The allowance is for one relative error of the frequency,
/// the same at every position: noise that changes from row to row has no honest cause.
template <int hundredths>
std::optional<Planted> noise(Draw& draw, Design& design) {
  // The pattern takes a few hundred rows to show, and positions at which the allowance is more than the
  // roundings of the tensor.
  if (!has_products(design) || design.length() < 256 || design.contract) {
    return std::nullopt;
  }
  const auto last = greatest_position(design);
  std::vector<double> relative;
  double greatest = 0;
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    const double allowed = phase_budget(design, last, pair);
    greatest = std::max(greatest, allowed);
    relative.push_back(allowed / static_cast<double>(last));
  }
  const double u = traits(design.stored()).unit_roundoff();
  if (greatest < 32 * u) {
    return std::nullopt;
  }
  const double share = hundredths / 100.0;
  const auto salt = draw.bits();
  design.phasing.push_back([relative, share, salt](double place, std::size_t pair, double phase) {
    const auto key = std::bit_cast<std::uint64_t>(place) + salt;
    return phase + (hashed_share(key, pair) < 0.5 ? -1 : 1) * share * relative[pair] * place;
  });
  // Phases that are rounded again would hide it.
  design.trigonometry = [narrow = design.compute](double phase) -> Turn {
    return {round_to(narrow, std::cos(phase)), round_to(narrow, std::sin(phase))};
  };
  return Planted{number(share) + " of the phase budget", {last}};
}

std::optional<Planted> shifted(Draw& draw, Design& design) {
  if (!has_phases(design)) {
    return std::nullopt;
  }
  const double by = draw.sign() * draw.spread(1e-2, 1.6);
  design.phasing.push_back([by](double, std::size_t, double phase) { return phase + by; });
  return Planted{"by " + number(by)};
}

std::optional<Planted> one_constant(Draw&, Design& design) {
  const bool is_plain =
      has_products(design) && design.compute == Format::binary32 && traits(design.stored()).precision >= 24;
  if (!is_plain || greatest_position(design) < 64) {
    return std::nullopt;
  }
  design.trigonometry = [](double phase) -> Turn {
    constexpr auto turn = 2 * std::numbers::pi_v<float>;
    const auto x = static_cast<float>(phase);
    const float rest = x - std::nearbyint(x / turn) * turn;
    return {static_cast<double>(std::cos(rest)), static_cast<double>(std::sin(rest))};
  };
  return Planted{"phases less multiples of a rounded 2 pi", {greatest_position(design)}};
}

/// __sinf and its like: the phase is turned into turns in float32, and the result has few bits.
std::optional<Planted> fast_functions(Draw&, Design& design) {
  const bool is_plain =
      has_products(design) && design.compute == Format::binary32 && traits(design.stored()).precision >= 24;
  if (!is_plain || greatest_position(design) < 64) {
    return std::nullopt;
  }
  design.trigonometry = [](double phase) -> Turn {
    constexpr auto turns_a_radian = 1 / (2 * std::numbers::pi_v<float>);
    const float turns = static_cast<float>(phase) * turns_a_radian;
    const float rest = (turns - std::nearbyint(turns)) * 2 * std::numbers::pi_v<float>;
    const auto coarse = [](float value) {
      return std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(value), 22)), -22);
    };
    return {coarse(std::cos(rest)), coarse(std::sin(rest))};
  };
  return Planted{"phases in turns, 22 bits", {greatest_position(design)}};
}

std::optional<Planted> low_accuracy(Draw& draw, Design& design) {
  if (!has_phases(design)) {
    return std::nullopt;
  }
  // Errors as WGSL and the fast functions of GPUs have them: absolute, whatever the value.
  const double u = traits(design.stored()).unit_roundoff();
  const double error = draw.spread(16 * u, 512 * u);
  const auto exact = design.trigonometry;
  design.trigonometry = [exact, error](double phase) -> Turn {
    const auto turn = exact(phase);
    const auto key = std::bit_cast<std::uint64_t>(phase);
    return {turn.cosine + error * (2 * hashed_share(key, 1) - 1),
            turn.sine + error * (2 * hashed_share(key, 2) - 1)};
  };
  return Planted{"errors up to " + number(error)};
}

std::optional<Planted> table_lookup(Draw& draw, Design& design) {
  if (!has_phases(design)) {
    return std::nullopt;
  }
  const double entries = static_cast<double>(draw.one_of({256, 1024, 4096}));
  const auto exact = design.trigonometry;
  design.trigonometry = [exact, entries](double phase) {
    const double step = 2 * std::numbers::pi / entries;
    return exact(std::nearbyint(phase / step) * step);
  };
  return Planted{number(entries) + " entries a turn"};
}

std::optional<Planted> no_reduction(Draw& draw, Design& design) {
  const auto last = static_cast<double>(greatest_position(design));
  if (!has_phases(design) || design.frequencies.front() * last < 64) {
    return std::nullopt;
  }
  const double limit = draw.spread(8, design.frequencies.front() * last / 2);
  const auto exact = design.trigonometry;
  design.trigonometry = [exact, limit](double phase) {
    return std::fabs(phase) <= limit ? exact(phase) : Turn{0, 0};
  };
  return Planted{"zero beyond a phase of " + number(limit), {greatest_position(design)}};
}

std::optional<Planted> one_turned(Draw& draw, Design& design) {
  if (!has_products(design) || design.length() < 8) {
    return std::nullopt;
  }
  const auto position = draw_position(draw, design);
  const auto pair = draw.index(design.frequencies.size());
  const double by = draw.spread(4, 1000) * element_budget(design, position, pair);
  design.turning.push_back([position, pair, by](std::int64_t p, std::size_t i, Turn turn) -> Turn {
    if (p != position || i != pair) {
      return turn;
    }
    return {turn.cosine * std::cos(by) - turn.sine * std::sin(by),
            turn.sine * std::cos(by) + turn.cosine * std::sin(by)};
  });
  return Planted{
      "position " + std::to_string(position) + ", pair " + std::to_string(pair) + " by " + number(by),
      {position}};
}

}  // namespace

std::span<const Fault> phase_faults() {
  static const std::array all{
      Fault{"phases/narrow", "phases are rounded to 16 bits", Shows::values, narrow_phases, {"phase/format"}},
      Fault{"phases/noise-0.55", "phases are noisy, by 0.55 of their budget", Shows::spread, noise<55>},
      Fault{"phases/noise-1", "phases are noisy, by the whole of their budget", Shows::spread, noise<100>},
      Fault{"phases/shifted", "every phase is off by as much", Shows::values, shifted, {"phase/shift"}},
      Fault{"phases/one-turned",
            "one pair of one row is turned",
            Shows::values,
            one_turned,
            {"damage/element"}},
      Fault{"trigonometry/one-constant",
            "phases are reduced by one rounded constant",
            Shows::values,
            one_constant,
            {"trigonometry/range-reduction"}},
      Fault{"trigonometry/fast",
            "sines and cosines by the fast functions of a GPU",
            Shows::values,
            fast_functions,
            {"trigonometry/range-reduction", "trigonometry/low-accuracy"}},
      Fault{"trigonometry/low-accuracy",
            "sines and cosines have few bits",
            Shows::values,
            low_accuracy,
            {"trigonometry/low-accuracy"}},
      Fault{"trigonometry/lookup",
            "sines and cosines are looked up without interpolation",
            Shows::values,
            table_lookup,
            {"trigonometry/lookup", "trigonometry/low-accuracy", "phase/format"}},
      Fault{"trigonometry/no-reduction",
            "large phases are not reduced",
            Shows::values,
            no_reduction,
            {"trigonometry/no-reduction", "trigonometry/range-reduction"}},
  };
  return all;
}

}  // namespace vernier::rates
