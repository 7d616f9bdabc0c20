#include <algorithm>

#include "props/judging/shift.hpp"
#include "props/laws/law.hpp"
#include "props/models/judging.hpp"

namespace vernier {
namespace {

/// On the reference: the squared distance of the rows is proved positive, and over complete pairs it is the
/// sum of the chords.
void judge_true_rows(std::int64_t t, std::int64_t s, TableView& view, Judgement& judgement) {
  const IntervalVector difference = view.row(t, Allowance::total) - view.row(s, Allowance::total);
  judgement.must_hold(!contains_zero(difference.squaredNorm()),
                      "certified nonzero distance, rows compared:", 2);

  // 2 - 2 cos(w k) = 4 sin^2(w k / 2), the chord.
  const auto offset = view.truth(t - s);
  for (const auto& pair : view.pairs()) {
    const Interval distance = squared(difference(pair.sine)) + squared(difference(pair.cosine));
    const Interval chord = squared(view.amplitude()) * (2 - 2 * offset.cosine(pair.pair));
    judgement.must_vanish(distance - chord, view.scale() * view.scale(), "squared distance in pair",
                          pair.pair);
  }
}

void judge_two_rows(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const std::int64_t s = t + instance.position("k");
  // A lone cosine, which d_model = 1 with the cosine first is, cannot tell t from -t.
  const auto is_sine = [](const Column& column) { return column.component == Component::sine; };
  if (t == s || std::ranges::none_of(view.table().columns, is_sine)) {
    judgement.mark_outside();
    return;
  }
  const auto first = view.stored_row(t);
  if (!first) {
    judge_true_rows(t, s, view, judgement);
    return;
  }
  judgement.must_hold(*first != *view.stored_row(s),
                      "rows t and t + k are equal in every element, elements compared:",
                      static_cast<std::ptrdiff_t>(first->size()));
}

/// Rounded rows are claimed to differ only up to the last position that the position's format can tell from
/// its neighbours, and from 10 dimensions on: with 2, 4 or 8 of them, correctly rounded 16-bit rows repeat
/// (test/regressions.cpp).
LawDomain narrow_to_rows_that_differ(LawDomain domain, const LawTarget& subject) {
  if (subject.is_implementation()) {
    const std::int64_t last = std::int64_t{1} << traits(subject.positions).precision;
    domain.highest_position = std::min(domain.highest_position, last);
    domain.lowest_position = std::max(domain.lowest_position, -last);
    domain.smallest_dimension = std::max<std::int64_t>(domain.smallest_dimension, 10);
  }
  return domain;
}

Outcome judge_two_codes(const PositionModel& model, const MatrixCase& values) {
  if (values.t == values.s) {
    return Outcome::discarded;
  }
  const auto a = model.code(values.t);
  const auto b = model.code(values.s);
  if (certainly_equal(a, b)) {
    return Outcome::fails;
  }
  return certainly_different(a, b) ? Outcome::holds : Outcome::inconclusive;
}

/// How far from zero positions are told apart.
std::optional<Justification> told_apart_near_zero(const PositionModel& model) {
  const auto window = model.window();
  std::vector<IntervalVector> codes{model.code(0)};
  const auto add = [&](std::int64_t position) {
    const auto code = model.code(position);
    const bool is_new =
        std::ranges::all_of(codes, [&](const auto& seen) { return certainly_different(seen, code); });
    codes.push_back(code);
    return is_new;
  };
  std::int64_t reach = 0;
  for (bool apart = true; apart;) {
    const auto next = reach + 1;
    const bool ahead = window.holds(next);
    const bool behind = window.holds(-next);
    apart = (ahead || behind) && (!ahead || add(next)) && (!behind || add(-next));
    reach += apart ? 1 : 0;
  }
  if (reach == 0) {
    return std::nullopt;
  }
  return Justification{Answer::conditional, Method::exhaustive,
                       std::string("offsets up to ") + std::to_string(reach) + " are told apart"};
}

}  // namespace

std::vector<Property> unique_properties() {
  return {{.id = "unique",
           .drawn = {{.narrow = narrow_to_rows_that_differ, .judge = judge_two_rows}},
           .model = ModelJudge{.judge = judge_two_codes, .weaker = told_apart_near_zero}}};
}

}  // namespace vernier
