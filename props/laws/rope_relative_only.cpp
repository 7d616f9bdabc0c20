#include "props/laws/laws.hpp"

namespace vernier {
namespace {

void judge_rope_relative_only(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto q = observed_exactly(instance.vector("q"));
  const auto k = observed_exactly(instance.vector("k"));
  const auto score = [&](std::int64_t shift) {
    const auto query = view.rotate(Side::query, instance.position("m") + shift, q, Allowance::total);
    const auto key = view.rotate(Side::key, instance.position("n") + shift, k, Allowance::total);
    return Interval(query.enclosures.dot(key.enclosures));
  };
  const double scale = norm_above(q.values) * norm_above(k.values);
  judgement.must_vanish(
      score(0) - score(instance.position("s")), scale,
      "difference of the scores, dimensions summed:", static_cast<std::ptrdiff_t>(q.values.size()));
}

}  // namespace

Law rope_relative_only() {
  return {
      .id = "rope/relative-only",
      .name = "Scores depend on the offset only",
      .statement = "<R_m q, R_n k> = <R_(m+s) q, R_(n+s) k>",
      .domain =
          "every spec, all integers m, n, s, all vectors q, k; holds for any frequencies that do not depend "
          "on the position",
      .citation = "Su et al. 2021, equations 11 and 16",
      .counterexample =
          "a query and a key whose score changes when both move together: attention depends on where the "
          "text "
          "starts",
      .positions = {"m", "n", "s"},
      .vectors = {"q", "k"},
      .rows =
          [](const LawCase& c) {
            const auto s = c.position("s");
            return std::vector{c.position("m"), c.position("n"), c.position("m") + s, c.position("n") + s};
          },
      .judge = judge_rope_relative_only};
}

}  // namespace vernier
