#include "numerics/arithmetic/frequency_space.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/recipes/recipe_frequencies.hpp"
#include "numerics/recipes/sleef.hpp"
#include "reference/numbers/real.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

constexpr bool is_sleef(FormulaLibrary library) {
  return library == FormulaLibrary::sleef_float32 || library == FormulaLibrary::sleef_float64;
}

/// Elementary functions and operations of one format and library, every result rounded to the format.
/// "Exact" functions are those of x87's 64 bits rounded once: of the few hundred arguments here none is
/// within 2^-38 of the middle of two float32 numbers, where that could be wrong, but by a chance of 2^-30.
class OrderArithmetic {
 public:
  explicit OrderArithmetic(FormulaLibrary library) : library_(library) {}

  Format format() const {
    switch (library_) {
      case FormulaLibrary::float64:
      case FormulaLibrary::rounded_float64:
      case FormulaLibrary::sleef_float64:
        return Format::binary64;
      case FormulaLibrary::bfloat16:
        return Format::bfloat16;
      case FormulaLibrary::float16:
        return Format::binary16;
      default:
        return Format::binary32;
    }
  }
  double rounded(double value) const { return round_to(format(), value); }
  double product(double a, double b) const { return product_in(format(), a, b); }
  double quotient(double a, double b) const { return rounded(a / b); }
  double pow(double a, double b) const {
    if (is_sleef(library_)) {
      return sleef_power(format(), a, b).value_or(0);
    }
    return by([&](auto x) { return std::pow(x, static_cast<decltype(x)>(b)); }, a);
  }
  double exp(double a) const {
    return by([](auto x) { return std::exp(x); }, a);
  }
  double exp2(double a) const {
    return by([](auto x) { return std::exp2(x); }, a);
  }
  double log(double a) const {
    return by([](auto x) { return std::log(x); }, a);
  }
  double log2(double a) const {
    return by([](auto x) { return std::log2(x); }, a);
  }

 private:
  template <class Function>
  double by(const Function& function, double value) const {
    if (library_ == FormulaLibrary::exact_float32) {
      return static_cast<double>(static_cast<float>(function(static_cast<long double>(value))));
    }
    return format() == Format::binary64 ? function(value)
                                        : rounded(static_cast<double>(function(static_cast<float>(value))));
  }

  FormulaLibrary library_;
};

/// What the formulas are of: b^(-i n/m).
struct Progression {
  double base;
  double numerator;    ///< n
  double denominator;  ///< m
  int pairs;
};

/// The unscaled frequency of a pair. \param before that of the pair before, if there is one
double frequency_of(FormulaOrder order, FormulaExponent way, const OrderArithmetic& in, const Progression& of,
                    int pair, double before) {
  const double base = in.rounded(of.base);
  const double index = in.rounded(pair * of.numerator);
  const double exponent = way == FormulaExponent::product ? in.product(index, in.quotient(1, of.denominator))
                                                          : in.quotient(index, of.denominator);
  const auto ratio = [&] { return in.pow(base, in.rounded(-of.numerator / of.denominator)); };
  switch (order) {
    case FormulaOrder::reciprocal_power:
      return in.quotient(1, in.pow(base, exponent));
    case FormulaOrder::negative_power:
      return in.pow(base, -exponent);
    case FormulaOrder::power_of_reciprocal:
      return in.pow(in.quotient(1, base), exponent);
    case FormulaOrder::exponential:
      return in.exp(in.product(-exponent, in.log(base)));
    case FormulaOrder::reciprocal_exponential:
      return in.quotient(1, in.exp(in.product(exponent, in.log(base))));
    case FormulaOrder::exponential_of_two:
      return in.exp2(in.product(-exponent, in.log2(base)));
    case FormulaOrder::step_in_float64:
      return in.exp(in.product(index, in.rounded(-std::log(of.base) / of.denominator)));
    case FormulaOrder::step_in_own_format:
      return in.exp(in.product(index, in.quotient(-in.log(base), of.denominator)));
    case FormulaOrder::power_of_ratio:
      return in.pow(ratio(), pair);
    case FormulaOrder::product_of_ratios:
      return pair == 0 ? 1 : in.product(before, ratio());
    case FormulaOrder::interpolated: {
      const int last = of.pairs - 1;
      const double length = in.rounded(std::log(of.base) * last * of.numerator / of.denominator);
      const double rest = last == 0 ? 1 : in.rounded(1 - in.quotient(pair, last));
      return in.exp(in.rounded(in.product(rest, length) - length));
    }
    case FormulaOrder::exact:
    case FormulaOrder::iterated_phase:
    case FormulaOrder::own_bits:
      break;
  }
  return 0;
}

/// SLEEF is asked for powers only, where it is there.
bool is_computed_by(FormulaOrder order, FormulaLibrary library) {
  return !is_sleef(library) || (order <= FormulaOrder::power_of_reciprocal && !sleef_version().empty());
}

constexpr bool takes_exponent(FormulaOrder order) {
  return order <= FormulaOrder::exponential_of_two;
}

std::optional<RecipeFrequencies> as_progression(const Frequencies& frequencies) {
  try {
    return RecipeFrequencies(frequencies, "this");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Classes as they are gathered.
class Classes {
 public:
  void add(const std::vector<double>& values, ArithmeticWays formula,
           const std::vector<double>& divisors = {}) {
    const bool is_iterated = at(formula, ArithmeticStage::order) == index_of(FormulaOrder::iterated_phase);
    const auto found = std::ranges::find_if(all, [&](const FrequencyClass& one) {
      return one.is_iterated == is_iterated && std::ranges::equal(one.values, values, same_bits) &&
             std::ranges::equal(one.divisors, divisors, same_bits);
    });
    if (found != all.end()) {
      found->formulas.push_back(formula);
    } else {
      all.push_back({values, {formula}, is_iterated, divisors});
    }
  }
  /// The values kept and rounded to 16 bits.
  void add_narrowed(const std::vector<double>& values, ArithmeticWays formula) {
    add(values, formula);
    for (const auto& [way, format] : {std::pair(FrequencyFormat::bfloat16, Format::bfloat16),
                                      std::pair(FrequencyFormat::float16, Format::binary16)}) {
      auto narrowed = values;
      for (double& value : narrowed) {
        value = round_to(format, value);
      }
      at(formula, ArithmeticStage::frequency) = index_of(way);
      add(narrowed, formula);
    }
  }

  std::vector<FrequencyClass> all;
};

ArithmeticWays formula_of(FormulaOrder order, FormulaExponent exponent, FormulaLibrary library) {
  ArithmeticWays result = no_arithmetic;
  at(result, ArithmeticStage::order) = index_of(order);
  at(result, ArithmeticStage::exponent) = index_of(exponent);
  at(result, ArithmeticStage::library) = index_of(library);
  at(result, ArithmeticStage::frequency) = index_of(FrequencyFormat::kept);
  return result;
}

void add_exact(Classes& classes, const Frequencies& frequencies) {
  std::vector<double> wide;
  std::vector<double> narrow;
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    const Real frequency = [&, pair] { return frequencies.at(pair); };
    const double about = frequencies.approximate(pair);
    wide.push_back(correctly_rounded(Format::binary64, frequency, 256).value_or(about));
    narrow.push_back(
        correctly_rounded(Format::binary32, frequency, 256).value_or(round_to(Format::binary32, about)));
  }
  classes.add_narrowed(wide, formula_of(FormulaOrder::exact, FormulaExponent::none, FormulaLibrary::float64));
  classes.add_narrowed(
      narrow, formula_of(FormulaOrder::exact, FormulaExponent::none, FormulaLibrary::rounded_float64));
}

void add_formula(Classes& classes, const RecipeFrequencies& wanted, const Progression& of, FormulaOrder order,
                 FormulaExponent exponent, FormulaLibrary library) {
  const OrderArithmetic in(library);
  std::vector<double> values;
  double before = 0;
  for (int pair = 0; pair < of.pairs; ++pair) {
    before = frequency_of(order, exponent, in, of, pair, before);
    const double scaled = wanted.scaled(in.format(), pair, before);
    values.push_back(library == FormulaLibrary::rounded_float64 ? round_to(Format::binary32, scaled)
                                                                : scaled);
  }
  classes.add_narrowed(values, formula_of(order, exponent, library));
}

/// phase *= ratio, in float32.
void add_iterated(Classes& classes, const RecipeFrequencies& wanted, const Progression& of,
                  FormulaLibrary library) {
  const OrderArithmetic in(library);
  std::vector<double> divisors;
  for (int pair = 0; wanted.is_scaled() && pair < of.pairs; ++pair) {
    const double plain =
        frequency_of(FormulaOrder::reciprocal_power, FormulaExponent::quotient, in, of, pair, 0);
    divisors.push_back(in.quotient(plain, wanted.scaled(Format::binary32, pair, plain)));
  }
  classes.add({in.pow(in.rounded(of.base), in.rounded(-of.numerator / of.denominator))},
              formula_of(FormulaOrder::iterated_phase, FormulaExponent::none, library), divisors);
}

}  // namespace

bool FrequencyClass::is_float32() const {
  return std::ranges::all_of(values, [](double value) { return is_member(Format::binary32, value); });
}

std::vector<FrequencyClass> frequency_classes(const Frequencies& frequencies) {
  Classes classes;
  const auto wanted = as_progression(frequencies);
  if (wanted && frequencies.scale().is_one()) {
    const Progression of{
        wanted->base(), static_cast<double>(boost::multiprecision::numerator(wanted->step())),
        static_cast<double>(boost::multiprecision::denominator(wanted->step())), wanted->pairs()};
    for (std::int8_t i = 0; i < index_of(FormulaOrder::exact); ++i) {
      const auto order = static_cast<FormulaOrder>(i);
      for (std::size_t library = 0; library < ways_of(ArithmeticStage::library).size(); ++library) {
        const auto in = static_cast<FormulaLibrary>(library);
        if (!is_computed_by(order, in)) {
          continue;
        }
        if (takes_exponent(order)) {
          add_formula(classes, *wanted, of, order, FormulaExponent::quotient, in);
          add_formula(classes, *wanted, of, order, FormulaExponent::product, in);
        } else {
          add_formula(classes, *wanted, of, order, FormulaExponent::none, in);
        }
      }
    }
    add_iterated(classes, *wanted, of, FormulaLibrary::exact_float32);
    add_iterated(classes, *wanted, of, FormulaLibrary::glibc_float32);
  }
  add_exact(classes, frequencies);
  return classes.all;
}

}  // namespace vernier
