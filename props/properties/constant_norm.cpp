#include <algorithm>
#include <optional>

#include "props/law.hpp"
#include "props/matrix/judging.hpp"
#include "props/properties/bias_view.hpp"
#include "props/properties/shift.hpp"
#include "props/properties/turn_rows.hpp"

namespace vernier {
namespace {

void judge_norms_of_turns(const TurnView& view, PropertyTally& tally) {
  if (!view.is_table) {
    return;
  }
  for (const auto row : spread_indices(view.rows, std::max<std::size_t>(2, most_turns / view.pairs()))) {
    for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
      for (const auto* turns : {&view.query, &view.key}) {
        const auto turn = *turns ? (*turns)(row, pair) : std::nullopt;
        if (turn) {
          const double expected = turn->radius * turn->radius;
          tally.must_vanish(square_of(*turn) - expected, square_error(*turn) + turn_rounding * expected,
                            expected, [&] { return place_of(view, pair, row); });
        }
      }
    }
  }
}

void judge_norms_of_row(const LawCase& instance, TableView& view, Judgement& judgement) {
  const auto row = view.row(instance.position("t"), Allowance::apart_from_phase);
  const Interval expected = squared(view.amplitude());
  for (const auto& pair : view.pairs()) {
    const Interval norm = squared(row(pair.sine)) + squared(row(pair.cosine));
    judgement.must_vanish(norm - expected, view.scale() * view.scale(), "squared norm of pair", pair.pair);
  }
}

void judge_norms_of_rotated(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto x = observed_exactly(instance.vector("x"));
  const double norm = norm_above(x.values);
  const Interval squared_amplitude = squared(enclose(view.spec().amplitude_of_vectors()));
  for (const auto side : view.sides()) {
    const auto y = view.rotate(side, instance.position("m"), x, Allowance::apart_from_phase).enclosures;
    for (int pair = 0; pair < view.spec().pairs(); ++pair) {
      const auto [a, b] = view.spec().dimensions(pair);
      const Interval before = squared(x.enclosures(a)) + squared(x.enclosures(b));
      const char* what = side == Side::query ? "squared norm of pair" : "key, squared norm of pair";
      if (before == 0) {
        judgement.must_vanish(y(a), norm, what, pair);
        judgement.must_vanish(y(b), norm, what, pair);
      } else {
        judgement.must_vanish(squared(y(a)) + squared(y(b)) - squared_amplitude * before, norm * norm, what,
                              pair);
      }
    }
  }
}

Outcome judge_norms_of_codes(const PositionModel& model, const MatrixCase& values) {
  const auto a = model.code(values.t);
  const auto b = model.code(values.s);
  return must_vanish(a.squaredNorm() - b.squaredNorm());
}

}  // namespace

Property constant_norm_property() {
  return {
      .id = "constant-norm",
      .name = "Norms depend on the amplitude and the scale only",
      .statement =
          "|code(t)| = |code(s)|; in every pair c^2 + s^2 = (A sigma_p)^2, whatever the phase, so that "
          "|PE(t)|^2 = A^2 d / 2 and |R_m x| = A |x|; sigma = 1 but for xPos, where it is zeta^((p - c)/B) "
          "of queries and the inverse of keys",
      .hypotheses =
          "complete pairs of any frequencies, of one position or several, with a scale or not; of rotated "
          "vectors that are stored it is norm",
      .citation =
          "sin^2 + cos^2 = 1, and R_m is orthogonal: Su et al. 2021, section 3.2.2; Sun et al. 2022, "
          "section 2",
      .counterexample =
          "a sine and a cosine that do not share one phase or one scale: rows and vectors grow or shrink "
          "with their position, and scores with them. Any phase will do, so that the trigonometry, the "
          "amplitude and the storage are judged apart from errors of position and frequency",
      .turns = judge_norms_of_turns,
      .drawn = {{.domain = "the complete pairs of every spec, every position t; holds for any frequencies",
                 .positions = {"t"},
                 .rows = [](const LawCase& c) { return std::vector{c.position("t")}; },
                 .judge = judge_norms_of_row},
                {.domain =
                     "every spec, every position m, every vector x; A = 1 unless a scaling has an amplitude; "
                     "holds for any frequencies",
                 .positions = {"m"},
                 .vectors = {"x"},
                 .rows = [](const LawCase& c) { return std::vector{c.position("m")}; },
                 .judge = judge_norms_of_rotated}},
      .model = ModelJudge{.column = "Constant norm", .variables = "t, s", .judge = judge_norms_of_codes}};
}

}  // namespace vernier
