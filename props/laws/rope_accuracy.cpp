#include "props/laws/laws.hpp"

namespace vernier {
namespace {

void judge_rope_accuracy(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const std::int64_t m = instance.position("m");
  const auto x = observed_exactly(instance.vector("x"));
  const IntervalVector truth = view.rotate_truly(m, x.enclosures);
  const double scale = norm_above(x.values);
  for (const auto side : view.sides()) {
    const IntervalVector residual = view.rotate(side, m, x, Allowance::total).enclosures - truth;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      judgement.must_vanish(residual(i), scale, side == Side::query ? "dimension" : "key, dimension", i);
    }
  }
}

}  // namespace

Law rope_accuracy() {
  return {.id = "rope/accuracy",
          .name = "Every rotated element is what the formula says",
          .statement = "R_m x: pair i turned by m w_i, w_i = rope_theta^(-2i/r)",
          .domain = "every spec, every position m, every vector x",
          .citation = "Su et al. 2021, equations 14-15, 34",
          .counterexample =
              "an element further from the formula's value than the contract allows. The only law that sees "
              "wrong "
              "frequencies or a wrong sense of rotation in every case",
          .positions = {"m"},
          .vectors = {"x"},
          .rows = [](const LawCase& c) { return std::vector{c.position("m")}; },
          .judge = judge_rope_accuracy};
}

}  // namespace vernier
