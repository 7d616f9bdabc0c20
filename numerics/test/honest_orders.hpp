#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/tolerances/rotation_errors.hpp"
#include "reference/ladder/certified_table.hpp"

// Implementations without fault whose errors are known: the recipes with the machine's C library, and the
// same orders of operations with libraries that err as far as contracts let them.

namespace vernier::test {

/// True sines and cosines, to long double, and the phases that they are of.
class TrueTurns {
 public:
  TrueTurns(const Frequencies& frequencies, std::vector<std::int64_t> positions)
      : positions_(std::move(positions)) {
    CertifiedPhases phases(frequencies, 64);
    std::vector<Enclosure> sine(static_cast<std::size_t>(frequencies.pairs()));
    std::vector<Enclosure> cosine(sine.size());
    for (const auto position : positions_) {
      phases.row(position, sine, cosine);
      for (std::size_t pair = 0; pair < sine.size(); ++pair) {
        sine_.push_back(wide(sine[pair]));
        cosine_.push_back(wide(cosine[pair]));
      }
    }
    pairs_ = sine.size();
    for (int pair = 0; pair < frequencies.pairs(); ++pair) {
      const auto w = tight_enclosure([&] { return frequencies.at(pair); });
      frequencies_.push_back(wide(w));
    }
  }

  std::size_t rows() const { return positions_.size(); }
  std::size_t pairs() const { return pairs_; }
  std::int64_t position(std::size_t row) const { return positions_[row]; }
  long double frequency(std::size_t pair) const { return frequencies_[pair]; }
  long double sine(std::size_t row, std::size_t pair) const { return sine_[row * pairs_ + pair]; }
  long double cosine(std::size_t row, std::size_t pair) const { return cosine_[row * pairs_ + pair]; }

 private:
  static long double wide(const Enclosure& x) {
    return static_cast<long double>(x.middle.high) + static_cast<long double>(x.middle.low);
  }

  std::vector<std::int64_t> positions_;
  std::size_t pairs_ = 0;
  std::vector<long double> sine_;
  std::vector<long double> cosine_;
  std::vector<long double> frequencies_;
};

/// Cosines and sines as an implementation computes them, numbers of the format that it computes in, row after
/// row.
struct MadeTurns {
  std::string name;
  std::vector<double> cosine;
  std::vector<double> sine;
};

/// A table by a recipe. \param table a column a pair of the cosine, and of the sine
inline MadeTurns made_by(const Recipe& recipe, const TrigTable& cosine, const TrigTable& sine,
                         const TrueTurns& truth) {
  MadeTurns made{std::string(recipe.id) + ", C library", {}, {}};
  const RecipeTable cosines(recipe, cosine, recipe.compute());
  const RecipeTable sines(recipe, sine, recipe.compute());
  std::vector<double> row(truth.pairs());
  for (std::size_t r = 0; r < truth.rows(); ++r) {
    cosines.row(truth.position(r), row);
    made.cosine.insert(made.cosine.end(), row.begin(), row.end());
    sines.row(truth.position(r), row);
    made.sine.insert(made.sine.end(), row.begin(), row.end());
  }
  return made;
}

/// A library whose functions err as far as they may, always to one side.
class LimitLibrary {
 public:
  /// \param upward which side
  LimitLibrary(Format format, bool upward) : format_(format), upward_(upward) {}

  double rounded(long double x) const { return round_to(format_, static_cast<double>(x)); }
  /// The last number of the format on the library's side of x within an ulp of it; on the other side if
  /// asked.
  double function(long double x, bool other_side = false) const {
    const bool up = upward_ != other_side;
    double result = rounded(x);
    while (up ? static_cast<long double>(result) < x : static_cast<long double>(result) > x) {
      result = up ? next_up(format_, result) : next_down(format_, result);
    }
    return result;
  }
  /// A sine or cosine of magnitude 1 at most, off by at most `allowed`: as far from `meant` as may be.
  double trigonometry(long double value, long double meant, double allowed) const {
    const double above = limited(value, allowed);
    const double below = -limited(-value, allowed);
    return std::fabs(wide(above) - meant) >= std::fabs(wide(below) - meant) ? above : below;
  }

 private:
  static long double wide(double x) { return static_cast<long double>(x); }

  /// The greatest number that is at most `allowed` above the value, and at most 1.
  double limited(long double value, double allowed) const {
    double result = rounded(value + wide(allowed));
    while (wide(result) - value > wide(allowed)) {
      result = next_down(format_, result);
    }
    return std::min(result, 1.0);
  }

  Format format_;
  bool upward_;
};

/// The ways in which frequencies b^(-i step) become phases.
enum class PhaseOrder {
  power,
  negative_power,
  power_of_reciprocal,
  exponential,
  reciprocal_exponential,
  exponential_of_two,
  exp_step,
  exp_own_step,
  times_ratio,
  iterated,
  ratio_power,
  interpolated
};

inline std::string name_of(PhaseOrder order) {
  static constexpr const char* names[] = {"power",
                                          "negative power",
                                          "power of the reciprocal",
                                          "exp",
                                          "1/exp",
                                          "exp2",
                                          "exp of steps",
                                          "exp of its own steps",
                                          "products of the ratio",
                                          "iterated",
                                          "power of ratio",
                                          "interpolated"};
  return names[static_cast<int>(order)];
}

/// The same order with a library at its limits. \param base, step of the frequencies \param trig_ulps what
/// the contract allows sines and cosines
inline MadeTurns made_at_limits(PhaseOrder order, Format compute, bool upward, double base, double step,
                                double trig_ulps, const TrueTurns& truth) {
  MadeTurns made{name_of(order) + ", a library at its limits, " + (upward ? "upward" : "downward"), {}, {}};
  const LimitLibrary library(compute, upward);
  const auto wide = [](double x) { return static_cast<long double>(x); };
  const auto last = static_cast<double>(truth.pairs() - 1);
  const auto count = wide(std::round(1 / step));
  const double ratio = library.function(std::pow(wide(base), wide(library.rounded(wide(-step)))));
  const double length = library.function(std::log(wide(base)) * wide(last * step), true);
  const double constant = library.rounded(std::log(wide(base)) * wide(step));
  const double logarithm = library.function(std::log(wide(base)), true);
  const double binary_logarithm = library.function(std::log2(wide(base)), true);
  const double reciprocal = library.rounded(1 / wide(base));
  const auto frequency = [&](std::size_t pair) {
    const auto i = static_cast<double>(pair);
    const double e = library.rounded(wide(i) / count);
    const auto times_e = [&](double x) { return wide(library.rounded(wide(e) * wide(x))); };
    if (pair == 0 && order != PhaseOrder::interpolated) {
      return 1.0;
    }
    switch (order) {
      case PhaseOrder::power:
        return library.rounded(1 / wide(library.function(std::pow(wide(base), wide(e)), true)));
      case PhaseOrder::negative_power:
        return library.function(std::pow(wide(base), -wide(e)));
      case PhaseOrder::power_of_reciprocal:
        return library.function(std::pow(wide(reciprocal), wide(e)));
      case PhaseOrder::exponential:
        return library.function(std::exp(-times_e(logarithm)));
      case PhaseOrder::reciprocal_exponential:
        return library.rounded(1 / wide(library.function(std::exp(times_e(logarithm)), true)));
      case PhaseOrder::exponential_of_two:
        return library.function(std::exp2(-times_e(binary_logarithm)));
      case PhaseOrder::exp_step:
        return library.function(std::exp(-wide(library.rounded(wide(constant) * wide(i)))));
      case PhaseOrder::exp_own_step:
        return library.function(
            std::exp(-wide(library.rounded(wide(library.rounded(wide(logarithm) / count)) * wide(i)))));
      case PhaseOrder::times_ratio: {
        double product = 1;
        for (std::size_t k = 0; k < pair; ++k) {
          product = library.rounded(wide(product) * wide(ratio));
        }
        return product;
      }
      case PhaseOrder::iterated:
        return ratio;
      case PhaseOrder::ratio_power:
        return library.function(std::pow(wide(ratio), wide(i)));
      case PhaseOrder::interpolated:
        break;
    }
    const double rest = library.rounded(1 - wide(library.rounded(wide(i) / wide(last))));
    const double grown = library.rounded(wide(rest) * wide(length));
    return pair == 0 ? 1.0 : library.function(std::exp(wide(library.rounded(wide(grown) - wide(length)))));
  };
  std::vector<double> frequencies;
  for (std::size_t pair = 0; pair < truth.pairs(); ++pair) {
    frequencies.push_back(frequency(pair));
  }
  const double u = traits(compute).unit_roundoff();
  for (std::size_t row = 0; row < truth.rows(); ++row) {
    const auto position = wide(round_to(compute, static_cast<double>(truth.position(row))));
    double carried = static_cast<double>(position);
    for (std::size_t pair = 0; pair < truth.pairs(); ++pair) {
      const bool iterates = order == PhaseOrder::iterated;
      carried = iterates && pair > 0 ? library.rounded(wide(carried) * wide(ratio)) : carried;
      const double phase = iterates ? carried : library.rounded(position * wide(frequencies[pair]));
      const auto exact = static_cast<long double>(truth.position(row)) * truth.frequency(pair);
      const auto taken = [&](long double value, long double meant) {
        const double v = static_cast<double>(std::fabs(meant));
        const double allowed = std::max(trig_ulps * ulp_at(compute, v),
                                        exact >= std::numbers::pi_v<long double> / 4 ? trig_ulps * u : 0);
        return library.trigonometry(value, meant, allowed * (1 - 0x1p-30));
      };
      made.cosine.push_back(taken(std::cos(wide(phase)), truth.cosine(row, pair)));
      made.sine.push_back(taken(std::sin(wide(phase)), truth.sine(row, pair)));
    }
  }
  return made;
}

/// y0 and y1 of a pair, in the declared order. \param c, s numbers of the table's format
inline std::pair<double, double> rotated(const RotationOrder& order, double c, double s, double x0,
                                         double x1) {
  const auto math = order.math;
  const double cosine = round_to(math, c);
  const double sine = round_to(math, s);
  const auto sum = [&](double a, double b, double d, double e) {
    const double second = multiply(math, d, e);
    if (!order.is_fused) {
      return add(math, multiply(math, a, b), second);
    }
    return math == Format::binary64 ? std::fma(a, b, second)
           : math == Format::binary32
               ? static_cast<double>(
                     std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(second)))
               : round_to(math, a * b + second);
  };
  return {round_to(order.vectors, sum(x0, cosine, -x1, sine)),
          round_to(order.vectors, sum(x0, sine, x1, cosine))};
}

}  // namespace vernier::test
