#include "props/laws/laws.hpp"

namespace vernier {
namespace {

void judge(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const std::int64_t a = instance.position("a");
  const std::int64_t b = instance.position("b");
  const auto x = observed_exactly(instance.vector("x"));
  for (const auto side : view.sides()) {
    const auto twice = view.rotate(side, a, view.rotate(side, b, x, Allowance::total), Allowance::total);
    const auto once = view.rotate(side, a + b, x, Allowance::total);
    const IntervalVector residual = twice.enclosures - once.enclosures;
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
      .statement = "R_a R_b x = R_(a+b) x",
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
      .judge = judge};
}

}  // namespace vernier
