// What turns back, after what it turns back.

#include "props/law.hpp"

namespace vernier {
namespace {

/// Judges that what turns back makes x of what was rotated, times a factor where it rotates.
void judge_return(RotationOperation operation, const Interval& factor, const LawCase& instance,
                  RotationView& view, Judgement& judgement) {
  const auto m = instance.position("m");
  const auto x = observed_exactly(instance.vector("x"));
  const auto turned = view.rotate(Side::query, m, x, Allowance::total);
  const auto returned = view.rotate_back(operation, m, turned, Allowance::total);
  IntervalVector expected = x.enclosures;
  expected.head(view.spec().rotary_dim()) *= factor;
  const IntervalVector residual = returned.enclosures - expected;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    judgement.must_vanish(residual(i), norm_above(x.values), "dimension", i);
  }
}

void judge_transpose(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const Interval amplitude = enclose(view.spec().amplitude());
  judge_return(RotationOperation::transpose, amplitude * amplitude, instance, view, judgement);
}

void judge_inverse(const LawCase& instance, RotationView& view, Judgement& judgement) {
  judge_return(RotationOperation::inverse, 1, instance, view, judgement);
}

DrawnJudge drawn(RotationOperation operation, DrawnJudge::JudgeRotation judge) {
  return {.domain = "every spec, every position m, every vector x; holds for any frequencies",
          .positions = {"m"},
          .vectors = {"x"},
          .rows = [](const LawCase& c) { return std::vector{c.position("m")}; },
          .back = operation,
          .judge = judge};
}

}  // namespace

Property transpose_returns_property() {
  return {
      .id = "transpose-returns",
      .name = "The gradient of what was rotated is what it was, times A squared",
      .statement = "A R_m^T (A R_m x) = A^2 x, where the backward pass is given what the forward pass made",
      .hypotheses = "implementations that take gradients back",
      .citation = "R_m is orthogonal: Su et al. 2021, section 3.2.2",
      .counterexample =
          "a backward pass of another angle, layout or amplitude than the forward pass: gradients "
          "are turned or scaled away from the vectors that they belong to",
      .drawn = {drawn(RotationOperation::transpose, judge_transpose)}};
}

Property inverse_returns_property() {
  return {.id = "inverse-returns",
          .name = "The inverse undoes the rotation",
          .statement = "R_m^T (A R_m x) / A = x",
          .hypotheses = "implementations of an inverse",
          .citation = "R_m is orthogonal: Su et al. 2021, section 3.2.2",
          .counterexample =
              "what was rotated and rotated back is another vector, or another length: keys that are "
              "taken out of a cache are not those that were put in",
          .drawn = {drawn(RotationOperation::inverse, judge_inverse)}};
}

}  // namespace vernier
