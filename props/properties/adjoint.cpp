#include "props/law.hpp"

namespace vernier {
namespace {

void judge_products_with_gradients(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto m = instance.position("m");
  const auto x = observed_exactly(instance.vector("x"));
  const auto g = observed_exactly(instance.vector("g"));
  const auto forward = view.rotate(Side::query, m, x, Allowance::total);
  const auto back = view.rotate_back(RotationOperation::transpose, m, g, Allowance::total);
  const Interval residual = forward.enclosures.dot(g.enclosures) - x.enclosures.dot(back.enclosures);
  judgement.must_vanish(
      residual, norm_above(x.values) * norm_above(g.values),
      "<R x, g> less <x, R^T g>, dimensions summed:", static_cast<std::ptrdiff_t>(x.values.size()));
}

}  // namespace

Property adjoint_property() {
  return {.id = "adjoint",
          .name = "The gradient is the transpose of the rotation",
          .statement =
              "<A R_m x, g> = <x, A R_m^T g>, for what the forward pass makes of x and the backward pass "
              "of g",
          .hypotheses = "implementations that take gradients back",
          .citation =
              "the gradient of a linear map is its transpose; R_m is linear (Su et al. 2021, equation 14)",
          .counterexample =
              "a gradient that points elsewhere than the loss changes: training descends the wrong "
              "way, the further from position 0 the more, though every forward pass is right",
          .drawn = {{.domain = "every spec, every position m, all vectors x, g; holds for any frequencies",
                     .positions = {"m"},
                     .vectors = {"x", "g"},
                     .rows = [](const LawCase& c) { return std::vector{c.position("m")}; },
                     .back = RotationOperation::transpose,
                     .judge = judge_products_with_gradients}}};
}

}  // namespace vernier
