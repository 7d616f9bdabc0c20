#include "props/laws/laws.hpp"
#include "props/laws/shift.hpp"

namespace vernier {
namespace {

void judge_sinusoidal_dot_symmetry(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const std::int64_t k = instance.position("k");
  const auto row = view.row(t, Allowance::total);
  // <p, a> - <p, b> = <p, a - b>, which widens less.
  const IntervalVector difference = view.row(t + k, Allowance::total) - view.row(t - k, Allowance::total);
  judgement.must_vanish(
      dot(view, row, difference), dot_scale(view),
      "difference of the products, pairs summed:", static_cast<std::ptrdiff_t>(view.pairs().size()));
}

}  // namespace

Law sinusoidal_dot_symmetry() {
  return {.id = "sinusoidal/dot-symmetry",
          .name = "Products of rows do not tell left from right",
          .statement = "<PE(t), PE(t+k)> = <PE(t), PE(t-k)>",
          .domain = "the complete pairs of every spec, all integers t, k; holds for any frequencies",
          .citation = "claims ledger, theorem T4; section 6, column DS",
          .counterexample =
              "an offset that looks different to the left and to the right, which the plain product of these "
              "encodings cannot",
          .positions = {"t", "k"},
          .rows =
              [](const LawCase& c) {
                const auto t = c.position("t");
                const auto k = c.position("k");
                return std::vector{t, t + k, t - k};
              },
          .judge = judge_sinusoidal_dot_symmetry};
}

}  // namespace vernier
