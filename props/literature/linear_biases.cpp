#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/alibi.hpp"

namespace vernier {
namespace {

/// What ALiBi adds to the score of a key at a distance from the query, for one head.
Interval bias_at(const BiasTable& table, std::size_t head, std::int64_t distance) {
  const std::vector<std::int64_t> positions{0, distance};
  return enclose(table.multiplier(positions, 1, 0, 0)) * table.slopes[head].enclosure();
}

/// "ALiBi adds a penalty inversely proportional to the distance": it is proportional.
EvidenceResult wording() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  const AlibiSpec eight{.num_heads = 8, .bias = AlibiSpec::Bias::distance};
  const auto table = EncodingOf<AlibiSpec>(eight).all<BiasTable>()[1];
  bool halves = true;
  for (std::size_t head = 0; head < 8; ++head) {
    halves &= contains(table.slopes[head].enclosure(), Rational(1, std::int64_t{2} << head));
  }
  facts.add(halves, "the slopes of 8 heads are 1/2, 1/4 ... 1/256");
  const auto sixteen = AlibiSpec{.num_heads = 16}.slopes();
  facts.add(contains(sixteen[0].enclosure() * sixteen[0].enclosure(), Rational(1, 2)) &&
                contains(sixteen[15].enclosure(), Rational(1, 256)),
            "those of 16 heads run from 2^(-1/2) to 2^-8");
  bool proportional = true;
  bool inverse = false;
  bool farther_is_less = true;
  bool weights_fall_alike = true;
  for (std::size_t head = 0; head < 8; ++head) {
    const Interval at_one = bias_at(table, head, 1);
    for (std::int64_t distance = 2; distance <= 100; ++distance) {
      const Interval bias = bias_at(table, head, distance);
      proportional &= contains_zero(bias - distance * at_one);
      inverse |= contains_zero(bias * distance - at_one);
      farther_is_less &= certainly_less(bias, bias_at(table, head, distance - 1));
      weights_fall_alike &= contains_zero(exp(bias) / exp(bias_at(table, head, distance - 1)) - exp(at_one));
    }
  }
  facts.add(proportional,
            "at the distances 2 to 100 every head's bias is the distance times that at 1: linear");
  facts.add(!inverse,
            "at none of them is it that at 1 divided by the distance, which would penalise the far less than "
            "the near");
  facts.add(farther_is_less && weights_fall_alike,
            "the farther the key the greater the penalty, and the softmax weight falls by the same factor "
            "e^-slope with each step");
  return facts.conclude(Ruling::refuted);
}

}  // namespace

std::vector<Evidence> linear_bias_evidence() {
  return {
      {"alibi/wording", "ALiBi's bias against the distance", Method::exhaustive, wording},
  };
}

}  // namespace vernier
