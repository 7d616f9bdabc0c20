// The laws of scaled rotary encodings that are about rotations: each proved on the reference by enclosures
// for drawn specs of every scaling it is about, and shown to fail on broken variants of the kind that people
// ship. Where a law is blind to a fault, that is shown too.

#include <algorithm>

#include <gtest/gtest.h>

#include "props/test/scaled_rope.hpp"

namespace vernier {
namespace {

// Isometry times amplitude
// ------------------------------------------------------------------------------------------------------

struct Rotated {
  RopeSpec spec;
  std::int64_t position;
  std::vector<std::int64_t> x;  ///< head_dim elements, none of them zero
};

Generator<Rotated> rotated_vectors(const std::vector<std::string>& types) {
  return {[types](Dice& dice) {
            const auto spec = rope_spec(drawn_rope(dice, types));
            Rotated result{spec, dice.between(1, length_of(spec)), {}};
            for (std::int64_t dim = 0; dim < spec.head_dim; ++dim) {
              result.x.push_back(dice.between(1, 9) * (dice.chance(50) ? 1 : -1));
            }
            return result;
          },
          [](const Rotated& value) { return with_nearer_positions(value, {&Rotated::position}); }};
}

std::vector<Interval> enclosed(const std::vector<std::int64_t>& x) {
  std::vector<Interval> result;
  for (const auto element : x) {
    result.push_back(enclose(element));
  }
  return result;
}

std::vector<Interval> rotate(const Turning& implementation, const Rotated& drawn) {
  std::vector<Interval> cosine;
  std::vector<Interval> sine;
  for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
    const auto turn = implementation(drawn.spec, drawn.position, pair);
    cosine.push_back(turn.cosine);
    sine.push_back(turn.sine);
  }
  std::vector<Interval> y(drawn.x.size());
  drawn.spec.rotate<Interval>(cosine, sine, enclosed(drawn.x), y);
  return y;
}

/// Law: |R_p x|^2 = A^2 |x|^2, in each pair by itself, and what does not rotate stays as it is.
CheckStatus norms_grow_by_the_amplitude(const Turning& implementation) {
  auto classes = scaling_types();
  classes.emplace_back("amplified");
  return status_of<Rotated>(
      "rope-scaling/isometry", rotated_vectors(scaling_types()),
      [&](const Rotated& drawn) {
        const WorkingPrecision scope(proof_precision);
        const auto x = enclosed(drawn.x);
        const auto y = rotate(implementation, drawn);
        const Interval amplitude = enclose(drawn.spec.amplitude());
        Judged result = judged(Outcome::holds, drawn.spec);
        for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
          const auto [first, second] = drawn.spec.dimensions(pair);
          const auto squares = [a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(second)](
                                   const auto& v) { return Interval(v[a] * v[a] + v[b] * v[b]); };
          const Interval grown = amplitude * amplitude * squares(x);
          result.outcome = worse(result.outcome, vanishes(squares(y) - grown));
        }
        for (auto dim = static_cast<std::size_t>(drawn.spec.rotary_dim()); dim < x.size(); ++dim) {
          result.outcome = worse(result.outcome, vanishes(y[dim] - x[dim]));
        }
        if (!drawn.spec.amplitude().is_one()) {
          result.classes.emplace_back("amplified");
        }
        return result;
      },
      classes);
}

Turn amplitude_on_the_cosine_only(const RopeSpec& spec, std::int64_t position, int pair) {
  const auto turn = reference_turn(spec, position, pair);
  return {turn.cosine, Interval(turn.sine / enclose(spec.amplitude()))};
}

/// Once in the table and once in the kernel that reads it.
Turn amplitude_twice(const RopeSpec& spec, std::int64_t position, int pair) {
  const auto turn = reference_turn(spec, position, pair);
  const Interval amplitude = enclose(spec.amplitude());
  return {Interval(turn.cosine * amplitude), Interval(turn.sine * amplitude)};
}

TEST(RopeScalingIsometry, HoldsOfTheReference) {
  EXPECT_EQ(norms_grow_by_the_amplitude(reference_turn), CheckStatus::holds);
}

TEST(RopeScalingIsometry, CatchesAnAmplitudeOnTheCosineOnly) {
  EXPECT_EQ(norms_grow_by_the_amplitude(amplitude_on_the_cosine_only), CheckStatus::fails);
}

TEST(RopeScalingIsometry, CatchesAnAmplitudeAppliedTwice) {
  EXPECT_EQ(norms_grow_by_the_amplitude(amplitude_twice), CheckStatus::fails);
}

// Scores depend on the offset, within one length of the sequence
// ------------------------------------------------------------------------------------------------------

struct Scored {
  RopeSpec spec;
  std::int64_t query;  ///< position
  std::int64_t key;    ///< position, not after the query
  std::int64_t shift;  ///< of both, to positions that the sequence has
};

Generator<Scored> scored_tokens(const std::vector<std::string>& types) {
  return {[types](Dice& dice) {
            const auto spec = rope_spec(drawn_rope(dice, types));
            const auto last = length_of(spec) - 1;
            const auto query = dice.between(0, last - 1);
            return Scored{spec, query, dice.between(0, query), dice.between(1, last - query)};
          },
          [](const Scored& value) {
            return with_nearer_positions(value, {&Scored::query, &Scored::key, &Scored::shift});
          }};
}

/// Law: <R_m q, R_n k> is the same when m and n move together, for all q and k.
CheckStatus scores_depend_on_the_offset(const Turning& query, const Turning& key,
                                        const std::vector<std::string>& types) {
  return status_of<Scored>(
      "rope-scaling/relative-only", scored_tokens(types),
      [&](const Scored& drawn) {
        const WorkingPrecision scope(proof_precision);
        const auto score = [&](std::int64_t shift, int pair) {
          return pair_score(query(drawn.spec, drawn.query + shift, pair),
                            key(drawn.spec, drawn.key + shift, pair));
        };
        Outcome outcome = Outcome::holds;
        for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
          const auto here = score(0, pair);
          const auto there = score(drawn.shift, pair);
          outcome =
              worse(outcome, worse(vanishes(here.along - there.along), vanishes(here.across - there.across)));
        }
        return judged(outcome, drawn.spec);
      },
      types);
}

/// Keys of a cache that was made when the sequence had half the length.
Turn stale_turn(const RopeSpec& spec, std::int64_t position, int pair) {
  return reference_turn(at_length(spec, length_of(spec) / 2), position, pair);
}

/// A token turned as when it was the last of the sequence: keys of a cache that grew token by token, and
/// factors chosen by the position instead of the length.
Turn turn_by_position(const RopeSpec& spec, std::int64_t position, int pair) {
  return reference_turn(at_length(spec, position + 1), position, pair);
}

TEST(RopeScalingScores, DependOnTheOffsetWithinOneLength) {
  EXPECT_EQ(scores_depend_on_the_offset(reference_turn, reference_turn, scaling_types()), CheckStatus::holds);
}

TEST(RopeScalingScores, CatchKeysCachedAtAnotherLength) {
  for (const auto& type : length_dependent_types()) {
    EXPECT_EQ(scores_depend_on_the_offset(reference_turn, stale_turn, {type}), CheckStatus::fails) << type;
    EXPECT_EQ(scores_depend_on_the_offset(reference_turn, turn_by_position, {type}), CheckStatus::fails)
        << type;
  }
}

TEST(RopeScalingScores, AllowOldKeysWhereLengthsDoNotMatter) {
  EXPECT_EQ(scores_depend_on_the_offset(reference_turn, stale_turn, fixed_types()), CheckStatus::holds);
  EXPECT_EQ(scores_depend_on_the_offset(reference_turn, turn_by_position, fixed_types()), CheckStatus::holds);
}

TEST(RopeScalingScores, AllowAWholeSequenceOfTheWrongLength) {
  EXPECT_EQ(scores_depend_on_the_offset(stale_turn, stale_turn, scaling_types()), CheckStatus::holds)
      << "queries and keys that share their frequencies agree, whatever the frequencies are";
}

/// Each token by itself picks the list of its own position: not one sequence, but two glued together.
TEST(RopeScalingScores, CatchLongRopeListsChosenByPosition) {
  EXPECT_EQ(scores_depend_on_the_offset(turn_by_position, turn_by_position, {"longrope"}),
            CheckStatus::fails);
}

// Proportional
// ------------------------------------------------------------------------------------------------------

const ProportionalScaling& proportional(const RopeSpec& spec) {
  return std::get<ProportionalScaling>(spec.scaling);
}

/// Law: live pairs have b^(-2i/head_dim)/s, the others zero.
CheckStatus exponents_are_over_the_head(const Frequency& implementation) {
  return status_of<Rotated>(
      "rope-scaling/proportional", rotated_vectors({"proportional"}), [&](const Rotated& drawn) {
        const WorkingPrecision scope(proof_precision);
        const auto& rule = proportional(drawn.spec);
        const Interval base = log(enclose(drawn.spec.rope_theta));
        Outcome outcome = Outcome::holds;
        for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
          const Interval frequency = implementation(drawn.spec, pair);
          const Interval exponent = enclose(Rational(2 * pair, drawn.spec.head_dim));
          const Interval progression = exp(Interval(-exponent * base));
          outcome = worse(
              outcome,
              vanishes(pair < rule.live_pairs ? frequency * enclose(rule.factor) - progression : frequency));
        }
        return Judged{outcome};
      });
}

/// Law: the dimensions of pairs that are not live stay as they are.
CheckStatus the_rest_stays(const Turning& implementation) {
  return status_of<Rotated>(
      "rope-scaling/proportional-rest", rotated_vectors({"proportional"}),
      [&](const Rotated& drawn) {
        const WorkingPrecision scope(proof_precision);
        const auto y = rotate(implementation, drawn);
        Judged result;
        for (int pair = proportional(drawn.spec).live_pairs; pair < drawn.spec.pairs(); ++pair) {
          const auto [first, second] = drawn.spec.dimensions(pair);
          for (const auto dim : {static_cast<std::size_t>(first), static_cast<std::size_t>(second)}) {
            result.outcome = worse(result.outcome, vanishes(y[dim] - enclose(drawn.x[dim])));
          }
          result.classes = {"has a rest"};
        }
        return result;
      },
      {"has a rest"});
}

/// The rotation of the first 2 k dimensions alone, k live pairs, and linear scaling by the same factor: what
/// the same configuration is taken for.
RopeSpec partial_rotation(const RopeSpec& spec) {
  auto partial = spec;
  partial.partial_rotary_factor = Rational(2 * proportional(spec).live_pairs, spec.head_dim);
  partial.scaling = LinearScaling{proportional(spec).factor};
  return partial;
}

/// Law: proportional and partial rotation differ, unless the whole head rotates, or one pair whose dimensions
/// are the first two in both: its exponent is zero over the head and over the part.
CheckStatus it_is_no_partial_rotation(const std::function<RopeSpec(const RopeSpec&)>& other) {
  return status_of<Rotated>(
      "rope-scaling/proportional-partial", rotated_vectors({"proportional"}),
      [&](const Rotated& drawn) {
        const WorkingPrecision scope(proof_precision);
        const int live = proportional(drawn.spec).live_pairs;
        const bool whole = live == drawn.spec.pairs();
        const bool same = whole || (live == 1 && drawn.spec.layout == RopeSpec::Layout::interleaved);
        const auto mine = rotate(reference_turn, drawn);
        const auto others = rotate(reference_turn, {other(drawn.spec), drawn.position, drawn.x});
        Outcome equal = Outcome::holds;
        for (std::size_t dim = 0; dim < mine.size(); ++dim) {
          equal = worse(equal, vanishes(mine[dim] - others[dim]));
        }
        const Outcome differ = equal == Outcome::fails   ? Outcome::holds
                               : equal == Outcome::holds ? Outcome::fails
                                                         : Outcome::inconclusive;
        return Judged{same ? equal : differ, {whole ? "whole" : "part"}};
      },
      {"whole", "part"});
}

Interval frequency_over_the_part(const RopeSpec& spec, int pair) {
  const int live = proportional(spec).live_pairs;
  return pair < live ? reference_frequency(partial_rotation(spec), pair) : enclose(std::int64_t{0});
}

/// A table padded with zeros to the size of the head, cosines too.
Turn padded_turn(const RopeSpec& spec, std::int64_t position, int pair) {
  const Interval zero = enclose(std::int64_t{0});
  return pair < proportional(spec).live_pairs ? reference_turn(spec, position, pair) : Turn{zero, zero};
}

TEST(ProportionalRope, HoldsOfTheReference) {
  EXPECT_EQ(exponents_are_over_the_head(reference_frequency), CheckStatus::holds);
  EXPECT_EQ(the_rest_stays(reference_turn), CheckStatus::holds);
  EXPECT_EQ(it_is_no_partial_rotation(partial_rotation), CheckStatus::holds);
}

TEST(ProportionalRope, CatchesExponentsOverThePart) {
  EXPECT_EQ(exponents_are_over_the_head(frequency_over_the_part), CheckStatus::fails);
}

TEST(ProportionalRope, CatchesAPaddedTable) {
  EXPECT_EQ(the_rest_stays(padded_turn), CheckStatus::fails);
}

TEST(ProportionalRope, CatchesTwoConfigurationsReadAsOne) {
  EXPECT_EQ(it_is_no_partial_rotation([](const RopeSpec& spec) { return spec; }), CheckStatus::fails);
}

}  // namespace
}  // namespace vernier
