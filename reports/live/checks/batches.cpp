#include <array>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t rows_of_a_batch = 11;
constexpr std::size_t batch_heads = 2;

void judge_batches(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/batches", "every batch is rotated by its own positions");
  if (const auto& reach = trial.reach()) {
    const auto last =
        std::max(reach->least, reach->greatest - static_cast<std::int64_t>(rows_of_a_batch) + 1);
    Use use{"batches with positions of their own", {}, {3, batch_heads}, true};
    for (const auto first : {reach->least, std::min(reach->least + 17, last), last}) {
      const auto batch = trial.block(first, rows_of_a_batch);
      use.positions.insert(use.positions.end(), batch.begin(), batch.end());
    }
    trial.ask(use);
  }
  out.push_back(trial.conclude("batches with positions of their own"));
}

}  // namespace

LiveCheckKind batches_check() {
  return {"use/batches",
          "Positions [B, T], another row for each batch of vectors [B, heads, T, head_dim], as sequences of "
          "unequal "
          "length have them that are padded at their start. Asked only where the implementation says that it "
          "takes "
          "them: VERNIER_TAKES_BATCHED_POSITIONS of a plug-in, the word batched-positions of a command's "
          "answer. If "
          "this fails, batches have the positions of the first one, or of their neighbour.",
          "batched generation with padding on the left",
          "batches do not have the rows of their own positions", judge_batches};
}

}  // namespace vernier
