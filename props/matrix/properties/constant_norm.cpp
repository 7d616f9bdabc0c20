#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

Outcome judge_constant_norm(const PositionModel& model, const MatrixCase& values) {
  const auto a = model.code(values.t);
  const auto b = model.code(values.s);
  return must_vanish(a.squaredNorm() - b.squaredNorm());
}

}  // namespace

MatrixProperty constant_norm_property() {
  return {"constant-norm", "Constant norm", "|code(t)| = |code(s)|", "t, s", judge_constant_norm};
}

}  // namespace vernier
