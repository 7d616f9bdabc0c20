#include <array>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// PE_(t+k) = M_k PE_t with M_k block diagonal of rotations.
void matrix(Facts& facts) {
  add_law(facts, "sinusoidal/linear-shift");
  add_law(facts, "sinusoidal/shift-group");
}

/// (sin(t + k), cos(t + k)) = [[c, s], [-s, c]] (sin t, cos t), with c = cos k and s = sin k.
void one_pair(Facts& facts) {
  bool holds = true;
  bool other_sign_fails = true;
  for (const auto& [t, k] : {std::pair{3, 5}, std::pair{-7, 2}, std::pair{1000, 1}, std::pair{0, 4}}) {
    const auto at_t = sine_cosine(enclose(std::int64_t{t}));
    const auto by_k = sine_cosine(enclose(std::int64_t{k}));
    const auto after = sine_cosine(enclose(std::int64_t{t} + k));
    holds &= contains_zero(by_k.cosine * at_t.sine + by_k.sine * at_t.cosine - after.sine) &&
             contains_zero(by_k.cosine * at_t.cosine - by_k.sine * at_t.sine - after.cosine);
    other_sign_fails &= !contains_zero(by_k.cosine * at_t.sine - by_k.sine * at_t.cosine - after.sine) ||
                        !contains_zero(by_k.cosine * at_t.cosine + by_k.sine * at_t.sine - after.cosine);
  }
  facts.add(holds, "the identity holds within enclosures of 192 bits at (3, 5), (-7, 2), (1000, 1), (0, 4)");
  facts.add(other_sign_fails, "with the sign of s reversed it fails at each");
}

/// The displayed product T_k (sin w_i k, cos w_i k) is PE_2k, not PE_(t+k).
void displayed_operand(Facts& facts) {
  const TrigCode code(SinusoidalSpec{.d_model = 4}.table());
  const auto shifted_by_five = [&](const IntervalVector& row) {
    IntervalVector result(4);
    for (Eigen::Index pair = 0; pair < 2; ++pair) {
      const auto by = sine_cosine(5 * code.table().frequencies.at(static_cast<int>(pair)));
      result(2 * pair) = by.cosine * row(2 * pair) + by.sine * row(2 * pair + 1);
      result(2 * pair + 1) = by.cosine * row(2 * pair + 1) - by.sine * row(2 * pair);
    }
    return result;
  };
  const auto read_as = [](const IntervalVector& row, const std::array<const char*, 4>& decimals) {
    bool all = true;
    for (std::size_t c = 0; c < decimals.size(); ++c) {
      all &= rounds_to_decimal(row(static_cast<Eigen::Index>(c)), decimals[c]);
    }
    return all;
  };
  facts.add(read_as(shifted_by_five(code.code(5)), {"-0.54402", "-0.83907", "0.09983", "0.99500"}),
            "d = 4, k = 5: T_k applied to the displayed vector is (-0.54402, -0.83907, 0.09983, 0.99500), "
            "which is PE_10");
  facts.add(read_as(shifted_by_five(code.code(3)), {"0.98936", "-0.14550", "0.07991", "0.99680"}) &&
                read_as(code.code(8), {"0.98936", "-0.14550", "0.07991", "0.99680"}),
            "applied to (sin w_i t, cos w_i t) at t = 3 it is PE_8 = (0.98936, -0.14550, 0.07991, 0.99680)");
}

}  // namespace

std::vector<Evidence> shift_evidence() {
  return {
      {"shift/matrix", matrix},
      {"shift/one-pair", one_pair},
      {"shift/displayed-operand", displayed_operand},
  };
}

}  // namespace vernier
