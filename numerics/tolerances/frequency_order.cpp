#include "numerics/tolerances/frequency_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "numerics/errors/frequency_error.hpp"
#include "numerics/recipes/recipe_frequencies.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

using Wide = long double;

/// What long double's functions may be off by, relatively, with room.
constexpr Wide wide_error = 0x1p-61L;

struct Range {
  double low = 0;
  double high = 0;
};

Range hull(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// The arithmetic of a format with functions good to one ulp: all that they may return.
class Arithmetic {
 public:
  explicit Arithmetic(Format format) : format_(format) {}

  double rounded(Wide x) const { return round_to(format_, static_cast<double>(x)); }

  Range rounded(Wide low, Wide high) const { return {rounded(low), rounded(high)}; }

  /// What a function returns whose true value lies between these.
  Range function(Wide low, Wide high) const {
    return {below(low * (1 - (low > 0 ? wide_error : -wide_error))),
            above(high * (1 + (high > 0 ? wide_error : -wide_error)))};
  }

 private:
  double below(Wide x) const {
    const double nearest = rounded(x);
    return static_cast<Wide>(nearest) > x ? next_down(format_, nearest) : nearest;
  }
  double above(Wide x) const {
    const double nearest = rounded(x);
    return static_cast<Wide>(nearest) < x ? next_up(format_, nearest) : nearest;
  }

  Format format_;
};

Wide wide(double x) {
  return static_cast<Wide>(x);
}

/// Frequencies b^(-i step) in one format.
class OrderedFrequencies {
 public:
  OrderedFrequencies(const RecipeFrequencies& wanted, Format format)
      : arithmetic_(format),
        base_(arithmetic_.rounded(wide(wanted.base()))),
        step_(wanted.step()),
        last_(wanted.pairs() - 1) {}

  /// What the frequency of a pair may be. \pre 0 < pair \param truth the frequency itself
  Range of(FrequencyOrder order, int pair, Wide truth) const {
    switch (order) {
      case FrequencyOrder::reciprocal_power:
        return reciprocal(pair);
      case FrequencyOrder::exp_log:
        return exponential(pair);
      case FrequencyOrder::iterated: {
        const auto ratio = power(wide(arithmetic_.rounded(-wide(approximately(step_)))));
        return outward(std::pow(wide(ratio.low), pair), std::pow(wide(ratio.high), pair));
      }
      case FrequencyOrder::ratio_power: {
        const auto ratio = power(wide(arithmetic_.rounded(-wide(approximately(step_)))));
        return arithmetic_.function(std::pow(wide(ratio.low), pair), std::pow(wide(ratio.high), pair));
      }
      case FrequencyOrder::interpolated:
        return interpolated(pair);
      case FrequencyOrder::rounded:
        return arithmetic_.rounded(truth * (1 - wide_error), truth * (1 + wide_error));
      case FrequencyOrder::any:
      case FrequencyOrder::contract:
        break;
    }
    const auto direct = power(wide(arithmetic_.rounded(-wide(exponent(pair)))));
    return hull(hull(reciprocal(pair), exponential(pair)), hull(direct, arithmetic_.function(truth, truth)));
  }

 private:
  double exponent(int pair) const { return approximately(Rational(pair * step_)); }

  /// pow(b, e)
  Range power(Wide e) const {
    const auto exact = std::pow(wide(base_), e);
    return arithmetic_.function(exact, exact);
  }

  Range reciprocal(int pair) const {
    const auto whole = power(wide(arithmetic_.rounded(wide(exponent(pair)))));
    return arithmetic_.rounded(1 / wide(whole.high), 1 / wide(whole.low));
  }

  Range exponential(int pair) const {
    const auto log = arithmetic_.function(std::log(wide(base_)), std::log(wide(base_)));
    const auto step = wide(approximately(step_));
    const auto rounded_step = wide(arithmetic_.rounded(step));
    // The logarithm is divided by an integer, or multiplied by the step.
    const auto constant =
        hull(arithmetic_.rounded(wide(log.low) * step, wide(log.high) * step),
             arithmetic_.rounded(wide(log.low) * rounded_step, wide(log.high) * rounded_step));
    const auto product = arithmetic_.rounded(wide(constant.low) * pair, wide(constant.high) * pair);
    return arithmetic_.function(std::exp(-wide(product.high)), std::exp(-wide(product.low)));
  }

  Range interpolated(int pair) const {
    const auto exact = std::log(wide(base_)) * wide(approximately(Rational(last_ * step_)));
    const auto length = arithmetic_.function(exact, exact);
    const auto rest = wide(arithmetic_.rounded(1 - wide(arithmetic_.rounded(Wide(pair) / Wide(last_)))));
    const auto of = [&](double log) {
      const auto grown = wide(arithmetic_.rounded(rest * wide(log)));
      const auto power = std::exp(wide(arithmetic_.rounded(grown - wide(log))));
      return arithmetic_.function(power, power);
    };
    // One logarithm is used twice, so that its two errors nearly cancel.
    return hull(of(length.low), of(length.high));
  }

  /// Not rounded to the format.
  static Range outward(Wide low, Wide high) {
    return {std::nextafter(static_cast<double>(low), 0.0), std::nextafter(static_cast<double>(high), 2.0)};
  }

  Arithmetic arithmetic_;
  double base_;
  Rational step_;
  int last_;
};

/// The progression from 1 that frequencies are, before any scaling; null if they are none.
const GeometricFrequencies* progression_of(const Frequencies& frequencies) {
  const auto* scaled = frequencies.scaled();
  const auto* progression = scaled != nullptr ? &scaled->unscaled : frequencies.geometric();
  return progression != nullptr && progression->offset == 0 && progression->step > 0 ? progression : nullptr;
}

/// Of an unscaled frequency.
double relative_error(const OrderedFrequencies& ordered, const GeometricFrequencies& progression, int pair,
                      FrequencyOrder order) {
  const auto enclosure = tight_enclosure([&] { return progression.at(pair); });
  const auto truth = wide(enclosure.middle.high) + wide(enclosure.middle.low);
  const auto range = ordered.of(order, pair, truth);
  const auto farther = std::max(std::fabs(wide(range.low) - truth), std::fabs(wide(range.high) - truth));
  return static_cast<double>(farther / truth + wide_error) * (1 + 0x1p-50);
}

/// Whether frequencies that are scaled are so before they are multiplied by a position.
bool scales_frequencies(FrequencyOrder order) {
  return order != FrequencyOrder::iterated && order != FrequencyOrder::ratio_power;
}

struct NamedOrder {
  std::string_view id;
  FrequencyOrder order;
};

FrequencyOrder named(std::span<const NamedOrder> all, std::string_view id) {
  const auto found = std::ranges::find(all, id, &NamedOrder::id);
  return found == all.end() ? FrequencyOrder::contract : found->order;
}

}  // namespace

FrequencyOrder order_of_recipe(std::string_view id) {
  static constexpr std::array orders{NamedOrder{"float64-pow", FrequencyOrder::reciprocal_power},
                                     NamedOrder{"float32-rounded-frequency", FrequencyOrder::rounded},
                                     NamedOrder{"float32-pow", FrequencyOrder::reciprocal_power},
                                     NamedOrder{"float32-exp-log", FrequencyOrder::exp_log},
                                     NamedOrder{"float32-iterated", FrequencyOrder::iterated},
                                     NamedOrder{"float32-ratio-power", FrequencyOrder::ratio_power},
                                     NamedOrder{"float32-interpolated", FrequencyOrder::interpolated},
                                     NamedOrder{"float16-throughout", FrequencyOrder::exp_log},
                                     NamedOrder{"bfloat16-throughout", FrequencyOrder::exp_log}};
  return named(orders, id);
}

FrequencyOrder order_of_contract(std::string_view id) {
  static constexpr std::array orders{NamedOrder{"float64", FrequencyOrder::any},
                                     NamedOrder{"float32", FrequencyOrder::any},
                                     NamedOrder{"float16", FrequencyOrder::any},
                                     NamedOrder{"bfloat16", FrequencyOrder::any},
                                     NamedOrder{"float32-iterated", FrequencyOrder::iterated},
                                     NamedOrder{"float32-ratio-power", FrequencyOrder::ratio_power},
                                     NamedOrder{"float32-interpolated", FrequencyOrder::interpolated}};
  return named(orders, id);
}

BudgetModel bind_order(const Contract& contract, const TrigTable& table, Format stored,
                       FrequencyOrder order) {
  auto model = contract.bind(table, stored);
  const auto& frequencies = table.frequencies;
  const auto* progression = progression_of(frequencies);
  const auto* scaled = frequencies.scaled();
  if (order == FrequencyOrder::contract || progression == nullptr ||
      (scaled != nullptr && !scales_frequencies(order))) {
    return model;
  }
  auto parameters = model.parameters();
  const auto compute = parameters.compute;
  const RecipeFrequencies wanted(frequencies, contract.id);
  const OrderedFrequencies ordered(wanted, compute);
  for (int pair = 1; pair < frequencies.pairs(); ++pair) {
    auto& bound = parameters.frequency_error[static_cast<std::size_t>(pair)];
    if (bound == 0 || !std::isfinite(bound) ||
        (scaled != nullptr && !(frequencies.approximate(pair) >= traits(compute).smallest_normal()))) {
      continue;
    }
    const double unscaled = relative_error(ordered, *progression, pair, order);
    bound = std::min(bound, scaled == nullptr ? unscaled : scaling_error(*scaled, pair, compute, unscaled));
  }
  return {std::move(parameters), frequencies, table.amplitude};
}

}  // namespace vernier
