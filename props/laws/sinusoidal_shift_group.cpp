#include "props/laws/laws.hpp"
#include "props/laws/shift.hpp"

namespace vernier {
namespace {

/// A M_k of one pair, built from the subject's own row k.
ShiftBlock own_block(const IntervalVector& row, const CompletePair& pair) {
  return shift_block(row(pair.sine), row(pair.cosine));
}

/// Judges that all four entries of a block vanish.
void must_vanish(const ShiftBlock& residual, double scale, const char* what, int pair, Judgement& judgement) {
  for (const auto& entry : residual.reshaped()) {
    judgement.must_vanish(entry, scale, what, pair);
  }
}

void judge_sinusoidal_shift_group(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t a = instance.position("a");
  const std::int64_t b = instance.position("b");
  const auto any_phase = view.row(a, Allowance::apart_from_phase);
  const auto row_a = view.row(a, Allowance::total);
  const auto row_b = view.row(b, Allowance::total);
  const auto row_sum = view.row(a + b, Allowance::total);
  const double scale = view.scale() * view.scale();
  const Interval squared_amplitude = squared(view.amplitude());
  for (const auto& pair : view.pairs()) {
    const auto orthogonal = own_block(any_phase, pair);
    // The diagonal of M^T M and the determinant are the same sum of two squares.
    judgement.must_vanish(squared(orthogonal(0, 0)) + squared(orthogonal(0, 1)) - squared_amplitude, scale,
                          "determinant of the block of pair", pair.pair);
    const ShiftBlock product = own_block(row_a, pair) * own_block(row_b, pair);
    const ShiftBlock expected = own_block(row_sum, pair) * view.amplitude();
    must_vanish(product - expected, scale, "M_a M_b - M_(a+b), pair", pair.pair, judgement);
  }
  if (view.defined_at(-a)) {
    const auto row_back = view.row(-a, Allowance::total);
    for (const auto& pair : view.pairs()) {
      const ShiftBlock transposed = own_block(row_a, pair).transpose();
      must_vanish(own_block(row_back, pair) - transposed, view.scale(), "M_(-a) - M_a transposed, pair",
                  pair.pair, judgement);
    }
  }
}

}  // namespace

Law sinusoidal_shift_group() {
  return {.id = "sinusoidal/shift-group",
          .name = "Shifts form a group of rotations",
          .statement =
              "M_a^T M_a = I, det M_a = 1, M_a M_b = M_(a+b), M_(-a) = M_a^T, with M_k read off the "
              "subject's own row k",
          .domain =
              "the complete pairs of every spec, all integers a, b (M_(-a) where the subject has a row -a); "
              "holds for any "
              "frequencies that do not depend on the position",
          .citation = "claims ledger, theorem T3",
          .counterexample =
              "two offsets whose shifts do not compose: the frequency depends on the position, or a row is "
              "not that "
              "of its position",
          .positions = {"a", "b"},
          .rows =
              [](const LawCase& c) {
                return std::vector{c.position("a"), c.position("b"), c.position("a") + c.position("b")};
              },
          .judge = judge_sinusoidal_shift_group};
}

}  // namespace vernier
