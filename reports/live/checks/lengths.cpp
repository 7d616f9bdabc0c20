#include <array>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

/// The shortest, a prime, and one more than powers of two: what loops over 2, 4, 8 ... rows leave over, and
/// tiles of as many.
constexpr std::array<std::size_t, 11> asked_lengths{1, 2, 3, 13, 17, 33, 65, 129, 257, 513, 1025};

void judge_lengths(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/lengths", "every length is answered, to its last row");
  if (session.implementation().costs_a_process()) {
    auto check = trial.conclude("");
    check.reason = "each length would cost a process; effects/rows and use/blocks ask for some";
    out.push_back(std::move(check));
    return;
  }
  if (const auto& reach = trial.reach()) {
    for (const auto length : asked_lengths) {
      const auto last = reach->greatest - static_cast<std::int64_t>(length) + 1;
      if (last >= reach->least) {
        trial.ask(trial.use_of(trial.block(std::min(reach->least + 5, last), length)));
      }
    }
  }
  out.push_back(trial.conclude("lengths 1 to 1025"));
}

}  // namespace

LiveCheckKind lengths_check() {
  return {
      "use/lengths",
      "Questions of 1, 2 and 3 rows, of a prime number of them, and of one more than a power of two. If this "
      "fails, what a loop over several rows leaves over is computed wrongly, or not at all.",
      "vectorised and tiled kernels treat the rows that fill no tile apart",
      "some numbers of rows have wrong ones among them", judge_lengths};
}

}  // namespace vernier
