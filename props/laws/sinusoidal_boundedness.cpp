#include "props/laws/laws.hpp"

namespace vernier {
namespace {

void judge_sinusoidal_boundedness(const LawCase& instance, TableView& view, Judgement& judgement) {
  const auto row = view.row(instance.position("t"), Allowance::apart_from_phase);
  for (Eigen::Index c = 0; c < row.size(); ++c) {
    // How far the element lies beyond A: if it lies within, by nothing but its allowance.
    const Interval excess = abs(row(c)) - view.amplitude();
    const double allowance = radius(excess);
    judgement.must_vanish(middle(excess) <= 0 ? hull(-allowance, allowance) : excess, view.scale(), "column",
                          c);
  }
}

}  // namespace

Law sinusoidal_boundedness() {
  return {.id = "sinusoidal/boundedness",
          .name = "No element exceeds the amplitude",
          .statement = "|PE(t, c)| <= A",
          .domain = "every spec, every position t; holds for any frequencies",
          .citation = "|sin|, |cos| <= 1; claims ledger, section 6, column B",
          .counterexample =
              "an element larger than the amplitude: a scaled table, or one that grows with the position and "
              "drowns the token's embedding",
          .positions = {"t"},
          .rows = [](const LawCase& c) { return std::vector{c.position("t")}; },
          .judge = judge_sinusoidal_boundedness};
}

}  // namespace vernier
