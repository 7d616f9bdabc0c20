#include "props/law.hpp"
#include "props/properties/shift.hpp"

namespace vernier {
namespace {

/// T_k of one pair, built from the subject's own row k.
ShiftBlock own_block(const IntervalVector& row, const CompletePair& pair) {
  return shift_block(row(pair.sine), row(pair.cosine));
}

/// Judges that all four entries of a block vanish.
void block_must_vanish(const ShiftBlock& residual, double scale, const char* what, int pair,
                       Judgement& judgement) {
  for (const auto& entry : residual.reshaped()) {
    judgement.must_vanish(entry, scale, what, pair);
  }
}

void judge_blocks_of_rows(const LawCase& instance, TableView& view, Judgement& judgement) {
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
    // The diagonal of T^T T and the determinant are the same sum of two squares.
    judgement.must_vanish(squared(orthogonal(0, 0)) + squared(orthogonal(0, 1)) - squared_amplitude, scale,
                          "determinant of the block of pair", pair.pair);
    const ShiftBlock product = own_block(row_a, pair) * own_block(row_b, pair);
    const ShiftBlock expected = own_block(row_sum, pair) * view.amplitude();
    block_must_vanish(product - expected, scale, "T_a T_b - A T_(a+b), pair", pair.pair, judgement);
  }
  if (view.defined_at(-a)) {
    const auto row_back = view.row(-a, Allowance::total);
    for (const auto& pair : view.pairs()) {
      const ShiftBlock transposed = own_block(row_a, pair).transpose();
      block_must_vanish(own_block(row_back, pair) - transposed, view.scale(), "T_(-a) - T_a transposed, pair",
                        pair.pair, judgement);
    }
  }
}

void judge_two_rotations(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const std::int64_t a = instance.position("a");
  const std::int64_t b = instance.position("b");
  const auto x = observed_exactly(instance.vector("x"));
  const Interval amplitude = enclose(view.spec().amplitude_of_vectors());
  const Eigen::Index rotating = view.spec().rotary_dim();
  for (const auto side : view.sides()) {
    const auto twice = view.rotate(side, a, view.rotate(side, b, x, Allowance::total), Allowance::total);
    const auto once = view.rotate(side, a + b, x, Allowance::total);
    IntervalVector expected = once.enclosures;
    expected.head(rotating) *= amplitude;  // two rotations have it twice
    const IntervalVector residual = twice.enclosures - expected;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      judgement.must_vanish(residual(i), norm_above(x.values),
                            side == Side::query ? "dimension" : "key, dimension", i);
    }
  }
}

}  // namespace

Property shift_group_property() {
  constexpr auto rows = [](const LawCase& c) {
    return std::vector{c.position("a"), c.position("b"), c.position("a") + c.position("b")};
  };
  return {
      .id = "shift-group",
      .name = "Shifts form a group of rotations",
      .statement =
          "T_a T_b = A T_(a+b), T_a^T T_a = A^2 I, det T_a = A^2, T_(-a) = T_a^T in every pair, where T_k is "
          "R_k or the block [[c, s], [-s, c]] of the row k of sinusoids; A = 1 unless there is an amplitude",
      .hypotheses = "complete pairs that turn by frequencies that do not depend on the position",
      .citation = "Su et al. 2021, section 3.2.2: R is a one-parameter group",
      .counterexample =
          "two shifts after each other that are not their sum: the frequency depends on the position, or "
          "a row is not that of its position. Cached keys cannot be moved",
      .drawn = {
          {.domain = "the complete pairs of every spec, all integers a, b (T_(-a) where the subject has a "
                     "row -a); holds for any frequencies that do not depend on the position",
           .positions = {"a", "b"},
           .rows = rows,
           .judge = judge_blocks_of_rows},
          {.domain = "R_a R_b x = A R_(a+b) x for every spec, all integers a, b, every vector x; holds for "
                     "any frequencies that do not depend on the position",
           .positions = {"a", "b"},
           .vectors = {"x"},
           .rows = rows,
           .judge = judge_two_rotations}}};
}

}  // namespace vernier
