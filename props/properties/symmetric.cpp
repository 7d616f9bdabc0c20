#include "props/law.hpp"
#include "props/matrix/judging.hpp"
#include "props/properties/shift.hpp"

namespace vernier {
namespace {

void judge_products_of_mirrored_rows(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const std::int64_t k = instance.position("k");
  const auto row = view.row(t, Allowance::total);
  // <p, a> - <p, b> = <p, a - b>, which widens less.
  const IntervalVector difference = view.row(t + k, Allowance::total) - view.row(t - k, Allowance::total);
  judgement.must_vanish(
      dot(view, row, difference), dot_scale(view),
      "difference of the products, pairs summed:", static_cast<std::ptrdiff_t>(view.pairs().size()));
}

Outcome judge_mirrored_scores(const PositionModel& model, const MatrixCase& values) {
  if (!model.window().holds(values.t - values.k)) {
    return Outcome::discarded;
  }
  return must_vanish(model.score(values.t, values.t + values.k) - model.score(values.t, values.t - values.k));
}

}  // namespace

Property symmetric_property() {
  return {
      .id = "symmetric",
      .name = "Scores do not tell left from right",
      .statement = "score(t, t + k) = score(t, t - k); the score of sinusoids is <PE(t), PE(t + k)>",
      .hypotheses = "scores that are even in the offset, as products of complete pairs of sinusoids are",
      .citation = "<PE(t), PE(t + k)> = A^2 sum_i cos(w_i k), which is even in k",
      .counterexample =
          "an offset that looks different to the left and to the right, which the plain product of "
          "sinusoids cannot",
      .drawn = {{.domain = "the complete pairs of every spec, all integers t, k; holds for any frequencies",
                 .positions = {"t", "k"},
                 .rows =
                     [](const LawCase& c) {
                       const auto t = c.position("t");
                       const auto k = c.position("k");
                       return std::vector{t, t + k, t - k};
                     },
                 .judge = judge_products_of_mirrored_rows}},
      .model = ModelJudge{
          .column = "Same score ahead and behind", .variables = "t, k", .judge = judge_mirrored_scores}};
}

}  // namespace vernier
