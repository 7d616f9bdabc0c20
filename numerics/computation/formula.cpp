#include "numerics/computation/formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <system_error>

#include "reference/numbers/format.hpp"
#include "reference/support/text_cursor.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_numbers = 24;
constexpr std::size_t most_arguments = 12;

Format format_of(double code) {
  return static_cast<Format>(static_cast<int>(code));
}

double code_of(Format format) {
  return static_cast<double>(format);
}

double truncated(Format format, double x) {
  const double nearest = round_to(format, x);
  const bool is_away = std::fabs(nearest) > std::fabs(x);
  return !is_away ? nearest : x < 0 ? next_up(format, nearest) : next_down(format, nearest);
}

/// The digits of a number in a Gray code.
double gray(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return static_cast<double>(whole ^ (whole >> 1));
}

double in_float(double x, float (*function)(float)) {
  return static_cast<double>(function(static_cast<float>(x)));
}

const std::map<std::string_view, double> known_constants{
    {"pi", std::numbers::pi},
    {"infinity", std::numeric_limits<double>::infinity()},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
    {"float16", code_of(Format::binary16)},
    {"bfloat16", code_of(Format::bfloat16)},
    {"float32", code_of(Format::binary32)},
    {"float64", code_of(Format::binary64)},
};

const std::map<std::string_view, double (*)(FormulaArguments)> known_functions{
    {"abs", [](FormulaArguments a) { return std::fabs(a[0]); }},
    {"floor", [](FormulaArguments a) { return std::floor(a[0]); }},
    {"whole", [](FormulaArguments a) { return std::trunc(a[0]); }},
    {"sqrt", [](FormulaArguments a) { return std::sqrt(a[0]); }},
    {"ceil", [](FormulaArguments a) { return std::ceil(a[0]); }},
    {"nearest", [](FormulaArguments a) { return std::nearbyint(a[0]); }},
    {"round_half_away", [](FormulaArguments a) { return std::round(a[0]); }},
    {"cos", [](FormulaArguments a) { return std::cos(a[0]); }},
    {"sin", [](FormulaArguments a) { return std::sin(a[0]); }},
    {"cosf", [](FormulaArguments a) { return in_float(a[0], std::cos); }},
    {"sinf", [](FormulaArguments a) { return in_float(a[0], std::sin); }},
    {"exp", [](FormulaArguments a) { return std::exp(a[0]); }},
    {"ln", [](FormulaArguments a) { return std::log(a[0]); }},
    {"pow2", [](FormulaArguments a) { return std::exp2(a[0]); }},
    {"pow", [](FormulaArguments a) { return std::pow(a[0], a[1]); }},
    {"mod", [](FormulaArguments a) { return std::fmod(a[0], a[1]); }},
    {"min", [](FormulaArguments a) { return std::min(a[0], a[1]); }},
    {"max", [](FormulaArguments a) { return std::max(a[0], a[1]); }},
    {"clamp", [](FormulaArguments a) { return std::clamp(a[0], a[1], a[2]); }},
    {"gray", [](FormulaArguments a) { return gray(a[0]); }},
    {"is_finite", [](FormulaArguments a) { return std::isfinite(a[0]) ? 1.0 : 0.0; }},
    {"round", [](FormulaArguments a) { return round_to(format_of(a[0]), a[1]); }},
    {"truncate", [](FormulaArguments a) { return truncated(format_of(a[0]), a[1]); }},
};

struct Operator {
  std::string_view symbol;
  int precedence;
  double (*apply)(double, double);  ///< null: the right side may not be evaluated
};

constexpr std::array<Operator, 14> operators{{
    {"||", 1, nullptr},
    {"&&", 2, nullptr},
    {"==", 3, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {"!=", 3, [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {"<=", 3, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {">=", 3, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {"<", 3, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {">", 3, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {"+", 4, [](double a, double b) { return a + b; }},
    {"-", 4, [](double a, double b) { return a - b; }},
    {"*", 5, [](double a, double b) { return a * b; }},
    {"//", 5, [](double a, double b) { return std::floor(a / b); }},
    {"/", 5, [](double a, double b) { return a / b; }},
    {"%", 5, [](double a, double b) { return a - b * std::floor(a / b); }},
}};

}  // namespace

/// What is known while a formula is evaluated: its variables, then what it names itself.
struct Formula::Frame {
  std::array<double, most_numbers> numbers;
  const FormulaRows& rows;
};

class Formula::Parser : TextCursor {
 public:
  Parser(std::string_view text, const Names& names)
      : TextCursor(text), names_(names), known_(names.variables) {}

  Node program() {
    const TextCursor start = *this;
    if (const auto name = word(); !name.empty() && takes("=") && !rest().starts_with("=")) {
      auto value = choice();
      require(takes(";"), "a semicolon");
      const auto place = named(name);
      return [place, value = std::move(value), next = program()](Frame& frame) {
        frame.numbers[place] = value(frame);
        return next(frame);
      };
    }
    TextCursor::operator=(start);
    auto result = choice();
    require(rest().empty(), "the end");
    return result;
  }

 private:
  /// The place of a name from here on.
  std::size_t named(std::string name) {
    known_.push_back(std::move(name));
    require(known_.size() <= most_numbers, "fewer names");
    return known_.size() - 1;
  }

  Node choice() {
    auto condition = binary(1);
    if (!takes("?")) {
      return condition;
    }
    auto yes = choice();
    require(takes(":"), "a colon");
    return [condition = std::move(condition), yes = std::move(yes), no = choice()](Frame& frame) {
      return condition(frame) != 0 ? yes(frame) : no(frame);
    };
  }

  Node binary(int least) {
    auto left = unary();
    while (const auto* op = takes_operator(operators, least)) {
      left = joined(*op, std::move(left), binary(op->precedence + 1));
    }
    return left;
  }

  static Node joined(const Operator& op, Node left, Node right) {
    if (op.apply == nullptr) {
      return [is_or = op.symbol == "||", left = std::move(left), right = std::move(right)](Frame& frame) {
        return ((left(frame) != 0) == is_or ? is_or : right(frame) != 0) ? 1.0 : 0.0;
      };
    }
    return [apply = op.apply, left = std::move(left), right = std::move(right)](Frame& frame) {
      const double first = left(frame);
      return apply(first, right(frame));
    };
  }

  Node unary() {
    if (takes("-")) {
      return [of = unary()](Frame& frame) { return -of(frame); };
    }
    if (takes("!")) {
      return [of = unary()](Frame& frame) { return of(frame) == 0 ? 1.0 : 0.0; };
    }
    if (takes("(")) {
      auto inner = choice();
      require(takes(")"), "a closing parenthesis");
      return inner;
    }
    require(!rest().empty(), "more");
    return std::isdigit(static_cast<unsigned char>(rest().front())) != 0 ? number() : name(word());
  }

  Node number() {
    double value = 0;
    const auto format = takes("0x") ? std::chars_format::hex : std::chars_format::general;
    const auto digits = rest();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, format);
    require(error == std::errc(), "a number");
    skip(static_cast<std::size_t>(end - digits.data()));
    return [value](Frame&) { return value; };
  }

  Node name(const std::string& name) {
    if (takes("(")) {
      return name == "any" ? any() : call(name);
    }
    const auto variable = std::ranges::find(known_.rbegin(), known_.rend(), name);
    if (variable != known_.rend()) {
      return [place = static_cast<std::size_t>(known_.rend() - variable) - 1](Frame& frame) {
        return frame.numbers[place];
      };
    }
    const auto own = known_constants.find(name);
    const auto value = own == known_constants.end() ? names_.constant(name) : std::optional(own->second);
    require(value.has_value(), "a known name, not " + name + ",");
    return [value = *value](Frame&) { return value; };
  }

  Node any() {
    auto count = choice();
    require(takes(","), "a comma");
    const auto place = named("k");
    auto holds = choice();
    known_.back() = {};
    require(takes(")"), "a closing parenthesis");
    return [count = std::move(count), holds = std::move(holds), place](Frame& frame) {
      const double all = count(frame);
      for (double k = 0; k < all; ++k) {
        frame.numbers[place] = k;
        if (holds(frame) != 0) {
          return 1.0;
        }
      }
      return 0.0;
    };
  }

  Node call(const std::string& name) {
    std::vector<Node> arguments;
    while (!takes(")")) {
      require(arguments.empty() || takes(","), "a comma");
      arguments.push_back(choice());
    }
    require(arguments.size() <= most_arguments, "fewer arguments");
    return [function = function_called(name), arguments = std::move(arguments)](Frame& frame) {
      std::array<double, most_arguments> values{};
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        values[i] = arguments[i](frame);
      }
      return function({values.data(), arguments.size()}, frame.rows);
    };
  }

  Function function_called(const std::string& name) const {
    if (const auto own = known_functions.find(name); own != known_functions.end()) {
      return [function = own->second](FormulaArguments a, const FormulaRows&) { return function(a); };
    }
    auto function = names_.function ? names_.function(name) : Function();
    require(function != nullptr, "a known function, not " + name + ",");
    return function;
  }

  const Names& names_;
  std::vector<std::string> known_;
};

Formula::Formula(std::string_view text, const Names& names) : node_(Parser(text, names).program()) {}

double Formula::operator()(std::initializer_list<double> variables, const FormulaRows& rows) const {
  Frame frame{.numbers = {}, .rows = rows};
  std::ranges::copy(variables, frame.numbers.begin());
  return node_(frame);
}

std::string filled_in(std::string text, const std::function<std::string(const std::string&)>& shown) {
  for (auto at = text.find('{'); at != std::string::npos; at = text.find('{', at)) {
    const auto end = text.find('}', at);
    const auto value = shown(text.substr(at + 1, end - at - 1));
    text.replace(at, end - at + 1, value);
    at += value.size();
  }
  return text;
}

NumberMap formula(std::string_view text, const NamedNumbers& numbers) {
  const Formula read(text,
                     {.variables = {"x"}, .constant = [&](const std::string& name) -> std::optional<double> {
                        const auto found = numbers.find(name);
                        return found == numbers.end() ? std::nullopt : std::optional(found->second);
                      }});
  return [read](double x) { return read({x}); };
}

}  // namespace vernier
