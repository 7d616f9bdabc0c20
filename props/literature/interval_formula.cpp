#include "props/literature/interval_formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <mpfi.h>

#include "props/judging/interval_predicates.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/text_cursor.hpp"

namespace vernier {
namespace {

using LoopValues = std::vector<Interval>;
using FormulaNode = std::function<Interval(LoopValues& loops)>;

Interval condition_of(bool holds, bool fails) {
  return holds ? Interval(1) : fails ? Interval(0) : hull(0, 1);
}

bool is_refuted(const Interval& condition) {
  return greatest_magnitude(condition) == 0;
}

bool are_one_point(const Interval& a, const Interval& b) {
  return radius(a) == 0 && radius(b) == 0 && !certainly_different(a, b);
}

/// Half of the working precision: a difference that is not zero shows, and one that is does not look large.
Interval equality(const Interval& a, const Interval& b) {
  const Interval difference = a - b;
  const auto bits = static_cast<int>(mpfi_get_prec(difference.backend().data()));
  return condition_of(
      contains_zero(difference) && greatest_magnitude(difference) < std::ldexp(1.0, -bits / 2),
      !contains_zero(difference));
}

Interval power(const Interval& base, const Interval& exponent) {
  if (radius(exponent) == 0 && std::fabs(middle(exponent)) < 1e6 &&
      middle(exponent) == std::trunc(middle(exponent))) {
    return pow(base, static_cast<int>(middle(exponent)));
  }
  return exp(Interval(exponent * log(base)));
}

struct FormulaOperator {
  std::string_view symbol;
  int precedence;
  /// Null: the right side is a decimal. Of the least precedence it may not be evaluated.
  Interval (*apply)(const Interval& a, const Interval& b);
};

constexpr std::array<FormulaOperator, 10> formula_operators{{
    {"&&", 1, [](const Interval& a, const Interval& b) { return Interval(a * b); }},
    {"~", 2, nullptr},
    {"==", 2, equality},
    {"!=", 2,
     [](const Interval& a, const Interval& b) {
       return condition_of(certainly_different(a, b), are_one_point(a, b));
     }},
    {"<", 2,
     [](const Interval& a, const Interval& b) {
       return condition_of(certainly_less(a, b), certainly_less(b, a) || are_one_point(a, b));
     }},
    {">", 2,
     [](const Interval& a, const Interval& b) {
       return condition_of(certainly_less(b, a), certainly_less(a, b) || are_one_point(a, b));
     }},
    {"+", 3, [](const Interval& a, const Interval& b) { return Interval(a + b); }},
    {"-", 3, [](const Interval& a, const Interval& b) { return Interval(a - b); }},
    {"*", 4, [](const Interval& a, const Interval& b) { return Interval(a * b); }},
    {"/", 4, [](const Interval& a, const Interval& b) { return Interval(a / b); }},
}};

struct LoopKind {
  std::string_view name;
  Interval (*run)(std::int64_t from, std::int64_t to, const std::function<Interval(std::int64_t)>& body);
};

template <bool is_greatest>
Interval extreme(std::int64_t from, std::int64_t to, const std::function<Interval(std::int64_t)>& body) {
  Interval found = body(from);
  for (std::int64_t i = from + 1; i <= to; ++i) {
    const Interval value = body(i);
    const Interval lower = is_greatest ? found : value;
    const Interval upper = is_greatest ? value : found;
    if (certainly_less(lower, upper)) {
      found = value;
    } else if (!certainly_less(upper, lower)) {
      mpfi_union(found.backend().data(), found.backend().data(), value.backend().data());
    }
  }
  return found;
}

Interval sum_of(std::int64_t from, std::int64_t to, const std::function<Interval(std::int64_t)>& body) {
  Interval sum = 0;
  for (std::int64_t i = from; i <= to; ++i) {
    sum += body(i);
  }
  return sum;
}

constexpr std::array loop_kinds{
    LoopKind{"sum", sum_of},
    LoopKind{"count", sum_of},
    LoopKind{"max", extreme<true>},
    LoopKind{"min", extreme<false>},
    LoopKind{"all",
             [](std::int64_t from, std::int64_t to, const auto& body) {
               for (std::int64_t i = from; i <= to; ++i) {
                 if (const Interval condition = body(i); !is_certain(condition)) {
                   return condition;
                 }
               }
               return Interval(1);
             }},
    LoopKind{"first",
             [](std::int64_t from, std::int64_t to, const auto& body) {
               for (std::int64_t i = from; i <= to; ++i) {
                 if (const Interval condition = body(i); !is_refuted(condition)) {
                   return is_certain(condition) ? Interval(i) : hull(-1, 1);
                 }
               }
               return Interval(to + 1);
             }},
};

class FormulaReader : TextCursor {
 public:
  FormulaReader(std::string_view text, const std::map<std::string, Interval, std::less<>>& numbers,
                const IntervalFunctions& functions)
      : TextCursor(text), numbers_(numbers), functions_(functions) {}

  FormulaNode whole_formula() {
    auto node = binary(1);
    require(rest().empty(), "the end");
    return node;
  }

 private:
  /// \param least the precedence of the operators that are read
  FormulaNode binary(int least) {
    auto left = signed_power();
    while (const auto* const next = takes_operator(formula_operators, least)) {
      if (next->apply == nullptr) {
        const std::string sign = takes("-") ? "-" : "";
        left = [left, decimal = sign + word()](LoopValues& loops) {
          const bool rounds = rounds_to_decimal(left(loops), decimal);
          return condition_of(rounds, !rounds);
        };
        continue;
      }
      left = [left, right = binary(next->precedence + 1), op = *next](LoopValues& loops) {
        const Interval first = left(loops);
        return op.precedence == 1 && is_refuted(first) ? first : op.apply(first, right(loops));
      };
    }
    return left;
  }

  FormulaNode signed_power() {
    if (takes("-")) {
      return [of = signed_power()](LoopValues& loops) { return Interval(-of(loops)); };
    }
    auto base = primary();
    if (takes("^")) {
      return [base, exponent = signed_power()](LoopValues& loops) {
        return power(base(loops), exponent(loops));
      };
    }
    return base;
  }

  FormulaNode primary() {
    if (takes("(")) {
      auto inner = binary(1);
      require(takes(")"), "a closing parenthesis");
      return inner;
    }
    const auto name = word();
    require(!name.empty(), "a number or a name");
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      const auto number = parse_rational(name);
      require(number.has_value(), "a number");
      return [value = enclose(*number)](LoopValues&) { return value; };
    }
    if (takes("(")) {
      const auto kind = std::ranges::find(loop_kinds, name, &LoopKind::name);
      return kind == loop_kinds.end() ? call(name) : loop(*kind);
    }
    const auto variable = std::ranges::find(loop_names_.rbegin(), loop_names_.rend(), name);
    if (variable != loop_names_.rend()) {
      return [place = static_cast<std::size_t>(loop_names_.rend() - variable) - 1](LoopValues& loops) {
        return loops[place];
      };
    }
    const auto number = numbers_.find(name);
    require(number != numbers_.end(), "a known name, not " + name + ",");
    return [value = number->second](LoopValues&) { return value; };
  }

  FormulaNode argument() {
    auto node = binary(1);
    require(takes(",") || rest().starts_with(")"), "a comma");
    return node;
  }

  FormulaNode loop(const LoopKind& kind) {
    auto name = word();
    require(takes(","), "a comma");
    auto from = argument();
    auto to = argument();
    loop_names_.push_back(std::move(name));
    auto body = argument();
    loop_names_.pop_back();
    require(takes(")"), "a closing parenthesis");
    return [from, to, body, place = loop_names_.size(), run = kind.run](LoopValues& loops) {
      return run(whole(from(loops)), whole(to(loops)), [&](std::int64_t i) {
        loops.resize(place + 1);
        loops[place] = enclose(i);
        return body(loops);
      });
    };
  }

  FormulaNode call(const std::string& name) {
    const auto function = functions_.find(name);
    require(function != functions_.end(), "a known function, not " + name + ",");
    std::vector<FormulaNode> arguments;
    while (!takes(")")) {
      arguments.push_back(argument());
    }
    return [arguments, called = function->second](LoopValues& loops) {
      const auto values = mapped(arguments, [&](const auto& node) { return node(loops); });
      return called(values);
    };
  }

  const std::map<std::string, Interval, std::less<>>& numbers_;
  const IntervalFunctions& functions_;
  std::vector<std::string> loop_names_;
};

}  // namespace

Interval evaluated(std::string_view formula, const std::map<std::string, Interval, std::less<>>& numbers,
                   const IntervalFunctions& functions) {
  LoopValues loops;
  return FormulaReader(formula, numbers, functions).whole_formula()(loops);
}

bool is_certain(const Interval& condition) {
  return least_magnitude(condition) == 1;
}

std::int64_t whole(const Interval& value) {
  const double number = middle(value);
  if (radius(value) != 0 || number != std::trunc(number)) {
    throw std::invalid_argument("formula: expected a whole number, got " + digits(value, 6));
  }
  return static_cast<std::int64_t>(number);
}

}  // namespace vernier
