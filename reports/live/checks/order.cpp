#include <algorithm>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t rows_in_order = 23;

void judge_order(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/order", "positions that descend, or repeat, have the rows of their positions");
  if (session.implementation().costs_a_process()) {
    auto check = trial.conclude("");
    check.reason =
        "each question would cost a process; effects/batch asks for rows in another order, each twice";
    out.push_back(std::move(check));
    return;
  }
  if (const auto& reach = trial.reach()) {
    const auto first = std::clamp(reach->greatest - static_cast<std::int64_t>(rows_in_order) + 1,
                                  reach->least, reach->least + 11);
    const auto block = trial.block(first, rows_in_order);
    Use descending{"descending positions", {block.rbegin(), block.rend()}};
    Use repeated{"positions that repeat", {}};
    Use alternating{"positions near and far in turn", {}};
    for (std::size_t i = 0; i < block.size(); ++i) {
      repeated.positions.push_back(block[i / 3]);
      alternating.positions.push_back(i % 2 == 0 ? block[i] : reach->greatest);
    }
    for (const auto& use :
         {descending,
          Use{"one position again and again", std::vector<std::int64_t>(rows_in_order, block.back())},
          repeated, alternating}) {
      trial.ask(use);
    }
  }
  out.push_back(trial.conclude("descending and repeated positions"));
}

}  // namespace

LiveCheckKind order_check() {
  return {
      "use/order",
      "Positions in descending order, one position in all rows, each three times, near and far in turn. If "
      "this "
      "fails, the implementation takes positions to be consecutive, or looks at the first and the last one "
      "only. Negative ones are asked by effects/out-of-range.",
      "positions are an input of every row; beams, speculative tokens and reordered batches repeat them",
      "positions that descend or repeat have the rows of others", judge_order};
}

}  // namespace vernier
