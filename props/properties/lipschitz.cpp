#include "props/matrix/judging.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

Outcome judge_step(const PositionModel& model, const MatrixCase& values) {
  const auto constant = model.lipschitz();
  if (!constant || !model.window().holds(values.t + 1)) {
    return Outcome::discarded;
  }
  return must_not_exceed(norm(model.code(values.t + 1) - model.code(values.t)), *constant);
}

}  // namespace

Property lipschitz_property() {
  return {
      .id = "lipschitz",
      .name = "Near positions have near codes",
      .statement = "code is a function of a real t, and |code(t + 1) - code(t)| <= L, its Lipschitz constant",
      .hypotheses = "codes of a real position with a bounded derivative",
      .citation = "the mean value theorem: of sinusoids |code'(t)| = sqrt(sum_i w_i^2)",
      .counterexample = "two neighbours whose codes are further apart than L",
      .model = ModelJudge{.column = "Lipschitz in t", .variables = "t", .judge = judge_step}};
}

}  // namespace vernier
