#include "reports/inspection/rotation.hpp"

#include <cmath>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/scheme_registry.hpp"

namespace vernier {
namespace {

constexpr double longest_exact_integer = 1e15;

/// How far apart two numbers are, on the scale of their ratio; infinite where only one is zero.
double apart(double first, double second) {
  return first == second ? 0 : std::abs(std::log(std::abs(first / second)));
}

}  // namespace

std::optional<TurnRates> turn_rates_of(const OrderedJson& spec, const std::string& source) {
  const auto encoding = parse_spec(spec.dump(), source);
  const auto* rope = dynamic_cast<const RopeEncoding*>(encoding.get());
  return rope == nullptr ? std::nullopt : std::optional(turn_rates_of(rope->parameters()));
}

std::string description(const std::vector<double>& frequencies, double tolerance) {
  const auto pairs = frequencies.size();
  if (pairs < 2 || !(frequencies.back() > 0) || apart(frequencies.front(), 1) > tolerance) {
    return fmt::format("{} frequencies from {} to {}", pairs, number_text(frequencies.front()),
                       number_text(frequencies.back()));
  }
  const auto steps = static_cast<double>(pairs - 1);
  const double slowest = std::pow(frequencies.back(), -static_cast<double>(pairs) / steps);
  // The base is told with the fewest digits that explain the frequencies too.
  const double base = shortest_decimal(slowest, 2 * tolerance, 6).value_or(slowest);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto expected = std::pow(base, -static_cast<double>(pair) / static_cast<double>(pairs));
    if (!(apart(frequencies[pair], expected) <= 3 * tolerance)) {
      return fmt::format("{} frequencies from {} to {}, not powers of one base", pairs,
                         number_text(frequencies.front()), number_text(frequencies.back()));
    }
  }
  return fmt::format("the frequencies of base {} over {} dimensions", number_text(base), 2 * pairs);
}

std::string number_text(double number) {
  return number == std::floor(number) && std::abs(number) < longest_exact_integer
             ? fmt::format("{:.0f}", number)
             : fmt::format("{}", static_cast<float>(number));
}

}  // namespace vernier
