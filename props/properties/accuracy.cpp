#include "props/law.hpp"

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
    const IntervalVector residual = view.rotate(side, m, x, Allowance::total).enclosures - truth;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      judgement.must_vanish(residual(i), scale, side == Side::query ? "dimension" : "key, dimension", i);
    }
  }
}

}  // namespace

Property accuracy_property() {
  return {.id = "accuracy",
          .name = "Every element is what the formula says",
          .statement =
              "PE(t, 2i) = A sin(t w_i), PE(t, 2i+1) = A cos(t w_i), w_i = base^(-2i/d); R_m x is x with "
              "pair i turned by m w_i, w_i = rope_theta^(-2i/r)",
          .hypotheses = "sinusoids and rotations",
          .citation = "Vaswani et al. 2017, section 3.5; Su et al. 2021, equations 14-15, 34",
          .counterexample =
              "an element further from the formula's value than the contract allows: the frequencies, the "
              "order of columns, the sense of rotation or the position are not those of the spec. No other "
              "law sees wrong frequencies in every case",
          .drawn = {{.domain = "every spec, every position t",
                     .positions = {"t"},
                     .rows = [](const LawCase& c) { return std::vector{c.position("t")}; },
                     .judge = judge_elements_of_table},
                    {.domain = "every spec, every position m, every vector x",
                     .positions = {"m"},
                     .vectors = {"x"},
                     .rows = [](const LawCase& c) { return std::vector{c.position("m")}; },
                     .judge = judge_rotated_elements}}};
}

}  // namespace vernier
