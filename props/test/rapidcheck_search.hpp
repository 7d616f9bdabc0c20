#pragma once

#include <cstdint>
#include <functional>

#include <rapidcheck.h>

#include "props/judging/check.hpp"

namespace vernier {

/// RapidCheck says nothing: what it finds is asserted by the tests.
class SilentListener final : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

/// RapidCheck's search, with a stream of random numbers of its own; its global configuration (RC_PARAMS) has
/// no say.
template <class Value>
void rapidcheck_search(const Generator<Value>& generator, const std::function<Outcome(const Value&)>& judge,
                       std::uint64_t seed, int cases) {
  using Type = rc::detail::CaseResult::Type;
  const rc::Gen<Value> drawn = [&](rc::Random random, int) {
    Dice dice(random.next());
    return rc::shrinkable::shrinkRecur(
        generator.draw(dice),
        [simpler = generator.simpler](const Value& value) { return rc::seq::fromContainer(simpler(value)); });
  };
  const auto described = [&](const Value& value) -> rc::detail::CaseDescription {
    switch (judge(value)) {
      case Outcome::fails:
        return {{Type::Failure, ""}, {}, [] { return rc::detail::Example{}; }};
      case Outcome::discarded:
        return {{Type::Discard, ""}, {}, {}};
      case Outcome::holds:
      case Outcome::inconclusive:
        break;
    }
    return {{Type::Success, ""}, {}, {}};
  };
  rc::detail::TestParams parameters;
  parameters.seed = seed;
  parameters.maxSuccess = cases;
  SilentListener listener;
  rc::detail::checkProperty(rc::gen::map(drawn, described), {}, parameters, listener, {});
}

}  // namespace vernier
