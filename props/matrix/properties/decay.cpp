#include <array>

#include "props/interval_predicates.hpp"
#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

/// Keys behind the query for k >= 0, ahead of it for k < 0.
Outcome judge_decay(const PositionModel& model, const MatrixCase& values) {
  const std::int64_t step = values.k < 0 ? -1 : 1;
  const auto near = values.t - values.k;
  if (!model.window().holds(near - step)) {
    return Outcome::discarded;
  }
  return must_not_exceed(model.score(values.t, near - step), model.score(values.t, near));
}

/// Whether scores that depend on the offset only fall from decade to decade.
std::optional<Justification> falls_by_decades(const PositionModel& model) {
  const auto offset_only = model.justification("offset-only");
  constexpr std::array<std::int64_t, 5> distances{0, 1, 10, 100, 1000};
  if (!offset_only || offset_only->answer != Answer::yes || !model.window().holds(-distances.back())) {
    return std::nullopt;
  }
  std::string told = "falls in trend, not monotonically: scores at distances 0, 1, 10, 100, 1000 are ";
  std::optional<Interval> last;
  for (const auto distance : distances) {
    const auto score = model.score(0, -distance);
    if (last && !certainly_less(score, *last)) {
      return std::nullopt;
    }
    told += (last ? ", " : "") + digits(score, 4);
    last = score;
  }
  return Justification{Answer::conditional, Method::interval, told};
}

}  // namespace

MatrixProperty decay_property() {
  return {"decay",
          "Decays with distance",
          "score(t, s) never rises as s moves away from t: behind for k >= 0, ahead for k < 0",
          "t, k",
          judge_decay,
          false,
          falls_by_decades};
}

}  // namespace vernier
