#include "props/matrix/judging.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

/// Where a table of limited length ends is known from its definition: the model's justification.
Outcome judge_is_defined(const PositionModel& model, const MatrixCase& values) {
  return model.window().holds(values.t) ? Outcome::holds : Outcome::fails;
}

}  // namespace

Property defined_beyond_property() {
  return {.id = "defined-beyond",
          .name = "Every position has a code",
          .statement = "code(t) exists for every t >= 0",
          .hypotheses = "codes whose definition names no greatest position",
          .citation = "the definition of each scheme: a formula goes on, a table of rows ends",
          .counterexample = "a position without a code: the model cannot read a text that is longer",
          .model = ModelJudge{
              .column = "Defined beyond the trained length", .variables = "t", .judge = judge_is_defined}};
}

}  // namespace vernier
