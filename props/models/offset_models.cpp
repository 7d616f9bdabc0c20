#include "props/models/offset_models.hpp"

#include <array>

#include "props/judging/interval_predicates.hpp"

namespace vernier {

std::optional<Justification> BucketModel::justification(std::string_view property) const {
  const auto none = Answer::not_applicable;
  return known_answer(property,
                      {
                          {"symmetric", none, "keys ahead are masked", causal_},
                          {"direction-aware", none, "keys ahead are masked", causal_},
                          {"symmetric", Answer::yes, "the rule is of the distance", of_distance_},
                          {"direction-aware", Answer::no, "the rule is of the distance", of_distance_},
                          {"bounded", none, "the scores are learned"},
                          {"same-for-every-length", Answer::yes, "no length in the rule"},
                          {"defined-beyond", Answer::yes, "far offsets share the last bucket"},
                          {"lipschitz", Answer::no, "a step function of the offset, with learned steps"},
                          {"linear-shift", none, "positions have no code"},
                          {"offset-only", Answer::yes, "the rule is given the offset alone"},
                          {"constant-norm", none, "positions have no code"},
                          {"decay", Answer::no, "the scores are learned: none forbids a rise"},
                      });
}

Interval LinearBiasModel::score(std::int64_t query, std::int64_t key) const {
  // Two keys, the last of them at the query's own position.
  const std::array keys{key, query};
  const auto factor = bias_.multiplier(keys, 1, 0, 0) - bias_.multiplier(keys, 1, 0, 1);
  return bias_.slopes.front().enclosure() * enclose(factor);
}

std::optional<Justification> LinearBiasModel::justification(std::string_view property) const {
  const auto none = Answer::not_applicable;
  const bool even = bias_.factor == BiasTable::Factor::distance;
  return known_answer(
      property,
      {
          {"unique", Answer::yes, "of distances: a linear function of slope not zero"},
          {"same-for-every-length", Answer::yes, "no length in the formula"},
          {"defined-beyond", Answer::yes, "a formula for every distance"},
          {"lipschitz", Answer::yes, "L = the slope, " + digits(*lipschitz(), 5)},
          {"linear-shift", none, "positions have no code"},
          {"constant-norm", none, "positions have no code"},
          {"offset-only", Answer::yes, "the slope times the offset or its magnitude"},
          {"decay", Answer::yes, "falls by the slope with each position", even},
          {"decay", Answer::conditional,
           "falls by the slope with each position behind the query, and rises ahead of it: decays under a "
           "causal mask"},
          {"symmetric", Answer::yes, "the magnitude of the offset is even", even},
          {"direction-aware", Answer::no, "the magnitude of the offset is even; only a causal mask tells",
           even},
      });
}

}  // namespace vernier
