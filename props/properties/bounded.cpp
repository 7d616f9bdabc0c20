#include "props/law.hpp"
#include "props/matrix/judging.hpp"

namespace vernier {
namespace {

void judge_bound_of_row(const LawCase& instance, TableView& view, Judgement& judgement) {
  const auto row = view.row(instance.position("t"), Allowance::apart_from_phase);
  for (Eigen::Index c = 0; c < row.size(); ++c) {
    // How far the element lies beyond A: if it lies within, by nothing but its allowance.
    const Interval excess = abs(row(c)) - view.amplitude();
    const double allowance = radius(excess);
    judgement.must_vanish(middle(excess) <= 0 ? hull(-allowance, allowance) : excess, view.scale(), "column",
                          c);
  }
}

Outcome judge_bound_of_code(const PositionModel& model, const MatrixCase& values) {
  const auto bound = model.bound();
  if (!bound) {
    return Outcome::discarded;
  }
  const auto code = model.code(values.t);
  for (Eigen::Index i = 0; i < code.size(); ++i) {
    if (must_not_exceed(abs(code(i)), *bound) == Outcome::fails) {
      return Outcome::fails;
    }
  }
  return Outcome::holds;
}

}  // namespace

Property bounded_property() {
  return {.id = "bounded",
          .name = "No element exceeds its bound",
          .statement =
              "every element of code(t) is at most b in magnitude: the bound of the definition, which of "
              "sinusoids is the amplitude A, or, where that has none, the greatest element of the first 64 "
              "positions",
          .hypotheses = "sinusoids of any frequencies, and codes whose definition bounds them",
          .citation = "|sin|, |cos| <= 1",
          .counterexample =
              "an element larger than the bound: a scaled table, or one that grows with the position and "
              "drowns the token's embedding",
          .drawn = {{.domain = "every spec, every position t; holds for any frequencies",
                     .positions = {"t"},
                     .rows = [](const LawCase& c) { return std::vector{c.position("t")}; },
                     .judge = judge_bound_of_row}},
          .model = ModelJudge{.column = "Bounded", .variables = "t", .judge = judge_bound_of_code}};
}

}  // namespace vernier
