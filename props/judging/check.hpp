#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Runs one property on drawn values of any type, makes a counterexample as simple as it can, and holds the
// property to the coverage it promised. Tests have RapidCheck search (props/test/rapidcheck_search.hpp); the
// program that is shipped, which runs properties of implementations that it is given, needs no test library.

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

/// What became of a property.
struct CheckCounts {
  CheckStatus status = CheckStatus::inconclusive;
  std::string reason = {};  ///< why it is inconclusive
  std::uint64_t seed = 0;   ///< that gives these very cases
  int cases = 0;            ///< run and not discarded, up to the first failure
  int conclusive = 0;       ///< of `cases`
  int discarded = 0;
  std::map<std::string, int> classes = {};  ///< how many conclusive cases each class has
};

template <class Value>
struct CheckResult : CheckCounts {
  std::optional<Value> counterexample = {};  ///< shrunk
};

namespace detail {

/// Why the coverage falls short, or nothing.
std::string coverage_shortfall(int cases, int conclusive, const std::map<std::string, int>& classes,
                               const std::vector<CoverageRequirement>& required);

}  // namespace detail

/// Draws values and has each judged, until one fails, enough were judged, or ten times as many discarded;
/// then has ever simpler values judged, each one of those `simpler` than the last that failed. The last value
/// that fails is the counterexample. \param cases to be judged \param seed of what is drawn
template <class Value>
using Search =
    std::function<void(const Generator<Value>& generator, const std::function<Outcome(const Value&)>& judge,
                       std::uint64_t seed, int cases)>;

/// The search of the program that is shipped: a value that fails gives way to the first simpler one that does
/// too, until there is none.
template <class Value>
void draw_and_simplify(const Generator<Value>& generator, const std::function<Outcome(const Value&)>& judge,
                       std::uint64_t seed, int cases) {
  const auto fails = [&](const Value& value) { return judge(value) == Outcome::fails; };
  Dice dice(seed);
  int judged = 0;
  int discarded = 0;
  while (judged < cases && discarded / 10 < cases) {
    Value value = generator.draw(dice);
    const auto outcome = judge(value);
    if (outcome == Outcome::fails) {
      auto candidates = generator.simpler(value);
      auto simpler = std::ranges::find_if(candidates, fails);
      while (simpler != candidates.end()) {
        value = *simpler;
        candidates = generator.simpler(value);
        simpler = std::ranges::find_if(candidates, fails);
      }
      return;
    }
    ++(outcome == Outcome::discarded ? discarded : judged);
  }
}

/// Runs a property. It *holds* if no value broke it and the coverage is as required; discarding everything is
/// no coverage. \param seed the property's own (seed_of)
template <class Value>
CheckResult<Value> check(const Generator<Value>& generator,
                         const std::function<Judged(const Value&)>& property, std::uint64_t seed, int cases,
                         const std::vector<CoverageRequirement>& required = {},
                         const Search<Value>& search = draw_and_simplify<Value>) {
  CheckResult<Value> result;
  result.seed = seed;
  const auto judge = [&](const Value& value) {
    const Judged judged = property(value);
    if (!result.counterexample) {
      ++(judged.outcome == Outcome::discarded ? result.discarded : result.cases);
      if (judged.outcome == Outcome::holds) {
        ++result.conclusive;
        for (const auto& name : judged.classes) {
          ++result.classes[name];
        }
      }
    }
    if (judged.outcome == Outcome::fails) {
      result.counterexample = value;
    }
    return judged.outcome;
  };
  search(generator, judge, seed, cases);
  result.reason = detail::coverage_shortfall(result.cases, result.conclusive, result.classes, required);
  result.status = result.counterexample   ? CheckStatus::fails
                  : result.reason.empty() ? CheckStatus::holds
                                          : CheckStatus::inconclusive;
  return result;
}

}  // namespace vernier
