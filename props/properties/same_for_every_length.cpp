#include <cstdlib>

#include "props/matrix/judging.hpp"
#include "props/properties/property.hpp"

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

}  // namespace

Property same_for_every_length_property() {
  return {
      .id = "same-for-every-length",
      .name = "A longer text has the same codes",
      .statement = "code(t) is the same in texts of |s| + 2 and of |k| + 2 positions",
      .hypotheses = "codes whose definition has no length in it",
      .citation = "the definition of each scheme: whether the length of the text stands in it",
      .counterexample =
          "a position whose code changes with the length of the text: what a model learned of it in short "
          "texts does not hold in long ones",
      .model = ModelJudge{
          .column = "Same code for every length", .variables = "t, s, k", .judge = judge_two_lengths}};
}

}  // namespace vernier
