#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/property.hpp"
#include "props/models/judging.hpp"
#include "props/properties/bias_view.hpp"

namespace vernier {
namespace {

void judge_decay_of_biases(const BiasView& view, PropertyTally& tally) {
  for_each_row(view, [&](std::size_t head, std::size_t query, const std::vector<std::size_t>& keys) {
    if (keys.size() < 2) {
      return;
    }
    const double whole =
        std::fabs(view.at(head, query, keys.back()).value - view.at(head, query, keys.front()).value);
    std::optional<Measured> greatest;  // of the farther keys, by the least that it can be
    for (const auto key : keys) {
      const auto bias = view.at(head, query, key);
      if (greatest) {
        tally.must_vanish(std::max(0.0, greatest->value - bias.value), greatest->allowed + bias.allowed,
                          whole, [&] { return place_of(view, head, query, key); });
      }
      if (!greatest || bias.value - bias.allowed > greatest->value - greatest->allowed) {
        greatest = bias;
      }
    }
  });
}

/// Keys behind the query for k >= 0, ahead of it for k < 0.
Outcome judge_decay_of_scores(const PositionModel& model, const MatrixCase& values) {
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

std::vector<Property> decay_properties() {
  return {{.id = "decay",
           .biases = judge_decay_of_biases,
           .model = ModelJudge{.judge = judge_decay_of_scores, .weaker = falls_by_decades}}};
}

}  // namespace vernier
