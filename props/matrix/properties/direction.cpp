#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

Outcome judge_direction(const PositionModel& model, const MatrixCase& values) {
  return must_vanish(model.score(values.t, values.s) - model.score(values.s, values.t));
}

}  // namespace

MatrixProperty direction_property() {
  return {"direction-aware",
          "Aware of direction",
          "score(t, s) = score(s, t) fails somewhere",
          "t, s",
          judge_direction,
          true};
}

}  // namespace vernier
