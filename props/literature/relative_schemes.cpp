#include <algorithm>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/alibi.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/logarithmic_buckets.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// The buckets of consecutive offsets.
std::vector<std::int64_t> buckets(const BucketRule& rule, std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> result;
  for (std::int64_t offset = first; offset <= last; ++offset) {
    result.push_back(rule(offset).index);
  }
  return result;
}

bool distinct(std::vector<std::int64_t> values) {
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

void add_t5(Facts& facts) {
  const BucketRule both = EncodingOf<T5BucketSpec>({}).all<BucketTable>().front().rule;
  facts.add(both(1).index == 17 && both(-1).index == 1,
            "T5, 32 buckets to distance 128: +1 is in bucket 17 and -1 in 1");
  facts.add(
      distinct(buckets(both, -8, 8)) && both(-8).index == both(-9).index && both(8).index == both(9).index,
      "offsets up to 8 have a bucket each, 8 and 9 share one");
  const auto far_behind = buckets(both, -1000, -128);
  const auto far_ahead = buckets(both, 128, 1000);
  facts.add(std::ranges::count(far_behind, 15) == std::ssize(far_behind) &&
                std::ranges::count(far_ahead, 31) == std::ssize(far_ahead),
            "from 128 to 1000 all are in bucket 15 behind and 31 ahead");
  const BucketRule causal =
      EncodingOf<T5BucketSpec>({.bidirectional = false}).all<BucketTable>().front().rule;
  facts.add(distinct(buckets(causal, -16, 0)) && causal(-16).index == causal(-17).index &&
                causal(1).index == causal(0).index,
            "one direction: 16 and 17 behind are the first to share, and keys ahead have the bucket of 0");
}

void add_deberta(Facts& facts) {
  const BucketRule rule = EncodingOf<DebertaBucketSpec>({}).all<BucketTable>().front().rule;
  bool kept = true;
  bool odd = true;
  for (std::int64_t offset = 1; offset <= 1000; ++offset) {
    kept &= offset > 128 || rule(offset).index == offset;
    odd &= rule(-offset).index == -rule(offset).index;
  }
  facts.add(kept && odd && !distinct(buckets(rule, 128, 512)),
            "DeBERTa, 256 buckets to position 512: offsets up to 128 keep their value, those beyond share "
            "buckets, and -r is in the bucket opposite to r");
}

/// Transformer-XL puts the sinusoid of the offset where an absolute code has that of the position.
void add_transformer_xl(Facts& facts) {
  const TrigCode code(SinusoidalSpec{.d_model = 16, .layout = SinusoidalSpec::Layout::halves}.table());
  bool mirrored = true;
  for (const std::int64_t offset : {1, 7, 500}) {
    const auto ahead = code.code(offset);
    const auto behind = code.code(-offset);
    for (Eigen::Index i = 0; i < 8; ++i) {
      mirrored &= contains_zero(ahead(i) + behind(i)) && !contains_zero(ahead(i) - behind(i)) &&
                  contains_zero(ahead(i + 8) - behind(i + 8));
    }
  }
  facts.add(mirrored,
            "Transformer-XL's sinusoid of the offset: opposite offsets have the same cosines and "
            "opposite sines, so it knows the direction");
}

/// "Relative encodings put j - i into attention: Transformer-XL, T5, DeBERTa."
void relative_schemes(Facts& facts) {
  add_transformer_xl(facts);
  add_t5(facts);
  add_deberta(facts);
}

/// "Since BERT every positional encoding is trained": RoPE (2021) and ALiBi (2022) have formulas.
void formula_schemes(Facts& facts) {
  const auto table = RopeSpec{.head_dim = 128}.table(Component::cosine);
  bool from_formula = true;
  for (const int pair : {0, 1, 31, 63}) {
    for (const std::int64_t position : {0, 1, 4095}) {
      const Interval frequency = exp(-Interval(2 * pair) / 128 * log(Interval(10000)));
      const Interval residual = table.value(position, pair, Component::cosine)() - cos(position * frequency);
      from_formula &= contains_zero(residual) && greatest_magnitude(residual) < 0x1p-120;
    }
  }
  facts.add(from_formula,
            "every entry of RoPE's tables follows from the width and the base by cos(m 10000^(-2i/d)), "
            "so nothing is left to train");
  bool powers = true;
  const auto slopes = AlibiSpec{.num_heads = 12}.slopes();
  for (const auto& slope : slopes) {
    powers &= contains(log(slope.enclosure()) / log(Interval(2)), -slope.step * slope.power);
  }
  facts.add(powers && slopes.size() == 12,
            "ALiBi's slopes are powers of 2 that the number of heads determines");
  facts.add(
      !EncodingOf<T5BucketSpec>({}).has_plain_tables() && !EncodingOf<T5BucketSpec>({}).has<BiasTable>(),
      "T5, on the other hand, has a formula for buckets only: their scores are trained");
}

/// What ALiBi adds to the score of a key at a distance from the query, for one head.
Interval bias_at(const BiasTable& table, std::size_t head, std::int64_t distance) {
  const std::vector<std::int64_t> positions{0, distance};
  return enclose(table.multiplier(positions, 1, 0, 0)) * table.slopes[head].enclosure();
}

/// "ALiBi adds a penalty inversely proportional to the distance": it is proportional.
void wording(Facts& facts) {
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
}

}  // namespace

std::vector<Evidence> relative_scheme_evidence() {
  return {
      {"relative/schemes", relative_schemes},
      {"relative/formula-schemes", formula_schemes},
      {"alibi/wording", wording},
  };
}

}  // namespace vernier
