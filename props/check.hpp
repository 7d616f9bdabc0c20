#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Runs one property on drawn values of any type, makes a counterexample as simple as it can, and holds the
// property to the coverage it promised. The program that is shipped runs properties too, of implementations
// that it is given, so no test library has a part in it.

namespace vernier {

/// How the properties of a program run.
struct CheckOptions {
  std::uint64_t seed = 20170612;  ///< the base seed: every property derives its own from it
  int cases = 100;                ///< >= 1, discarded ones not counted
};

/// The options, as the environment variables VERNIER_SEED and VERNIER_CASES change them. Throws InputError if
/// one is no number.
CheckOptions options_from_environment();

/// The seed of the property of this id: different properties see different streams.
std::uint64_t seed_of(std::string_view id, std::uint64_t base_seed);

/// A stream of random decisions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  /// Uniform on the integers of [lowest, highest].
  std::int64_t between(std::int64_t lowest, std::int64_t highest);
  /// An integer of [0, highest] whose number of bits is uniform.
  std::int64_t logarithmic(std::int64_t highest);
  /// True in `percent` cases of a hundred.
  bool chance(int percent) { return between(0, 99) < percent; }

 private:
  std::uint64_t next();

  std::uint64_t state_;
};

/// How values of one type are drawn, and what is simpler than a given one, simplest first.
template <class Value>
struct Generator {
  std::function<Value(Dice&)> draw;
  std::function<std::vector<Value>(const Value&)> simpler;
};

enum class Outcome {
  holds,
  fails,
  inconclusive,  ///< the case could not have shown a fault of the size that matters
  discarded      ///< outside the property's domain
};

/// What a property says of one value.
struct Judged {
  Outcome outcome = Outcome::holds;
  std::vector<std::string> classes = {};  ///< the classes of inputs the value belongs to
};

/// At least this share of all cases must be conclusive and in the class; the class "" holds every case.
struct CoverageRequirement {
  std::string class_name;
  double share = 0;
};

enum class CheckStatus { holds, fails, inconclusive };

template <class Value>
struct CheckResult {
  CheckStatus status = CheckStatus::inconclusive;
  std::string reason = {};  ///< why it is inconclusive
  std::uint64_t seed = 0;
  int cases = 0;  ///< run and not discarded, up to the first failure
  int conclusive = 0;
  int discarded = 0;
  std::map<std::string, int> classes = {};   ///< how many conclusive cases each class has
  std::optional<Value> counterexample = {};  ///< shrunk
};

namespace detail {

/// Why the coverage falls short, or nothing.
std::string coverage_shortfall(int cases, int conclusive, const std::map<std::string, int>& classes,
                               const std::vector<CoverageRequirement>& required);

}  // namespace detail

/// Runs a property. It *holds* if no value broke it and the coverage is as required; discarding everything is
/// no coverage, and ten discarded values for each case that is wanted are enough. A value that breaks it
/// gives way to the first simpler one that does too, until there is none. \param seed the property's own
/// (seed_of)
template <class Value>
CheckResult<Value> check(const Generator<Value>& generator,
                         const std::function<Judged(const Value&)>& property, std::uint64_t seed, int cases,
                         const std::vector<CoverageRequirement>& required = {}) {
  CheckResult<Value> result;
  result.seed = seed;
  Dice dice(seed);
  while (!result.counterexample && result.cases < cases && result.discarded / 10 < cases) {
    Value value = generator.draw(dice);
    const Judged judged = property(value);
    ++(judged.outcome == Outcome::discarded ? result.discarded : result.cases);
    if (judged.outcome == Outcome::holds) {
      ++result.conclusive;
      for (const auto& name : judged.classes) {
        ++result.classes[name];
      }
    } else if (judged.outcome == Outcome::fails) {
      result.counterexample = std::move(value);
    }
  }
  const auto fails = [&](const Value& value) { return property(value).outcome == Outcome::fails; };
  for (bool simpler_found = result.counterexample.has_value(); simpler_found;) {
    const auto candidates = generator.simpler(*result.counterexample);
    const auto simpler = std::ranges::find_if(candidates, fails);
    simpler_found = simpler != candidates.end();
    if (simpler_found) {
      result.counterexample = *simpler;
    }
  }
  result.reason = detail::coverage_shortfall(result.cases, result.conclusive, result.classes, required);
  result.status = result.counterexample   ? CheckStatus::fails
                  : result.reason.empty() ? CheckStatus::holds
                                          : CheckStatus::inconclusive;
  return result;
}

}  // namespace vernier
