#include <array>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::array<std::size_t, 3> packed_lengths{13, 5, 29};

void judge_packed(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/packed",
                 "sequences packed one after another, the positions of each from the start, have the rows of "
                 "their positions: not of where they stand");
  if (const auto& reach = trial.reach()) {
    Use use{"sequences packed one after another", {}};
    for (const auto length : packed_lengths) {
      const auto sequence = trial.block(reach->least, length);
      use.positions.insert(use.positions.end(), sequence.begin(), sequence.end());
    }
    trial.ask(use);
  }
  out.push_back(trial.conclude("packed sequences"));
}

}  // namespace

LiveCheckKind packed_check() {
  return {
      "use/packed",
      "Several sequences in one, as training packs them: positions 0 to a, 0 to b, 0 to c. If this fails, "
      "the implementation takes the first position and counts on from there, so that all sequences but the "
      "first have the encodings of other positions.",
      "packed sequences without padding, whose positions restart",
      "positions that start again have the rows of others", judge_packed};
}

}  // namespace vernier
