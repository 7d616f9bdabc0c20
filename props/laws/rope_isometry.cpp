#include "props/laws/laws.hpp"
#include "props/laws/shift.hpp"

namespace vernier {
namespace {

void judge_rope_isometry(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto x = observed_exactly(instance.vector("x"));
  const double norm = norm_above(x.values);
  const Interval squared_amplitude = squared(enclose(view.spec().amplitude()));
  for (const auto side : view.sides()) {
    const auto y = view.rotate(side, instance.position("m"), x, Allowance::apart_from_phase).enclosures;
    for (int pair = 0; pair < view.spec().pairs(); ++pair) {
      const auto [a, b] = view.spec().dimensions(pair);
      const Interval before = squared(x.enclosures(a)) + squared(x.enclosures(b));
      const char* what = side == Side::query ? "squared norm of pair" : "key, squared norm of pair";
      if (before == 0) {
        judgement.must_vanish(y(a), norm, what, pair);
        judgement.must_vanish(y(b), norm, what, pair);
      } else {
        judgement.must_vanish(squared(y(a)) + squared(y(b)) - squared_amplitude * before, norm * norm, what,
                              pair);
      }
    }
  }
}

}  // namespace

Law rope_isometry() {
  return {.id = "rope/isometry",
          .name = "A rotation keeps every norm",
          .statement = "|R_m x| = A |x|, in every pair; A = 1 unless a scaling has an amplitude",
          .domain = "every spec, every position m, every vector x; holds for any frequencies",
          .citation = "R_m is orthogonal: Su et al. 2021, section 3.2.2",
          .counterexample = "a vector that grows or shrinks with its position, and scores with it",
          .positions = {"m"},
          .vectors = {"x"},
          .rows = [](const LawCase& c) { return std::vector{c.position("m")}; },
          .judge = judge_rope_isometry};
}

}  // namespace vernier
