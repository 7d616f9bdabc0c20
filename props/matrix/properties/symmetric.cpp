#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

Outcome judge_symmetric(const PositionModel& model, const MatrixCase& values) {
  if (!model.window().holds(values.t - values.k)) {
    return Outcome::discarded;
  }
  return must_vanish(model.score(values.t, values.t + values.k) - model.score(values.t, values.t - values.k));
}

}  // namespace

MatrixProperty symmetric_property() {
  return {"symmetric", "Same score ahead and behind", "score(t, t + k) = score(t, t - k)", "t, k",
          judge_symmetric};
}

}  // namespace vernier
