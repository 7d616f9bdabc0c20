#include "props/laws/laws.hpp"
#include "props/laws/shift.hpp"

namespace vernier {
namespace {

void judge_sinusoidal_dot_offset_only(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const std::int64_t s = instance.position("s");
  const std::int64_t k = instance.position("k");
  const auto product_at = [&](std::int64_t position) {
    return dot(view, view.row(position, Allowance::total), view.row(position + k, Allowance::total));
  };
  const Interval at_t = product_at(t);
  const Interval at_s = product_at(s);
  const auto offset = view.truth(k);
  Interval sum = 0;
  for (const auto& pair : view.pairs()) {
    sum += offset.cosine(pair.pair);
  }
  const auto pairs = static_cast<std::ptrdiff_t>(view.pairs().size());
  judgement.must_vanish(at_t - at_s, dot_scale(view), "product at t less product at s, pairs summed:", pairs);
  judgement.must_vanish(at_t - squared(view.amplitude()) * sum, dot_scale(view),
                        "product at t less the sum of cosines, pairs summed:", pairs);
}

}  // namespace

Law sinusoidal_dot_offset_only() {
  return {
      .id = "sinusoidal/dot-offset-only",
      .name = "Products of rows depend on the offset only",
      .statement = "<PE(t), PE(t+k)> = <PE(s), PE(s+k)> = A^2 sum_i cos(w_i k)",
      .domain = "the complete pairs of every spec, all integers t, s, k",
      .citation = "claims ledger, theorem T4",
      .counterexample = "two positions that see the same offset with different similarity",
      .positions = {"t", "s", "k"},
      .rows =
          [](const LawCase& c) {
            const auto k = c.position("k");
            return std::vector{c.position("t"), c.position("t") + k, c.position("s"), c.position("s") + k};
          },
      .judge = judge_sinusoidal_dot_offset_only};
}

}  // namespace vernier
