#include <algorithm>
#include <array>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

/// A prime: vectorised loops have a tail.
constexpr std::size_t rows_of_a_block = 67;

void judge_blocks(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(
      session, "use/blocks",
      "a block of positions k, k + 1, ... has the rows of its positions, wherever it starts: the bits "
      "of the whole, or within budget");
  if (const auto& reach = trial.reach()) {
    const auto last_block =
        std::max(reach->least, reach->greatest - static_cast<std::int64_t>(rows_of_a_block) + 1);
    std::vector<std::int64_t> firsts{reach->least, reach->least + 1, reach->least + 17, reach->least + 4096,
                                     last_block};
    std::erase_if(firsts, [&](std::int64_t first) { return first > last_block; });
    if (session.implementation().costs_a_process() && firsts.size() > 1) {
      // Farthest from the start, but for the end, where budgets are widest.
      std::ranges::sort(firsts);
      firsts = {firsts[firsts.size() - 2]};
    }
    for (const auto first : firsts) {
      trial.ask(trial.use_of(trial.block(first, rows_of_a_block)));
    }
  }
  out.push_back(trial.conclude("contiguous blocks"));
}

}  // namespace

LiveCheckKind blocks_check() {
  return {
      "use/blocks",
      "Asked for a block of consecutive positions alone, at the start, one further, at 17, at 4096 and at "
      "the "
      "end, the implementation gives the rows of these positions. If not, it counts from 0 whatever it is "
      "given: right for a prompt, wrong for its second chunk and for every token after a cache. Other bits "
      "than "
      "for the whole are told, and no failure within the budget: an engine may take another code path for "
      "another shape.",
      "chunked prefill, and keys that are added to a cache",
      "a block of positions alone has other rows than in the whole", judge_blocks};
}

}  // namespace vernier
