#include "numerics/diagnosis/relative/formula.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "reference/numbers/format.hpp"

namespace vernier {
namespace {

using Binary = double (*)(double, double);

struct BinaryOperator {
  std::string_view sign;
  Binary apply;
};
constexpr std::array<BinaryOperator, 2> sum_operators{
    {{"+", [](double a, double b) { return a + b; }}, {"-", [](double a, double b) { return a - b; }}}};
constexpr std::array<BinaryOperator, 4> product_operators{
    {{"*", [](double a, double b) { return a * b; }},
     {"//", [](double a, double b) { return std::floor(a / b); }},
     {"/", [](double a, double b) { return a / b; }},
     {"%", [](double a, double b) { return a - b * std::floor(a / b); }}}};

struct NamedFunction {
  std::string_view name;
  double (*apply)(double);
};
/// The digits of a number in a Gray code.
double gray(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return static_cast<double>(whole ^ (whole >> 1));
}

constexpr std::array<NamedFunction, 7> formula_functions{{{"abs", std::fabs},
                                                          {"trunc", std::trunc},
                                                          {"rint", std::nearbyint},
                                                          {"sqrt", std::sqrt},
                                                          {"exp", std::exp},
                                                          {"log", std::log},
                                                          {"gray", gray}}};

NumberMap combined(Binary apply, NumberMap a, NumberMap b) {
  return [apply, a = std::move(a), b = std::move(b)](double x) { return apply(a(x), b(x)); };
}

class FormulaReader {
 public:
  FormulaReader(std::string_view text, const NamedNumbers& numbers) : rest_(text), numbers_(numbers) {}

  NumberMap read() {
    auto result = sum();
    assert(rest_.empty());
    return result;
  }

 private:
  bool takes(std::string_view sign) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const bool is_there = rest_.starts_with(sign);
    rest_.remove_prefix(is_there ? sign.size() : 0);
    return is_there;
  }

  NumberMap sum() {
    return chain(sum_operators, [&] { return chain(product_operators, [&] { return factor(); }); });
  }

  template <class Operators, class Read>
  NumberMap chain(const Operators& operators, const Read& read) {
    auto result = read();
    for (;;) {
      const auto found =
          std::ranges::find_if(operators, [&](const BinaryOperator& one) { return takes(one.sign); });
      if (found == operators.end()) {
        return result;
      }
      result = combined(found->apply, std::move(result), read());
    }
  }

  NumberMap in_brackets() {
    auto result = sum();
    [[maybe_unused]] const bool is_closed = takes(")");
    assert(is_closed);
    return result;
  }

  NumberMap factor() {
    if (takes("-")) {
      return [of = factor()](double x) { return -of(x); };
    }
    if (takes("(")) {
      return in_brackets();
    }
    if (double value = 0; !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
      const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
      return [value](double) { return value; };
    }
    const auto is_of_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    const auto end = std::ranges::find_if_not(rest_, is_of_name);
    const auto name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(name.size());
    return takes("(") ? function(name) : named(name);
  }

  NumberMap named(std::string_view name) const {
    if (name == "x") {
      return [](double x) { return x; };
    }
    const auto found = numbers_.find(name);
    assert(found != numbers_.end());
    return [value = found->second](double) { return value; };
  }

  NumberMap function(std::string_view name) {
    auto of = in_or_before_comma();
    if (name == "min" || name == "max") {
      const Binary apply = name == "min" ? Binary([](double a, double b) { return std::fmin(a, b); })
                                         : Binary([](double a, double b) { return std::fmax(a, b); });
      return combined(apply, std::move(of), in_brackets());
    }
    if (const auto format = format_named(name)) {
      return [format = *format, of = std::move(of)](double x) { return round_to(format, of(x)); };
    }
    const auto found = std::ranges::find(formula_functions, name, &NamedFunction::name);
    assert(found != formula_functions.end());
    return [apply = found->apply, of = std::move(of)](double x) { return apply(of(x)); };
  }

  /// The first argument, up to what stands behind it.
  NumberMap in_or_before_comma() {
    auto result = sum();
    [[maybe_unused]] const bool is_ended = takes(",") || takes(")");
    assert(is_ended);
    return result;
  }

  std::string_view rest_;
  const NamedNumbers& numbers_;
};

}  // namespace

NumberMap formula(std::string_view text, const NamedNumbers& numbers) {
  return FormulaReader(text, numbers).read();
}

}  // namespace vernier
