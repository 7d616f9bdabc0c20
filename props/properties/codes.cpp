// What the definition of a code says of it: models alone are judged.

#include <cstdlib>

#include "props/judging/property.hpp"
#include "props/models/judging.hpp"

namespace vernier {
namespace {

/// Compares the codes of t in texts of |s| + 2 and |k| + 2 positions.
Outcome judge_two_lengths(const PositionModel& model, const MatrixCase& values) {
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

/// Where a table of limited length ends is known from its definition: the model's justification.
Outcome judge_is_defined(const PositionModel& model, const MatrixCase& values) {
  return model.window().holds(values.t) ? Outcome::holds : Outcome::fails;
}

Outcome judge_step(const PositionModel& model, const MatrixCase& values) {
  const auto constant = model.lipschitz();
  if (!constant || !model.window().holds(values.t + 1)) {
    return Outcome::discarded;
  }
  return must_not_exceed(norm(model.code(values.t + 1) - model.code(values.t)), *constant);
}

}  // namespace

std::vector<Property> code_properties() {
  return {{.id = "same-for-every-length", .model = ModelJudge{.judge = judge_two_lengths}},
          {.id = "defined-beyond", .model = ModelJudge{.judge = judge_is_defined}},
          {.id = "lipschitz", .model = ModelJudge{.judge = judge_step}}};
}

}  // namespace vernier
