#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

Outcome judge_lipschitz(const PositionModel& model, const MatrixCase& values) {
  const auto constant = model.lipschitz();
  if (!constant || !model.window().holds(values.t + 1)) {
    return Outcome::discarded;
  }
  return must_not_exceed(norm(model.code(values.t + 1) - model.code(values.t)), *constant);
}

}  // namespace

MatrixProperty lipschitz_property() {
  return {"lipschitz", "Lipschitz in t",
          "code is a function of a real t, and |code(t + 1) - code(t)| <= L, its Lipschitz constant", "t",
          judge_lipschitz};
}

}  // namespace vernier
