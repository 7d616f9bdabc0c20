#include "props/laws/laws.hpp"

namespace vernier {
namespace {

void judge_sinusoidal_accuracy(const LawCase& instance, TableView& view, Judgement& judgement) {
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

}  // namespace

Law sinusoidal_accuracy() {
  return {
      .id = "sinusoidal/accuracy",
      .name = "Every element is what the formula says",
      .statement = "PE(t, 2i) = A sin(t w_i), PE(t, 2i+1) = A cos(t w_i), w_i = base^(-2i/d)",
      .domain = "every spec, every position t",
      .citation = "Vaswani et al. 2017, section 3.5",
      .counterexample =
          "an element further from the formula's value than the contract allows: the frequencies, the order "
          "of columns or the position are not those of the spec. The only law that sees wrong frequencies "
          "in every case",
      .positions = {"t"},
      .rows = [](const LawCase& c) { return std::vector{c.position("t")}; },
      .judge = judge_sinusoidal_accuracy};
}

}  // namespace vernier
