#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidcheck.h>

// The only place that knows RapidCheck. It runs one property on values of any type, with its own stream of
// random numbers, and holds it to the coverage it promised; RapidCheck's global configuration (RC_PARAMS) has
// no say.

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
  explicit Dice(const rc::Random& random) : random_(random) {}

  /// Uniform on the integers of [lowest, highest].
  std::int64_t between(std::int64_t lowest, std::int64_t highest);
  /// An integer of [0, highest] whose number of bits is uniform.
  std::int64_t logarithmic(std::int64_t highest);
  /// True in `percent` cases of a hundred.
  bool chance(int percent) { return between(0, 99) < percent; }

 private:
  rc::Random random_;
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

class SilentListener final : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

/// Why the coverage falls short, or nothing.
std::string coverage_shortfall(int cases, int conclusive, const std::map<std::string, int>& classes,
                               const std::vector<CoverageRequirement>& required);

template <class Value>
rc::Gen<Value> as_rapidcheck(const Generator<Value>& generator) {
  return [generator](const rc::Random& random, int) {
    Dice dice(random);
    return rc::shrinkable::shrinkRecur(
        generator.draw(dice),
        [simpler = generator.simpler](const Value& value) { return rc::seq::fromContainer(simpler(value)); });
  };
}

}  // namespace detail

/// Runs a property. It *holds* if no value broke it and the coverage is as required; discarding everything is
/// no coverage. \param seed the property's own (seed_of)
template <class Value>
CheckResult<Value> check(const Generator<Value>& generator,
                         const std::function<Judged(const Value&)>& property, std::uint64_t seed, int cases,
                         const std::vector<CoverageRequirement>& required = {}) {
  using Type = rc::detail::CaseResult::Type;
  CheckResult<Value> result;
  result.seed = seed;
  // RapidCheck tries simpler values of a failing one in order and moves to the first that fails too, so the
  // last value seen to fail is the simplest found.
  const auto judge = [&](const Value& value) -> rc::detail::CaseDescription {
    const Judged judged = property(value);
    const bool counted = !result.counterexample && judged.outcome != Outcome::discarded;
    result.cases += counted ? 1 : 0;
    result.discarded += !result.counterexample && !counted ? 1 : 0;
    if (counted && judged.outcome == Outcome::holds) {
      ++result.conclusive;
      for (const auto& name : judged.classes) {
        ++result.classes[name];
      }
    }
    if (judged.outcome == Outcome::fails) {
      result.counterexample = value;
      return {{Type::Failure, ""}, {}, [] { return rc::detail::Example{}; }};
    }
    return {{counted || result.counterexample ? Type::Success : Type::Discard, ""}, {}, {}};
  };
  rc::detail::TestParams parameters;
  parameters.seed = seed;
  parameters.maxSuccess = cases;
  detail::SilentListener listener;
  rc::detail::checkProperty(rc::gen::map(detail::as_rapidcheck(generator), judge), {}, parameters, listener,
                            {});

  result.reason = detail::coverage_shortfall(result.cases, result.conclusive, result.classes, required);
  result.status = result.counterexample   ? CheckStatus::fails
                  : result.reason.empty() ? CheckStatus::holds
                                          : CheckStatus::inconclusive;
  return result;
}

}  // namespace vernier
