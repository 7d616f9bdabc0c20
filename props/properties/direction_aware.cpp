#include "props/matrix/judging.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

Outcome judge_exchanged_score(const PositionModel& model, const MatrixCase& values) {
  return must_vanish(model.score(values.t, values.s) - model.score(values.s, values.t));
}

}  // namespace

Property direction_aware_property() {
  return {.id = "direction-aware",
          .name = "Some score changes when query and key change places",
          .statement = "score(t, s) = score(s, t) fails somewhere",
          .hypotheses = "scores that are not symmetric in the two positions",
          .citation = "a dot product commutes, so that <p, q> alone tells no direction",
          .counterexample =
              "scores that all are symmetric, as dot products are: what is ahead looks like what "
              "is behind",
          .model = ModelJudge{.column = "Aware of direction",
                              .variables = "t, s",
                              .judge = judge_exchanged_score,
                              .affirmed_by_failure = true}};
}

}  // namespace vernier
