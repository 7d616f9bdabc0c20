// The laws of rotary encodings of more than one position and of xPos: each proved on the reference by
// enclosures for drawn cases, and shown to fail on broken variants of the kind that people ship. Where a law
// is blind to a fault, that is shown too.

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "props/test/proved_laws.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/xpos.hpp"

namespace vernier {
namespace {

// M-RoPE
// ------------------------------------------------------------------------------------------------------

/// A token's positions by time, height and width.
using Token = std::array<std::int64_t, MropeAxes::sections>;

struct SeveralPositions {
  RopeSpec spec;
  Token token;
};

/// An implementation of M-RoPE: the sine or cosine that a pair of a token has.
using MRope = std::function<Interval(const RopeSpec&, const Token&, int pair, Component)>;

Interval reference_mrope(const RopeSpec& spec, const Token& token, int pair, Component component) {
  const auto tables = RopeEncoding(spec).all<TurnedTable>(&TurnedTable::axes);
  const auto holds = [component](const TurnedTable& one) {
    return one.sines.columns.front().component == component;
  };
  // The first of the component has one column a pair.
  return std::ranges::find_if(tables, holds)->entry(token, static_cast<std::size_t>(pair))();
}

/// Each section has the frequencies of the head from the first on, as the sections of a vision encoder do.
Interval restarting_mrope(const RopeSpec& spec, const Token& token, int pair, Component component) {
  const int axis = spec.mrope->axis(pair);
  int earlier = 0;
  for (int other = 0; other < pair; ++other) {
    earlier += spec.mrope->axis(other) == axis ? 1 : 0;
  }
  return spec.table(component).value(token[static_cast<std::size_t>(axis)], earlier, component)();
}

/// Interleaved order in which the width is written where the height already is: one start for both slices.
Interval overwriting_mrope(const RopeSpec& spec, const Token& token, int pair, Component component) {
  const int axis = spec.mrope->axis(pair);
  return spec.table(component).value(token[axis == 1 ? 2 : 0], pair, component)();
}

RopeSpec drawn_streams(Dice& dice) {
  constexpr std::array<int, 3> bases{2, 10000, 5000000};
  const int pairs = static_cast<int>(dice.between(3, 16));
  // So few by height and width that the last of each, pair 3 (n - 1) + 1 or + 2, is a pair of the head.
  const int height = static_cast<int>(dice.between(1, (pairs - 2) / 3 + 1));
  const int width = static_cast<int>(dice.between(1, (pairs - 3) / 3 + 1));
  RopeSpec spec{.head_dim = 2 * std::int64_t{pairs},
                .rope_theta = bases[static_cast<std::size_t>(dice.between(0, 2))]};
  spec.mrope = MropeAxes{{pairs - height - width, height, width},
                         dice.chance(50) ? MropeAxes::Order::interleaved : MropeAxes::Order::sections};
  return spec;
}

Generator<SeveralPositions> tokens_of_several_positions() {
  return {[](Dice& dice) {
            const auto spec = drawn_streams(dice);
            return SeveralPositions{
                spec, {dice.logarithmic(1 << 20), dice.logarithmic(1 << 12), dice.logarithmic(1 << 12)}};
          },
          [](const SeveralPositions& value) {
            std::vector<SeveralPositions> simpler;
            for (std::size_t i = 0; i < value.token.size(); ++i) {
              if (value.token[i] > 0) {
                simpler.push_back(value);
                simpler.back().token[i] /= 2;
              }
            }
            return simpler;
          }};
}

/// Law: a token whose positions are all equal is turned as RoPE turns it.
CheckStatus equal_positions_are_rope(const MRope& implementation) {
  return status_of<SeveralPositions>(
      "mrope/equal-axes", tokens_of_several_positions(), [&](const SeveralPositions& drawn) {
        const WorkingPrecision scope(proof_precision);
        const auto position = drawn.token[0];
        auto plain = drawn.spec;
        plain.mrope.reset();
        Judged judged;
        for (const auto component : {Component::sine, Component::cosine}) {
          const auto rope = plain.table(component);
          for (int pair = 0; pair < plain.pairs(); ++pair) {
            const Interval mine = implementation(drawn.spec, {position, position, position}, pair, component);
            judged.outcome = worse(judged.outcome, vanishes(mine - rope.value(position, pair, component)()));
          }
        }
        return judged;
      });
}

/// Law: when one position of a token alone moves, as many pairs turn as its section has. A pair that
/// turns is one whose enclosures exclude each other.
CheckStatus an_axis_turns_its_section(const MRope& implementation) {
  return status_of<SeveralPositions>(
      "mrope/sections", tokens_of_several_positions(), [&](const SeveralPositions& drawn) {
        const WorkingPrecision scope(proof_precision);
        Judged judged;
        for (std::size_t axis = 0; axis < drawn.token.size(); ++axis) {
          auto moved = drawn.token;
          ++moved[axis];
          int turned = 0;
          for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
            const auto moves = [&](Component component) {
              return !contains_zero(Interval(implementation(drawn.spec, moved, pair, component) -
                                             implementation(drawn.spec, drawn.token, pair, component)));
            };
            turned += moves(Component::sine) || moves(Component::cosine) ? 1 : 0;
          }
          if (turned != drawn.spec.mrope->section[axis]) {
            judged.outcome = Outcome::fails;
          }
        }
        return judged;
      });
}

TEST(MRopeLaws, HoldOfTheReference) {
  EXPECT_EQ(equal_positions_are_rope(reference_mrope), CheckStatus::holds);
  EXPECT_EQ(an_axis_turns_its_section(reference_mrope), CheckStatus::holds);
}

TEST(MRopeLaws, CatchFrequenciesThatRestartInEachSection) {
  EXPECT_EQ(equal_positions_are_rope(restarting_mrope), CheckStatus::fails);
  EXPECT_EQ(an_axis_turns_its_section(restarting_mrope), CheckStatus::holds)
      << "how fast a pair turns is not what this law is about";
}

/// The fault that text never shows.
TEST(MRopeLaws, CatchAWidthThatOverwritesTheHeight) {
  EXPECT_EQ(an_axis_turns_its_section(overwriting_mrope), CheckStatus::fails);
  EXPECT_EQ(equal_positions_are_rope(overwriting_mrope), CheckStatus::holds)
      << "with equal positions nobody can tell one axis from another";
}

// xPos
// --------------------------------------------------------------------------------------------------------

struct Scaled {
  XposSpec spec;
  std::int64_t query;  ///< position
  std::int64_t key;    ///< position, not after the query
  std::int64_t shift;  ///< of both
};

using Operand = XposSpec::Operand;

/// An implementation of xPos: what the sines and cosines of a pair are multiplied by.
using Scale = std::function<Interval(const XposSpec&, Operand, std::int64_t position, int pair)>;

Interval reference_scale(const XposSpec& spec, Operand operand, std::int64_t position, int pair) {
  return spec.scale(operand, position, pair)();
}

/// Keys of a cache that was made when the sequence had half the length, and a centre of its own.
Interval stale_cache_scale(const XposSpec& spec, Operand operand, std::int64_t position, int pair) {
  auto when_made = spec;
  when_made.sequence_length = operand == Operand::key ? spec.sequence_length / 2 : spec.sequence_length;
  return when_made.scale(operand, position, pair)();
}

/// Each key as it was when it came in, the last of the sequence: every one has a centre of its own.
Interval growing_cache_scale(const XposSpec& spec, Operand operand, std::int64_t position, int pair) {
  auto when_made = spec;
  when_made.sequence_length = operand == Operand::key ? position + 1 : spec.sequence_length;
  return when_made.scale(operand, position, pair)();
}

Generator<Scaled> scaled_tokens() {
  return {[](Dice& dice) {
            XposSpec spec{.head_dim = 2 * dice.between(1, 8),
                          .scale_base = dice.chance(50) ? 512 : Rational(dice.between(1, 4096), 3),
                          .centre = &xpos_centres()[static_cast<std::size_t>(dice.between(0, 2))],
                          .sequence_length = dice.between(4, 4096)};
            const auto key = dice.between(0, spec.sequence_length - 1);
            const auto query = dice.between(key, spec.sequence_length - 1);
            return Scaled{spec, query, key, dice.between(2, 512)};
          },
          [](const Scaled& value) {
            std::vector<Scaled> simpler;
            if (value.query > value.key) {
              simpler.push_back(value);
              --simpler.back().query;
            }
            if (value.key > 0) {
              simpler.push_back(value);
              simpler.back().key /= 2;
            }
            return simpler;
          }};
}

/// zeta_i^((p - q)/B), from the definition.
Interval decay(const XposSpec& spec, std::int64_t offset, int pair) {
  const Interval zeta = (2 * pair + enclose(Rational(2, 5)) * enclose(spec.head_dim)) /
                        (enclose(Rational(7, 5)) * enclose(spec.head_dim));
  return exp(Interval(enclose(offset) / enclose(spec.scale_base) * log(zeta)));
}

/// Law: the scales of a query and a key multiply to zeta_i^((p - q)/B), whatever the centre is. Judged
/// relative to that, as it may be as small as zeta^(3 L).
CheckStatus scales_multiply_to_the_decay(const Scale& implementation) {
  return status_of<Scaled>("xpos/product", scaled_tokens(), [&](const Scaled& drawn) {
    const WorkingPrecision scope(proof_precision);
    Judged judged;
    for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
      const Interval product = implementation(drawn.spec, Operand::query, drawn.query, pair) *
                               implementation(drawn.spec, Operand::key, drawn.key, pair);
      const Interval relative = product / decay(drawn.spec, drawn.query - drawn.key, pair) - 1;
      judged.outcome = worse(judged.outcome, vanishes(relative));
    }
    return judged;
  });
}

/// The score of a query's and a key's pair after their turns and scales.
PairScore scaled_score(const Scale& implementation, const XposSpec& spec, std::int64_t query,
                       std::int64_t key, int pair) {
  const auto rotation = spec.rotation();
  const auto turn = [&](std::int64_t position) {
    const auto trig = [&](Component component) {
      return rotation.table(component).value(position, pair, component)();
    };
    return Turn{trig(Component::cosine), trig(Component::sine)};
  };
  const Interval scale =
      implementation(spec, Operand::query, query, pair) * implementation(spec, Operand::key, key, pair);
  const auto score = pair_score(turn(query), turn(key));
  return {Interval(scale * score.along), Interval(scale * score.across)};
}

/// Law: scores are the same when the query and the key move together. Judged relative to their own scale,
/// which a wrong centre may make as large as zeta^(-L/B).
CheckStatus scores_depend_on_the_offset(const Scale& implementation) {
  return status_of<Scaled>("xpos/relative-only", scaled_tokens(), [&](const Scaled& drawn) {
    const WorkingPrecision scope(proof_precision);
    Judged judged;
    for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
      const auto here = scaled_score(implementation, drawn.spec, drawn.query, drawn.key, pair);
      const auto there =
          scaled_score(implementation, drawn.spec, drawn.query + drawn.shift, drawn.key + drawn.shift, pair);
      const Interval size = implementation(drawn.spec, Operand::query, drawn.query, pair) *
                            implementation(drawn.spec, Operand::key, drawn.key, pair);
      judged.outcome = worse(judged.outcome, worse(vanishes((here.along - there.along) / size),
                                                   vanishes((here.across - there.across) / size)));
    }
    return judged;
  });
}

TEST(XposLaws, HoldOfTheReference) {
  EXPECT_EQ(scales_multiply_to_the_decay(reference_scale), CheckStatus::holds);
  EXPECT_EQ(scores_depend_on_the_offset(reference_scale), CheckStatus::holds);
}

TEST(XposLaws, CatchKeysOfACacheMadeAtAnotherLength) {
  EXPECT_EQ(scales_multiply_to_the_decay(stale_cache_scale), CheckStatus::fails);
  EXPECT_EQ(scores_depend_on_the_offset(stale_cache_scale), CheckStatus::holds)
      << "all scores of a pair are off by the same factor";
}

TEST(XposLaws, CatchACacheThatGrewWithTheSequence) {
  EXPECT_EQ(scales_multiply_to_the_decay(growing_cache_scale), CheckStatus::fails);
  EXPECT_EQ(scores_depend_on_the_offset(growing_cache_scale), CheckStatus::fails);
}

}  // namespace
}  // namespace vernier
