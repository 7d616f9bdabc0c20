#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t decoded_tokens = 9;

Use token(const UseTrial& trial, const std::vector<std::int64_t>& position, const Shape& leading) {
  const std::string of = leading.empty() ? "" : " of " + std::to_string(leading.back()) + " heads";
  return {"one token" + of + " at a time, position " + trial.position_text(position.front()), position,
          leading};
}

/// Consecutive positions, a question for each.
void decode(UseTrial& trial, std::int64_t first, const Shape& leading = {}) {
  for (std::size_t i = 0; i < decoded_tokens; ++i) {
    if (const auto next = trial.block(first + static_cast<std::int64_t>(i), 1); !next.empty()) {
      trial.ask(token(trial, next, leading));
    }
  }
}

void judge_decoding(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(
      session, "use/decoding",
      "positions asked for one after another, alone or with all before them, have the rows that they "
      "have when all are asked at once, or rows within budget");
  const bool is_costly =
      session.implementation().costs_a_process() || session.implementation().takes().one_length;
  if (is_costly) {
    auto check = trial.conclude("");
    check.reason = "each token would cost a process; effects/rows asks for some";
    out.push_back(std::move(check));
    return;
  }
  if (const auto& reach = trial.reach()) {
    for (std::size_t length = 1; length <= decoded_tokens; ++length) {
      if (const auto prefix = trial.block(reach->least, length); prefix.size() == length) {
        trial.ask(trial.use_of(prefix));
      }
    }
    // From the start, across a power of two, where caches grow, and to the end.
    decode(trial, reach->least);
    decode(trial, reach->least + 4092);
    const auto last = reach->greatest - static_cast<std::int64_t>(decoded_tokens) + 1;
    decode(trial, last);
    // With the heads that a token has, which code for single tokens may treat apart.
    decode(trial, last, {2, 4});
  }
  out.push_back(trial.conclude("token by token"));
}

}  // namespace

LiveCheckKind decoding_check() {
  return {"use/decoding",
          "Tokens are asked for as they are generated: one at a time at consecutive positions, and all so "
          "far, one "
          "more each time. If this fails, the implementation counts its calls or keeps a table that grows "
          "wrongly, "
          "and generation departs from training token by token.",
          "autoregressive generation with and without a cache of keys",
          "one token at a time has other rows than all at once", judge_decoding};
}

}  // namespace vernier
