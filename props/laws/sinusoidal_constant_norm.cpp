#include "props/laws/laws.hpp"
#include "props/laws/shift.hpp"

namespace vernier {
namespace {

void judge_sinusoidal_constant_norm(const LawCase& instance, TableView& view, Judgement& judgement) {
  const auto row = view.row(instance.position("t"), Allowance::apart_from_phase);
  const Interval expected = squared(view.amplitude());
  for (const auto& pair : view.pairs()) {
    const Interval norm = squared(row(pair.sine)) + squared(row(pair.cosine));
    judgement.must_vanish(norm - expected, view.scale() * view.scale(), "squared norm of pair", pair.pair);
  }
}

}  // namespace

Law sinusoidal_constant_norm() {
  return {
      .id = "sinusoidal/constant-norm",
      .name = "Every row has the same norm",
      .statement = "PE(t, 2i)^2 + PE(t, 2i+1)^2 = A^2 in every pair, hence |PE(t)|^2 = A^2 d / 2",
      .domain = "the complete pairs of every spec, every position t; holds for any frequencies",
      .citation = "sin^2 + cos^2 = 1; claims ledger, theorem T4 at k = 0",
      .counterexample =
          "a position whose row is longer or shorter than the others: sine and cosine of a pair do not share "
          "one phase, or a factor depends on the position",
      .positions = {"t"},
      .rows = [](const LawCase& c) { return std::vector{c.position("t")}; },
      .judge = judge_sinusoidal_constant_norm};
}

}  // namespace vernier
