#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

/// Where a table of limited length ends is known from its definition: the model's justification.
Outcome judge_defined_beyond(const PositionModel& model, const MatrixCase& values) {
  return model.window().holds(values.t) ? Outcome::holds : Outcome::fails;
}

}  // namespace

MatrixProperty defined_beyond_property() {
  return {"defined-beyond", "Defined beyond the trained length", "code(t) exists for every t >= 0", "t",
          judge_defined_beyond};
}

}  // namespace vernier
