#include "props/law.hpp"

namespace vernier {
namespace {

void judge_what_does_not_rotate(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto x = observed_exactly(instance.vector("x"));
  const Eigen::Index rotating = view.spec().rotary_dim();
  if (rotating == x.enclosures.size()) {
    judgement.mark_outside();
    return;
  }
  for (const auto side : view.sides()) {
    // These dimensions have no budget: their enclosures are single numbers.
    const auto y = view.rotate(side, instance.position("m"), x, Allowance::apart_from_phase).enclosures;
    for (Eigen::Index i = rotating; i < y.size(); ++i) {
      judgement.must_vanish(y(i) - x.enclosures(i), 0, side == Side::query ? "dimension" : "key, dimension",
                            i);
    }
  }
}

LawDomain narrow_to_partial_rotations(LawDomain domain, const LawTarget&) {
  domain.always_partial = true;
  return domain;
}

}  // namespace

Property pass_through_property() {
  return {
      .id = "pass-through",
      .name = "What does not rotate stays as it is",
      .statement = "(R_m x)_i = x_i for i >= r, bit for bit",
      .hypotheses = "partial rotations",
      .citation =
          "Black et al. 2022 (GPT-NeoX-20B), section 2.1.1: rotary embeddings on a part of the dimensions",
      .counterexample = "a dimension beyond the rotating ones that was zeroed, scaled or rotated",
      .drawn = {{.domain = "specs with partial_rotary_factor < 1, every position m, every vector x",
                 .positions = {"m"},
                 .vectors = {"x"},
                 .rows = [](const LawCase& c) { return std::vector{c.position("m")}; },
                 .narrow = narrow_to_partial_rotations,
                 .judge = judge_what_does_not_rotate}}};
}

}  // namespace vernier
