// What turns back, beside and after what it turns back.

#include "props/laws/law.hpp"

namespace vernier {
namespace {

void judge_products_with_gradients(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto m = instance.position("m");
  const auto x = observed_exactly(instance.vector("x"));
  const auto g = observed_exactly(instance.vector("g"));
  const auto forward = view.turned(Mapping::query, m, x, Allowance::total);
  const auto back = view.turned(Mapping::transpose, m, g, Allowance::total);
  const Interval residual = forward.enclosures.dot(g.enclosures) - x.enclosures.dot(back.enclosures);
  judgement.must_vanish(
      residual, norm_above(x.values) * norm_above(g.values),
      "<R x, g> less <x, R^T g>, dimensions summed:", static_cast<std::ptrdiff_t>(x.values.size()));
}

/// Judges that what turns back makes x of what was rotated, times a factor where it rotates.
void judge_return(Mapping back, const Interval& factor, const LawCase& instance, RotationView& view,
                  Judgement& judgement) {
  const auto m = instance.position("m");
  const auto x = observed_exactly(instance.vector("x"));
  const auto turned = view.turned(Mapping::query, m, x, Allowance::total);
  const auto returned = view.turned(back, m, turned, Allowance::total);
  IntervalVector expected = x.enclosures;
  expected.segment(view.spec().rotary_offset, view.spec().rotary_dim()) *= factor;
  const IntervalVector residual = returned.enclosures - expected;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    judgement.must_vanish(residual(i), norm_above(x.values), "dimension", i);
  }
}

void judge_transpose(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const Interval amplitude = enclose(view.spec().amplitude());
  judge_return(Mapping::transpose, amplitude * amplitude, instance, view, judgement);
}

void judge_inverse(const LawCase& instance, RotationView& view, Judgement& judgement) {
  judge_return(Mapping::inverse, 1, instance, view, judgement);
}

}  // namespace

std::vector<Property> return_properties() {
  return {{.id = "adjoint",
           .drawn = {{.back = RotationOperation::transpose, .judge = judge_products_with_gradients}}},
          {.id = "transpose-returns",
           .drawn = {{.back = RotationOperation::transpose, .judge = judge_transpose}}},
          {.id = "inverse-returns", .drawn = {{.back = RotationOperation::inverse, .judge = judge_inverse}}}};
}

}  // namespace vernier
