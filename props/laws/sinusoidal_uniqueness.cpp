#include <algorithm>

#include "props/laws/laws.hpp"
#include "props/laws/shift.hpp"

namespace vernier {
namespace {

/// On the reference: the squared distance of the rows is proved positive, and over complete pairs it is the
/// sum of the chords.
void judge_exactly(std::int64_t t, std::int64_t s, TableView& view, Judgement& judgement) {
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

void judge_sinusoidal_uniqueness(const LawCase& instance, TableView& view, Judgement& judgement) {
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
    judge_exactly(t, s, view, judgement);
    return;
  }
  judgement.must_hold(*first != *view.stored_row(s),
                      "rows t and t + k are equal in every element, elements compared:",
                      static_cast<std::ptrdiff_t>(first->size()));
}

/// Rounded rows are claimed to differ only up to the last position that the position's format can tell from
/// its neighbours, and from 10 dimensions on: with 2, 4 or 8 of them, correctly rounded 16-bit rows repeat
/// (claims ledger, R1).
Domain narrow(Domain domain, const SubjectUnderLaw& subject) {
  if (subject.is_implementation()) {
    const std::int64_t last = std::int64_t{1} << traits(subject.positions).precision;
    domain.highest_position = std::min(domain.highest_position, last);
    domain.lowest_position = std::max(domain.lowest_position, -last);
    domain.smallest_dimension = std::max<std::int64_t>(domain.smallest_dimension, 10);
  }
  return domain;
}

}  // namespace

Law sinusoidal_uniqueness() {
  return {.id = "sinusoidal/uniqueness",
          .name = "No two positions have the same row",
          .statement =
              "t != s implies PE(t) != PE(s); |PE(t) - PE(s)|^2 = 4 A^2 sum_i sin^2(w_i (t - s) / 2) > 0",
          .domain =
              "exactly: every spec with a column of sines, all integers t, s = t + k. Stored: rows differ "
              "bit for bit for positions "
              "that the "
              "format holding the position can tell apart, d_model >= 10",
          .citation = "claims ledger, theorem T1 (w_i is algebraic and pi is not); rounded rows: R1",
          .counterexample = "two positions with the same row: the model cannot tell them apart",
          .positions = {"t", "k"},
          .rows =
              [](const LawCase& c) {
                return std::vector{c.position("t"), c.position("t") + c.position("k")};
              },
          .narrow = narrow,
          .judge = judge_sinusoidal_uniqueness};
}

}  // namespace vernier
