#include "numerics/tolerances/frequency_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "numerics/budgets/frequency_error.hpp"
#include "numerics/recipes/recipe_frequencies.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

using Wide = long double;

/// What long double's functions may be off by, relatively, with room.
constexpr Wide wide_error = 0x1p-61L;

struct Range {
  double low = 0;
  double high = 0;
};

Range hull_of(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// The arithmetic of a format with functions good to one ulp: all that they may return.
class Arithmetic {
 public:
  explicit Arithmetic(Format format) : format_(format) {}

  /// Once: to binary32 without a detour.
  double rounded(Wide x) const {
    return format_ == Format::binary32 ? static_cast<double>(static_cast<float>(x))
                                       : round_to(format_, static_cast<double>(x));
  }

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
        wanted_base_(wanted.base()),
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
    return hull_of(hull_of(reciprocal(pair), exponential(pair)),
                   hull_of(direct, arithmetic_.function(truth, truth)));
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

  /// The logarithm is of the base, or of the base rounded to the format if that has it.
  Range exponential(int pair) const {
    const auto of_base = exponential(pair, wanted_base_);
    return std::isfinite(base_) ? hull_of(of_base, exponential(pair, base_)) : of_base;
  }

  Range exponential(int pair, double base) const {
    const auto log = arithmetic_.function(std::log(wide(base)), std::log(wide(base)));
    const auto step = wide(approximately(step_));
    const auto rounded_step = wide(arithmetic_.rounded(step));
    // The logarithm is divided by an integer, or multiplied by the step.
    const auto constant =
        hull_of(arithmetic_.rounded(wide(log.low) * step, wide(log.high) * step),
                arithmetic_.rounded(wide(log.low) * rounded_step, wide(log.high) * rounded_step));
    const auto product = arithmetic_.rounded(wide(constant.low) * pair, wide(constant.high) * pair);
    return arithmetic_.function(std::exp(-wide(product.high)), std::exp(-wide(product.low)));
  }

  Range interpolated(int pair) const {
    const auto exact = std::log(wide(wanted_base_)) * wide(approximately(Rational(last_ * step_)));
    const auto length = arithmetic_.function(exact, exact);
    const auto rest = wide(arithmetic_.rounded(1 - wide(arithmetic_.rounded(Wide(pair) / Wide(last_)))));
    const auto of = [&](double log) {
      const auto grown = wide(arithmetic_.rounded(rest * wide(log)));
      const auto power = std::exp(wide(arithmetic_.rounded(grown - wide(log))));
      return arithmetic_.function(power, power);
    };
    // One logarithm is used twice, so that its two errors nearly cancel.
    return hull_of(of(length.low), of(length.high));
  }

  /// Not rounded to the format.
  static Range outward(Wide low, Wide high) {
    return {std::nextafter(static_cast<double>(low), 0.0), std::nextafter(static_cast<double>(high), 2.0)};
  }

  Arithmetic arithmetic_;
  double wanted_base_;
  double base_;  ///< rounded to the format
  Rational step_;
  int last_;
};

/// The progression from 1 that frequencies are, before any scaling; null if they are none.
const GeometricFrequencies* progression_of(const Frequencies& frequencies) {
  const auto* scaled = frequencies.scaled();
  const auto* progression = scaled != nullptr ? &scaled->unscaled : frequencies.geometric();
  return progression != nullptr && progression->offset == 0 && progression->step > 0 ? progression : nullptr;
}

/// The frequency of a pair, before or after scaling.
template <class Of>
Wide true_frequency(const Of& frequencies, int pair) {
  const auto enclosure = tight_enclosure([&] { return frequencies.at(pair); });
  return wide(enclosure.middle.high) + wide(enclosure.middle.low);
}

double relative_error(const Range& range, Wide truth) {
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

/// The bound of one frequency, its scaling included; nothing where only the contract's is known: where the
/// base is stretched, as every rounding then is of another number, and where a phase is scaled after it was
/// carried.
class BoundOfOrder {
 public:
  BoundOfOrder(const Frequencies& frequencies, const GeometricFrequencies& progression, Format format,
               FrequencyOrder order, std::string_view who)
      : frequencies_(frequencies),
        progression_(progression),
        format_(format),
        order_(order),
        wanted_(frequencies, who),
        ordered_(wanted_, format) {}

  std::optional<double> at(int pair) const {
    const auto* scaled = frequencies_.scaled();
    if (order_ == FrequencyOrder::rounded) {
      const auto truth = true_frequency(frequencies_, pair);
      return relative_error(ordered_.of(order_, pair, truth), truth);
    }
    const bool is_stretched = wanted_.base() != approximately(progression_.base);
    const bool is_normal = frequencies_.approximate(pair) >= traits(format_).smallest_normal();
    if (scaled != nullptr && (is_stretched || !is_normal || !scales_frequencies(order_))) {
      return std::nullopt;
    }
    const auto truth = true_frequency(progression_, pair);
    const double unscaled = relative_error(ordered_.of(order_, pair, truth), truth);
    return scaled == nullptr ? unscaled : scaling_error(*scaled, pair, format_, unscaled);
  }

 private:
  const Frequencies& frequencies_;
  const GeometricFrequencies& progression_;
  Format format_;
  FrequencyOrder order_;
  RecipeFrequencies wanted_;
  OrderedFrequencies ordered_;
};

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

FrequencyOrder order_taken(const Frequencies& frequencies, FrequencyOrder order) {
  return progression_of(frequencies) == nullptr ? FrequencyOrder::contract : order;
}

BudgetModel bind_order(const Contract& contract, const TrigTable& table, Format stored,
                       FrequencyOrder order) {
  auto model = contract.bind(table, stored);
  const auto& frequencies = table.frequencies;
  if (order_taken(frequencies, order) == FrequencyOrder::contract) {
    return model;
  }
  auto parameters = model.parameters();
  const BoundOfOrder bound(frequencies, *progression_of(frequencies), parameters.compute, order, contract.id);
  for (int pair = 1; pair < frequencies.pairs(); ++pair) {
    auto& error = parameters.frequency_error[static_cast<std::size_t>(pair)];
    if (error > 0 && std::isfinite(error)) {
      error = std::min(error, bound.at(pair).value_or(error));
    }
  }
  return {std::move(parameters), table};
}

}  // namespace vernier
