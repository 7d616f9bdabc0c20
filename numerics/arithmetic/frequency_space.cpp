#include "numerics/arithmetic/frequency_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/program/program.hpp"
#include "reference/numbers/real.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// The arithmetic of each, in their order.
constexpr std::array<program::In, 8> arithmetics{{{Format::binary32, program::Library::correct},
                                                  {Format::binary32, program::Library::glibc},
                                                  {Format::binary64, program::Library::glibc},
                                                  {Format::binary64, program::Library::glibc},
                                                  {Format::bfloat16, program::Library::glibc},
                                                  {Format::binary16, program::Library::glibc},
                                                  {Format::binary32, program::Library::sleef},
                                                  {Format::binary64, program::Library::sleef}}};

constexpr program::In arithmetic_of(FormulaLibrary library) {
  return arithmetics[static_cast<std::size_t>(library)];
}

using Classes = std::vector<FrequencyClass>;

/// \param one with one formula
void add_class(Classes& classes, const FrequencyClass& one) {
  const auto found = std::ranges::find_if(classes, [&](const FrequencyClass& other) {
    return other.is_iterated == one.is_iterated && std::ranges::equal(other.values, one.values, same_bits) &&
           std::ranges::equal(other.divisors, one.divisors, same_bits);
  });
  if (found != classes.end()) {
    found->formulas.push_back(one.formulas.front());
  } else {
    classes.push_back(one);
  }
}

/// The values by every way of narrowing.
void add_narrowed(Classes& classes, const std::vector<double>& values, ArithmeticWays formula) {
  for (const auto& by : program::ways_that_end(program::Stage::narrowing)) {
    add_class(classes,
              {mapped(values, [&](double value) { return program::narrowed(by, value); }), {formula}});
    ++at(formula, ArithmeticStage::frequency);
  }
}

ArithmeticWays formula_of(std::string_view order, std::string_view exponent, FormulaLibrary library) {
  ArithmeticWays result = no_arithmetic;
  at(result, ArithmeticStage::order) = index_of_way(ArithmeticStage::order, order);
  at(result, ArithmeticStage::exponent) = index_of_way(ArithmeticStage::exponent, exponent);
  at(result, ArithmeticStage::library) = index_of(library);
  at(result, ArithmeticStage::frequency) = index_of_way(ArithmeticStage::frequency, "kept");
  return result;
}

void add_exact(Classes& classes, const Frequencies& frequencies) {
  for (const auto& [library, format] : {std::pair(FormulaLibrary::float64, Format::binary64),
                                        std::pair(FormulaLibrary::rounded_float64, Format::binary32)}) {
    std::vector<double> values;
    for (int pair = 0; pair < frequencies.pairs(); ++pair) {
      const auto decided = correctly_rounded(
          format, [&, pair] { return frequencies.at(pair); }, 256);
      values.push_back(decided.value_or(round_to(format, frequencies.approximate(pair))));
    }
    add_narrowed(classes, values, formula_of("exact", "none", library));
  }
}

/// \param ways of the order of operations, and of the exponent if it has one
void add_formula(Classes& classes, const program::Declared& declared, const std::vector<program::Use>& ways,
                 FormulaLibrary library) {
  auto values = frequencies_of({arithmetic_of(library), ways}, declared);
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); }) &&
      arithmetic_of(library).library == program::Library::sleef) {
    return;  // which has not all these functions, or is not there
  }
  if (library == FormulaLibrary::rounded_float64) {
    round_each(Format::binary32, values);
  }
  add_narrowed(classes, values,
               formula_of(ways.front().way->id, ways.size() == 1 ? "none" : ways.back().way->id, library));
}

/// By every order of operations, exponent and library.
void add_formulas(Classes& classes, const program::Declared& declared) {
  const auto exponents = program::ways_that_end(program::Stage::exponent);
  for (const auto& order : program::ways_that_end(program::Stage::order)) {
    for (std::size_t i = 0; i < arithmetics.size(); ++i) {
      const auto library = static_cast<FormulaLibrary>(i);
      if (order.way->first == program::Stage::exponent) {
        add_formula(classes, declared, {order}, library);
        continue;
      }
      for (const auto& exponent : exponents) {
        add_formula(classes, declared, {order, exponent}, library);
      }
    }
  }
}

/// phase *= ratio, in float32.
void add_iterated(Classes& classes, const program::Declared& declared, FormulaLibrary library) {
  const program::Program program{arithmetic_of(library),
                                 {program::use("ratio"), program::use("scaling-divisor")}};
  add_class(classes, {{frequencies_of(program, declared).front()},
                      {formula_of("phase-times-ratio", "none", library)},
                      true,
                      declared.is_scaled() ? bits_of(program, declared, program::Stage::divisor)
                                           : std::vector<double>()});
}

}  // namespace

bool FrequencyClass::is_float32() const {
  return std::ranges::all_of(values, [](double value) { return is_member(Format::binary32, value); });
}

std::vector<FrequencyClass> frequency_classes(const Frequencies& frequencies) {
  Classes classes;
  if (program::progression_from_one(frequencies) != nullptr && frequencies.scale().is_one()) {
    const program::Declared declared(frequencies, "a formula");
    add_formulas(classes, declared);
    add_iterated(classes, declared, FormulaLibrary::exact_float32);
    add_iterated(classes, declared, FormulaLibrary::glibc_float32);
  }
  add_exact(classes, frequencies);
  return classes;
}

}  // namespace vernier
