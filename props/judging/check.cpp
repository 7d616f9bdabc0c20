#include "props/judging/check.hpp"

#include <bit>
#include <cassert>
#include <cstdlib>
#include <limits>

#include "reference/numbers/parsed_number.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

template <class Number>
void read_variable(const char* name, Number lowest, Number highest, Number& into) {
  const char* given = std::getenv(name);
  if (given == nullptr) {
    return;
  }
  const std::string_view text = given;
  const auto value = parsed_number<Number>(text);
  if (!value || *value < lowest || *value > highest) {
    throw InputError("environment variable " + std::string(name) + " is \"" + std::string(text) +
                     "\", expected an integer from " + std::to_string(lowest) + " to " +
                     std::to_string(highest));
  }
  into = *value;
}

/// The step of SplitMix64's counter: odd, and the golden ratio's bits.
constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

/// The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014): every bit of the result depends on
/// every bit.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

CheckOptions options_from_environment() {
  CheckOptions options;
  read_variable<std::uint64_t>("VERNIER_SEED", 0, std::numeric_limits<std::uint64_t>::max(), options.seed);
  read_variable<int>("VERNIER_CASES", 1, 1'000'000, options.cases);
  return options;
}

std::uint64_t seed_of(std::string_view id, std::uint64_t base_seed) {
  std::uint64_t hash = mix(base_seed + golden_gamma);
  for (const char c : id) {
    hash = mix(hash ^ static_cast<unsigned char>(c));
  }
  return hash;
}

std::uint64_t Dice::next() {
  state_ += golden_gamma;
  return mix(state_);
}

std::int64_t Dice::between(std::int64_t lowest, std::int64_t highest) {
  assert(lowest <= highest);
  const auto range = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) + 1;
  const std::uint64_t bits = next();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lowest) + (range == 0 ? bits : bits % range));
}

std::int64_t Dice::logarithmic(std::int64_t highest) {
  assert(highest >= 0);
  const auto bits =
      between(0, static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(highest))));
  if (bits == 0) {
    return 0;
  }
  const std::int64_t least = std::int64_t{1} << (bits - 1);
  return between(least, std::min(highest, 2 * (least - 1) + 1));
}

std::string detail::coverage_shortfall(int cases, int conclusive, const std::map<std::string, int>& classes,
                                       const std::vector<CoverageRequirement>& required) {
  if (conclusive == 0) {
    return cases == 0 ? "no case lay in the property's domain" : "no case was conclusive";
  }
  for (const auto& [name, share] : required) {
    const auto found = classes.find(name);
    const int count = name.empty() ? conclusive : found == classes.end() ? 0 : found->second;
    if (count < share * cases) {
      return "only " + std::to_string(count) + " of " + std::to_string(cases) + " cases were conclusive" +
             (name.empty() ? "" : " and " + name) + ", where " +
             std::to_string(static_cast<int>(share * 100)) + " % are required";
    }
  }
  return "";
}

}  // namespace vernier
