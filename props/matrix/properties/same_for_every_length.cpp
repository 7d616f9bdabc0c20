#include <cstdlib>

#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

/// Compares the codes of t in texts of |s| + 2 and |k| + 2 positions.
Outcome judge_same_for_every_length(const PositionModel& model, const MatrixCase& values) {
  const auto one = model.at_length(std::abs(values.s) + 2);
  const auto other = model.at_length(std::abs(values.k) + 2);
  if (one == nullptr || other == nullptr) {
    return Outcome::holds;
  }
  if (!one->window().holds(values.t) || !other->window().holds(values.t)) {
    return Outcome::discarded;
  }
  return certainly_different(one->code(values.t), other->code(values.t)) ? Outcome::fails : Outcome::holds;
}

}  // namespace

MatrixProperty same_for_every_length_property() {
  return {"same-for-every-length", "Same code for every length",
          "code(t) is the same in texts of |s| + 2 and of |k| + 2 positions", "t, s, k",
          judge_same_for_every_length};
}

}  // namespace vernier
