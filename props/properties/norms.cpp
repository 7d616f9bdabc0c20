#include <algorithm>
#include <optional>

#include "numerics/views/norm_judge.hpp"
#include "props/judging/property.hpp"
#include "props/judging/shift.hpp"
#include "props/laws/law.hpp"
#include "props/models/judging.hpp"
#include "props/properties/bias_view.hpp"
#include "props/properties/turn_view.hpp"

namespace vernier {
namespace {

double square_of(const PairTurn& turn) {
  return turn.cosine * turn.cosine + turn.sine * turn.sine;
}

double square_error(const PairTurn& turn) {
  return square_allowance(turn.cosine, turn.error, turn.sine, turn.error);
}

void judge_norms_of_turns(const TurnView& view, PropertyTally& tally) {
  if (!view.is_table) {
    return;
  }
  for (const auto row :
       spread_indices(view.rows, std::max<std::size_t>(2, most_turns / view.distinct_pairs))) {
    for (const auto* turns : {&view.query, &view.key}) {
      const auto of_row = *turns ? (*turns)(row) : std::vector<std::optional<PairTurn>>();
      for (std::size_t pair = 0; pair < of_row.size(); ++pair) {
        if (const auto& turn = of_row[pair]) {
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
    const auto y = view.turned(side, instance.position("m"), x, Allowance::apart_from_phase).enclosures;
    for (int pair = 0; pair < view.spec().pairs(); ++pair) {
      const auto [a, b] = view.spec().dimensions(pair);
      const Interval before = squared(x.enclosures(a)) + squared(x.enclosures(b));
      const char* what = side == Mapping::query ? "squared norm of pair" : "key, squared norm of pair";
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

void judge_scales_of_keys(const TurnView& view, PropertyTally& tally) {
  if (!view.key) {
    return;
  }
  for (const auto row :
       spread_indices(view.rows, std::max<std::size_t>(2, most_turns / view.distinct_pairs))) {
    const auto queries = view.query(row);
    const auto keys = view.key(row);
    for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
      const auto& query = queries[pair];
      const auto& key = keys[pair];
      if (!query || !key) {
        continue;
      }
      const double q = square_of(*query);
      const double k = square_of(*key);
      const double expected = query->radius * query->radius * key->radius * key->radius;
      const double dq = square_error(*query);
      const double dk = square_error(*key);
      tally.must_vanish(q * k - expected, q * dk + k * dq + dq * dk + turn_rounding * (q * k + expected),
                        expected, [&] { return place_of(view, pair, row); });
    }
  }
}

}  // namespace

std::vector<Property> norm_properties() {
  return {{.id = "constant-norm",
           .turns = judge_norms_of_turns,
           .drawn = {{.judge = judge_norms_of_row}, {.judge = judge_norms_of_rotated}},
           .model = ModelJudge{.judge = judge_norms_of_codes}},
          {.id = "keys-undo-queries", .turns = judge_scales_of_keys}};
}

}  // namespace vernier
