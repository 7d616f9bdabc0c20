// What holds of single elements.

#include "props/laws/law.hpp"
#include "props/models/judging.hpp"

namespace vernier {
namespace {

void judge_elements_of_table(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const auto row = view.row(t, Allowance::total);
  const auto truth = view.truth(t);
  const auto& table = view.table();
  for (Eigen::Index c = 0; c < row.size(); ++c) {
    const auto column = static_cast<std::size_t>(c);
    const auto& [pair, component] = table.columns[column];
    if (table.is_zero(t, column)) {
      judgement.must_vanish(row(c), view.scale(), "column", c);
    } else {
      const Interval& trig = component == Component::sine ? truth.sine(pair) : truth.cosine(pair);
      judgement.must_vanish(row(c) - view.amplitude() * trig, view.scale(), "column", c);
    }
  }
}

void judge_rotated_elements(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const std::int64_t m = instance.position("m");
  const auto x = observed_exactly(instance.vector("x"));
  const IntervalVector truth = view.rotate_truly(m, x.enclosures);
  const double scale = norm_above(x.values);
  for (const auto side : view.sides()) {
    const IntervalVector residual = view.turned(side, m, x, Allowance::total).enclosures - truth;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      judgement.must_vanish(residual(i), scale, side == Mapping::query ? "dimension" : "key, dimension", i);
    }
  }
}

void judge_bound_of_row(const LawCase& instance, TableView& view, Judgement& judgement) {
  const auto row = view.row(instance.position("t"), Allowance::apart_from_phase);
  for (Eigen::Index c = 0; c < row.size(); ++c) {
    // How far the element lies beyond A: if it lies within, by nothing but its allowance.
    const Interval excess = abs(row(c)) - view.amplitude();
    const double allowance = radius(excess);
    judgement.must_vanish(middle(excess) <= 0 ? hull(-allowance, allowance) : excess, view.scale(), "column",
                          c);
  }
}

Outcome judge_bound_of_code(const PositionModel& model, const MatrixCase& values) {
  const auto bound = model.bound();
  if (!bound) {
    return Outcome::discarded;
  }
  const auto code = model.code(values.t);
  for (Eigen::Index i = 0; i < code.size(); ++i) {
    if (must_not_exceed(abs(code(i)), *bound) == Outcome::fails) {
      return Outcome::fails;
    }
  }
  return Outcome::holds;
}

void judge_what_does_not_rotate(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto x = observed_exactly(instance.vector("x"));
  const Eigen::Index first = view.spec().rotary_offset;
  const Eigen::Index rotating = view.spec().rotary_dim();
  if (rotating == x.enclosures.size()) {
    judgement.mark_outside();
    return;
  }
  for (const auto side : view.sides()) {
    // These dimensions have no budget: their enclosures are single numbers.
    const auto y = view.turned(side, instance.position("m"), x, Allowance::apart_from_phase).enclosures;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (i < first || i >= first + rotating) {
        judgement.must_vanish(y(i) - x.enclosures(i), 0,
                              side == Mapping::query ? "dimension" : "key, dimension", i);
      }
    }
  }
}

LawDomain narrow_to_partial_rotations(LawDomain domain, const LawTarget&) {
  domain.always_partial = true;
  return domain;
}

}  // namespace

std::vector<Property> element_properties() {
  return {
      {.id = "accuracy", .drawn = {{.judge = judge_elements_of_table}, {.judge = judge_rotated_elements}}},
      {.id = "bounded",
       .drawn = {{.judge = judge_bound_of_row}},
       .model = ModelJudge{.judge = judge_bound_of_code}},
      {.id = "pass-through",
       .drawn = {{.narrow = narrow_to_partial_rotations, .judge = judge_what_does_not_rotate}}}};
}

}  // namespace vernier
