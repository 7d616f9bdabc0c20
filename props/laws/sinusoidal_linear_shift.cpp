#include "props/laws/laws.hpp"
#include "props/laws/shift.hpp"

namespace vernier {
namespace {

/// Up to this dimension the shift is carried out as one matrix, as the law states it; beyond, block by block.
constexpr Eigen::Index largest_full_matrix = 8;

void judge_sinusoidal_linear_shift(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const std::int64_t k = instance.position("k");
  const auto offset = view.truth(k);
  const auto row = view.row(t, Allowance::total);
  const IntervalVector predicted = row.size() <= largest_full_matrix
                                       ? IntervalVector(shift_matrix(view, offset) * row)
                                       : shifted(view, offset, row);
  const IntervalVector residual = view.row(t + k, Allowance::total) - predicted;
  for (const auto& pair : view.pairs()) {
    judgement.must_vanish(residual(pair.sine), view.scale(), "sine of pair", pair.pair);
    judgement.must_vanish(residual(pair.cosine), view.scale(), "cosine of pair", pair.pair);
  }
}

}  // namespace

Law sinusoidal_linear_shift() {
  return {
      .id = "sinusoidal/linear-shift",
      .name = "A shift of the position is a linear map",
      .statement =
          "PE(t + k) = M_k PE(t), M_k = diag of blocks [[cos w_i k, sin w_i k], [-sin w_i k, cos w_i k]]",
      .domain = "the complete pairs of every spec, all integers t, k",
      .citation =
          "Vaswani et al. 2017, section 3.5 (\"a linear function of PE_pos\"); claims ledger, theorem T3",
      .counterexample =
          "an offset k and a position t whose row, moved by the closed form M_k, is not the row of t + k: "
          "relative positions cannot be read off by one matrix",
      .positions = {"t", "k"},
      .rows =
          [](const LawCase& c) {
            return std::vector{c.position("t"), c.position("t") + c.position("k")};
          },
      .judge = judge_sinusoidal_linear_shift};
}

}  // namespace vernier
