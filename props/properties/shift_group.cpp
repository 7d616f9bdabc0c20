#include "props/judging/shift.hpp"
#include "props/laws/law.hpp"

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
  const auto& spec = view.spec();
  for (const auto side : view.sides()) {
    const auto twice = view.turned(side, a, view.turned(side, b, x, Allowance::total), Allowance::total);
    const auto once = view.turned(side, a + b, x, Allowance::total);
    IntervalVector expected = once.enclosures;
    expected.segment(spec.rotary_offset, spec.rotary_dim()) *= amplitude;  // two rotations have it twice
    const IntervalVector residual = twice.enclosures - expected;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      judgement.must_vanish(residual(i), norm_above(x.values),
                            side == Mapping::query ? "dimension" : "key, dimension", i);
    }
  }
}

}  // namespace

std::vector<Property> shift_group_properties() {
  return {{.id = "shift-group", .drawn = {{.judge = judge_blocks_of_rows}, {.judge = judge_two_rotations}}}};
}

}  // namespace vernier
