#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t rows_of_heads = 19;

Use use_of_heads(const UseTrial& trial, const std::vector<std::int64_t>& block, Shape leading) {
  auto use = trial.use_of(block, std::move(leading));
  Shape shape = use.leading;
  shape.push_back(block.size());
  auto text = to_string(shape);
  text.insert(text.size() - 1, ", head_dim");
  use.words = "vectors " + text + " at " + use.words;
  return use;
}

void judge_heads(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(
      session, "use/heads",
      "every head of every batch is rotated by the positions of its rows, whatever the number of heads");
  if (const auto& reach = trial.reach()) {
    const auto last =
        trial.block(std::max(reach->least, reach->greatest - static_cast<std::int64_t>(rows_of_heads) + 1),
                    rows_of_heads);
    const Shape queries{2, 6};
    trial.ask(use_of_heads(trial, last, queries));
    if (!session.implementation().costs_a_process()) {
      trial.ask(use_of_heads(trial, last, {2, 1}));
      trial.ask(use_of_heads(trial, last, {3}));
      // As many as models have, which kernels take several at a time.
      trial.ask(use_of_heads(trial, last, {1, 8}));
      trial.ask(use_of_heads(trial, last, {1, 33}));
      // In a new process, where no table is longer than these make it: neither another head's row nor what
      // another dimension counts is in it. They are short and near the start, so that use/longest goes on
      // there.
      const auto near = trial.block(reach->least, rows_of_heads);
      if (session.implementation().can_start_afresh()) {
        session.start_afresh();
        trial.ask(use_of_heads(trial, near, queries));
        trial.ask(use_of_heads(trial, near, {2, 2}));
      } else {
        trial.leave_out(use_of_heads(trial, near, queries).words + " as the first question", no_new_process);
      }
    }
  }
  out.push_back(trial.conclude("heads and batches"));
}

}  // namespace

LiveCheckKind heads_check() {
  return {"use/heads",
          "Queries and keys come as [batch, heads, T, head_dim], another vector in each, and with grouped "
          "heads the "
          "keys have fewer: all heads are rotated by the same positions. If this fails, the implementation "
          "reads the "
          "shape wrongly: only the first head is right, or the others have the rows of positions that "
          "follow, in the "
          "table or beyond its end. Whoever rotates [T, head_dim] only may say so, and is not failed.",
          "multi-head and grouped-query attention: one rotation for queries and keys",
          "some heads or batches have the rows of other positions", judge_heads};
}

}  // namespace vernier
