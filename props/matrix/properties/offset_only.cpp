#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

Outcome judge_offset_only(const PositionModel& model, const MatrixCase& values) {
  return must_vanish(model.score(values.t, values.t + values.k) - model.score(values.s, values.s + values.k));
}

}  // namespace

MatrixProperty offset_only_property() {
  return {"offset-only", "Score depends on the offset only", "score(t, t + k) = score(s, s + k)", "t, s, k",
          judge_offset_only};
}

}  // namespace vernier
