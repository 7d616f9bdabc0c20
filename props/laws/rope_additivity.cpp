#include "props/laws/laws.hpp"

namespace vernier {
namespace {

void judge_rope_additivity(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const std::int64_t a = instance.position("a");
  const std::int64_t b = instance.position("b");
  const auto x = observed_exactly(instance.vector("x"));
  const Interval amplitude = enclose(view.spec().amplitude());
  const Eigen::Index rotating = view.spec().rotary_dim();
  for (const auto side : view.sides()) {
    const auto twice = view.rotate(side, a, view.rotate(side, b, x, Allowance::total), Allowance::total);
    const auto once = view.rotate(side, a + b, x, Allowance::total);
    IntervalVector expected = once.enclosures;
    expected.head(rotating) *= amplitude;  // two rotations have it twice
    const IntervalVector residual = twice.enclosures - expected;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      judgement.must_vanish(residual(i), norm_above(x.values),
                            side == Side::query ? "dimension" : "key, dimension", i);
    }
  }
}

}  // namespace

Law rope_additivity() {
  return {
      .id = "rope/additivity",
      .name = "Rotations add up",
      .statement = "R_a R_b x = A R_(a+b) x; A = 1 unless a scaling has an amplitude",
      .domain =
          "every spec, all integers a, b, every vector x; holds for any frequencies that do not depend on "
          "the position",
      .citation = "Su et al. 2021, section 3.2.2: R is a one-parameter group",
      .counterexample = "two rotations after each other that are not their sum: cached keys cannot be moved",
      .positions = {"a", "b"},
      .vectors = {"x"},
      .rows =
          [](const LawCase& c) {
            return std::vector{c.position("a"), c.position("b"), c.position("a") + c.position("b")};
          },
      .judge = judge_rope_additivity};
}

}  // namespace vernier
