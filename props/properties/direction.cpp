// Whether scores tell left from right.

#include "props/judging/property.hpp"
#include "props/judging/shift.hpp"
#include "props/laws/law.hpp"
#include "props/models/judging.hpp"

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

Outcome judge_exchanged_score(const PositionModel& model, const MatrixCase& values) {
  return must_vanish(model.score(values.t, values.s) - model.score(values.s, values.t));
}

}  // namespace

std::vector<Property> direction_properties() {
  return {{.id = "symmetric",
           .drawn = {{.judge = judge_products_of_mirrored_rows}},
           .model = ModelJudge{.judge = judge_mirrored_scores}},
          {.id = "direction-aware",
           .model = ModelJudge{.judge = judge_exchanged_score, .affirmed_by_failure = true}}};
}

}  // namespace vernier
