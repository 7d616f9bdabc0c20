#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

Outcome judge_bounded(const PositionModel& model, const MatrixCase& values) {
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

MatrixProperty bounded_property() {
  return {
      "bounded", "Bounded",
      "every element of code(t) is at most b in magnitude: the bound of the definition or, where that has "
      "none, the greatest element of the first 64 positions",
      "t", judge_bounded};
}

}  // namespace vernier
