// The laws of RoPE scalings that treat fast and slow pairs differently: which pairs are unchanged, blended
// and divided, how the blend goes, and that it begins and ends where the bands do. Bands are found here from
// how often a pair turns within the trained length, and nothing of the reference's ramps enters. Each law is
// proved on the reference by enclosures for drawn specs and shown to fail on broken variants; where a law is
// blind to a fault, that is shown too.

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "props/test/scaled_rope.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

// What the definitions say
// ------------------------------------------------------------------------------------------------------

/// A scaling in bands, whichever it is.
struct Bands {
  Rational factor;               ///< s > 1
  std::int64_t original_length;  ///< n
  Rational fast;                 ///< pairs that turn more often are unchanged
  Rational slow;                 ///< pairs that turn less often are divided
  bool first_stays = false;      ///< a ramp over pair indices never starts before the first pair
  bool last_is_divided = false;  ///< if it is not unchanged
};

Bands bands_of(const RopeSpec& spec) {
  if (const auto* llama3 = std::get_if<Llama3Scaling>(&spec.scaling)) {
    return {llama3->factor, llama3->original_length, llama3->high_freq_factor, llama3->low_freq_factor};
  }
  if (const auto* yarn = std::get_if<YarnScaling>(&spec.scaling)) {
    const auto& ends = yarn->range.parameters();
    return {yarn->factor, yarn->original_length,
            ends.fast,    ends.slow,
            true,         yarn->clamp == YarnScaling::Clamp::pairs};
  }
  // The outer ramp is from 16 turns to 2. Where it ends the inner one goes from the NTK-aware base, which
  // divides the last pair by s, to division, from 5/4 turns to 3/4.
  const auto& parts = std::get<NtkByParts>(spec.scaling);
  return {parts.factor, parts.original_length, 16, Rational(3, 4), true};
}

/// n w / 2 pi: how often a pair turns within the trained length. Never exactly a rational, as w is algebraic.
/// \param index of a pair, or of one that a longer progression would have
Interval turns(const RopeSpec& spec, int index) {
  auto frequencies = spec.unscaled_frequencies();
  frequencies.pairs = index + 1;
  return enclose(bands_of(spec).original_length) * frequencies.at(index) / (2 * pi());
}

bool turns_more_than(const Rational& threshold, const RopeSpec& spec, int pair) {
  return decided_sign([&] { return Interval(turns(spec, pair) - enclose(threshold)); }).value() > 0;
}

/// Whether the ramp would begin beyond the index where its end is clamped: the fast threshold's index,
/// rounded down or not, lies beyond it. Then the whole head is divided. The indices go up to the dimensions,
/// and there need be no such pair.
bool begins_too_late(const RopeSpec& spec) {
  const auto* yarn = std::get_if<YarnScaling>(&spec.scaling);
  const bool by_parts = std::holds_alternative<NtkByParts>(spec.scaling);
  if (yarn == nullptr && !by_parts) {
    return false;
  }
  const bool by_pairs = yarn != nullptr && yarn->clamp == YarnScaling::Clamp::pairs;
  const bool truncate = by_parts || yarn->range.parameters().truncate;
  const int clamp = (by_pairs ? spec.pairs() : 2 * spec.pairs()) - 1;
  return turns_more_than(bands_of(spec).fast, spec, truncate ? clamp + 1 : clamp);
}

/// The band of a pair. Rounding YaRN's ends to whole pairs, the low one down and the high one up, moves no
/// pair from one band to another: an index is below c exactly if it is below what c is rounded up to.
PairTreatment defined_band(const RopeSpec& spec, int pair) {
  if (begins_too_late(spec)) {
    return PairTreatment::divided;
  }
  const auto bands = bands_of(spec);
  const bool last = pair + 1 == spec.pairs();
  if ((bands.first_stays && pair == 0) || turns_more_than(bands.fast, spec, pair)) {
    return PairTreatment::unchanged;
  }
  const bool by_base = std::holds_alternative<NtkByParts>(spec.scaling) && last;
  const Rational slow = by_base ? Rational(2) : bands.slow;
  return !turns_more_than(slow, spec, pair) || (bands.last_is_divided && last) ? PairTreatment::divided
                                                                               : PairTreatment::blended;
}

/// What an implementation multiplies a frequency by.
Interval band_multiplier(const Frequency& implementation, const RopeSpec& spec, int pair) {
  return implementation(spec, pair) / spec.unscaled_frequencies().at(pair);
}

const std::vector<std::string>& banded_types() {
  static const std::vector<std::string> types{"yarn", "llama3", "ntk_by_parts"};
  return types;
}

Generator<RopeSpec> banded_specs(const std::vector<std::string>& types) {
  return {[types](Dice& dice) { return rope_spec(drawn_rope(dice, types)); },
          [](const RopeSpec&) { return std::vector<RopeSpec>{}; }};
}

// The laws
// ------------------------------------------------------------------------------------------------------

/// Law: unchanged pairs keep their frequency, divided ones have it divided by s, and blended ones lie
/// strictly between.
CheckStatus bands_are_as_defined(const Frequency& implementation,
                                 const std::vector<std::string>& types = banded_types()) {
  auto classes = types;
  classes.insert(classes.end(), {"unchanged", "blended", "divided"});
  return status_of<RopeSpec>(
      "rope-bands/bands", banded_specs(types),
      [&](const RopeSpec& spec) {
        const WorkingPrecision scope(proof_precision);
        const Interval least = enclose(Rational(1 / bands_of(spec).factor));
        Judged judged{Outcome::holds, {type_of(spec)}};
        for (int pair = 0; pair < spec.pairs(); ++pair) {
          const Interval factor = band_multiplier(implementation, spec, pair);
          switch (defined_band(spec, pair)) {
            case PairTreatment::unchanged:
              judged.outcome = worse(judged.outcome, vanishes(factor - 1));
              judged.classes.emplace_back("unchanged");
              break;
            case PairTreatment::divided:
              judged.outcome = worse(judged.outcome, vanishes(factor - least));
              judged.classes.emplace_back("divided");
              break;
            case PairTreatment::blended:
              judged.outcome =
                  worse(judged.outcome, worse(is_positive(1 - factor), is_positive(factor - least)));
              judged.classes.emplace_back("blended");
              break;
          }
        }
        return judged;
      },
      classes);
}

/// Law: the slower a pair, the more it is divided: the multiplier never rises with the index.
CheckStatus slower_pairs_are_divided_more(const Frequency& implementation) {
  return status_of<RopeSpec>(
      "rope-bands/monotone", banded_specs(banded_types()),
      [&](const RopeSpec& spec) {
        const WorkingPrecision scope(proof_precision);
        Judged judged{Outcome::holds, {type_of(spec)}};
        for (int pair = 1; pair < spec.pairs(); ++pair) {
          const Interval fall =
              band_multiplier(implementation, spec, pair - 1) - band_multiplier(implementation, spec, pair);
          judged.outcome = worse(judged.outcome, is_not_negative(fall));
        }
        return judged;
      },
      banded_types());
}

/// Law: over three blended pairs in a row the multiplier is affine, in the turns (Llama 3) or in the pair
/// index (YaRN).
CheckStatus blends_are_affine(const Frequency& implementation, const std::string& type) {
  return status_of<RopeSpec>(
      "rope-bands/affine/" + type, banded_specs({type}),
      [&](const RopeSpec& spec) {
        const WorkingPrecision scope(proof_precision);
        const auto blended = [&](int pair) { return defined_band(spec, pair) == PairTreatment::blended; };
        const auto place = [&](int pair) {
          return type == "llama3" ? turns(spec, pair) : enclose(std::int64_t{pair});
        };
        const auto rise = [&](int pair) {
          return Interval(band_multiplier(implementation, spec, pair + 1) -
                          band_multiplier(implementation, spec, pair));
        };
        const auto step = [&](int pair) { return Interval(place(pair + 1) - place(pair)); };
        Judged judged;
        for (int pair = 0; pair + 2 < spec.pairs(); ++pair) {
          if (blended(pair) && blended(pair + 1) && blended(pair + 2)) {
            judged.outcome =
                worse(judged.outcome, vanishes(rise(pair) * step(pair + 1) - rise(pair + 1) * step(pair)));
            judged.classes = {"three blended"};
          }
        }
        return judged;
      },
      {"three blended"});
}

/// A pair, and the specs in which it turns a little less and a little more often than an edge of the bands.
struct Edge {
  RopeSpec below;
  RopeSpec above;
  int pair;
  bool fast;  ///< whether the edge is that of the unchanged pairs, else that of the divided ones
};

/// How far the edge is from the pair's turns, as a share of them.
constexpr double nearness = 0x1p-40;

enum class EdgeKind { blend, step };

/// The spec with this threshold at the pair's turns times `scale`; the other is `ratio` times as far for a
/// blend, and for a step (Llama 3 alone) the same.
RopeSpec with_edge(OrderedJson spec, bool fast, double edge, std::int64_t ratio) {
  auto& scaling = spec["rope_scaling"];
  const bool llama3 = scaling["rope_type"] == "llama3";
  const auto other = fast ? edge / static_cast<double>(ratio) : edge * static_cast<double>(ratio);
  scaling[llama3 ? "high_freq_factor" : "beta_fast"] = fast ? edge : other;
  scaling[llama3 ? "low_freq_factor" : "beta_slow"] = fast ? other : edge;
  return rope_spec(spec);
}

Generator<Edge> edges(const std::string& type, bool truncate, EdgeKind kind) {
  return {[=](Dice& dice) {
            auto json = drawn_rope(dice, type);
            json["rope_scaling"].erase("clamp");
            if (type == "yarn") {
              json["rope_scaling"]["truncate"] = truncate;
            }
            const auto spec = rope_spec(json);
            const int pair = static_cast<int>(dice.between(1, spec.pairs() - 1));
            const bool fast = dice.chance(50);
            const auto ratio = kind == EdgeKind::step ? 1 : dice.between(2, 32);
            const double place = middle(turns(spec, pair));
            return Edge{with_edge(json, fast, place * (1 + nearness), ratio),
                        with_edge(json, fast, place * (1 - nearness), ratio), pair, fast};
          },
          [](const Edge&) { return std::vector<Edge>{}; }};
}

/// Law: from both sides of an edge the multiplier goes to the same limit, 1 at the edge of the unchanged
/// pairs and 1/s at that of the divided ones.
///
/// How near it must be: where the thresholds are at least a factor of 2 apart, Llama 3's share at a distance
/// of e x from the edge x is at most e x / (high - low) <= e (at the slow edge) or 2 e (at the fast one).
/// YaRN's edge moves by e r / (2 ln b) pairs, at most 7 e for r <= 32 and b >= 10, and its ramp, from pair 1
/// or later on, is at least min(1, r ln 2 / (2 ln b)) long, so that the share is at most 7 e. Twice the
/// larger is required, as e is known to 2^-12 of itself.
CheckStatus blends_meet_the_bands(const Frequency& implementation, const Generator<Edge>& generator) {
  constexpr double allowed = 14 * nearness;
  return status_of<Edge>(
      "rope-bands/continuous", generator,
      [&](const Edge& edge) {
        const WorkingPrecision scope(proof_precision);
        Judged judged{Outcome::holds, {edge.fast ? "fast" : "slow"}};
        for (const auto& spec : {edge.below, edge.above}) {
          const Rational limit = edge.fast ? Rational(1) : Rational(1 / bands_of(spec).factor);
          const Interval gap = band_multiplier(implementation, spec, edge.pair) - enclose(limit);
          judged.outcome = worse(judged.outcome, greatest_magnitude(gap) <= allowed ? Outcome::holds
                                                 : least_magnitude(gap) > allowed   ? Outcome::fails
                                                                                    : Outcome::inconclusive);
        }
        return judged;
      },
      {"fast", "slow"});
}

// Broken variants
// ------------------------------------------------------------------------------------------------------

/// Divided where it should be unchanged and the other way round: 1 + 1/s less the multiplier.
Interval inverted_frequency(const RopeSpec& spec, int pair) {
  const Interval both = 1 + enclose(Rational(1 / bands_of(spec).factor));
  return unscaled_frequency(spec, pair) * (both - band_multiplier(reference_frequency, spec, pair));
}

/// The wavelength 2 pi / w is what is blended: divided by 1 + t (s - 1) instead of multiplied by
/// 1 - t (1 - 1/s).
Interval blended_wavelength(const RopeSpec& spec, int pair) {
  const auto factor = bands_of(spec).factor;
  const Interval share =
      (1 - band_multiplier(reference_frequency, spec, pair)) / enclose(Rational(1 - 1 / factor));
  return unscaled_frequency(spec, pair) / (1 + share * enclose(Rational(factor - 1)));
}

/// YaRN's ramp from one pair earlier than the last unchanged one.
Interval early_ramp_frequency(const RopeSpec& spec, int pair) {
  const auto& yarn = std::get<YarnScaling>(spec.scaling);
  if (yarn.treatment(spec.unscaled_frequencies(), pair) == PairTreatment::divided) {
    return reference_frequency(spec, pair);
  }
  const Interval low = yarn.range.low() - 1;
  const Interval share = (enclose(std::int64_t{pair}) - low) / (yarn.range.high() - low);
  const Interval begun =
      decided_sign([&] { return Interval(enclose(std::int64_t{pair + 1}) - yarn.range.low()); }).value() > 0
          ? share
          : enclose(std::int64_t{0});
  return unscaled_frequency(spec, pair) * (1 - begun * enclose(Rational(1 - 1 / yarn.factor)));
}

// ------------------------------------------------------------------------------------------------------

const Generator<Edge>& llama3_edges() {
  static const auto generator = edges("llama3", false, EdgeKind::blend);
  return generator;
}

const Generator<Edge>& yarn_edges() {
  static const auto generator = edges("yarn", false, EdgeKind::blend);
  return generator;
}

TEST(RopeBands, HoldOfTheReference) {
  EXPECT_EQ(bands_are_as_defined(reference_frequency), CheckStatus::holds);
  EXPECT_EQ(slower_pairs_are_divided_more(reference_frequency), CheckStatus::holds);
  EXPECT_EQ(blends_are_affine(reference_frequency, "llama3"), CheckStatus::holds);
  EXPECT_EQ(blends_are_affine(reference_frequency, "yarn"), CheckStatus::holds);
  EXPECT_EQ(blends_meet_the_bands(reference_frequency, llama3_edges()), CheckStatus::holds);
  EXPECT_EQ(blends_meet_the_bands(reference_frequency, yarn_edges()), CheckStatus::holds);
}

/// What the reference says of its pairs, beside what it does with them; and that a band follows another in
/// order.
TEST(RopeBands, AreToldByTheReference) {
  const auto told =
      status_of<RopeSpec>("rope-bands/told", banded_specs(banded_types()), [](const auto& spec) {
        const auto frequencies = spec.frequencies();
        Judged judged;
        PairTreatment before = PairTreatment::unchanged;
        for (int pair = 0; pair < spec.pairs(); ++pair) {
          const auto band = frequencies.scaled()->treatment(pair);
          const bool right = band == defined_band(spec, pair) && band >= before;
          judged.outcome = right ? judged.outcome : Outcome::fails;
          before = band;
        }
        return judged;
      });
  EXPECT_EQ(told, CheckStatus::holds);
}

TEST(RopeBands, CatchAnInvertedMask) {
  EXPECT_EQ(bands_are_as_defined(inverted_frequency), CheckStatus::fails);
  EXPECT_EQ(slower_pairs_are_divided_more(inverted_frequency), CheckStatus::fails);
  EXPECT_EQ(blends_meet_the_bands(inverted_frequency, llama3_edges()), CheckStatus::fails);
  EXPECT_EQ(blends_are_affine(inverted_frequency, "yarn"), CheckStatus::holds)
      << "affine still, but the other way";
}

TEST(RopeBands, CatchAScalingThatIsLeftOut) {
  EXPECT_EQ(bands_are_as_defined(unscaled_frequency), CheckStatus::fails);
  EXPECT_EQ(slower_pairs_are_divided_more(unscaled_frequency), CheckStatus::holds)
      << "nothing rises where nothing changes";
}

/// The fault that the bands' ends never show.
TEST(RopeBands, CatchBlendedWavelengthsByTheirBlendAlone) {
  EXPECT_EQ(blends_are_affine(blended_wavelength, "llama3"), CheckStatus::fails);
  EXPECT_EQ(blends_are_affine(blended_wavelength, "yarn"), CheckStatus::fails);
  EXPECT_EQ(bands_are_as_defined(blended_wavelength), CheckStatus::holds);
  EXPECT_EQ(slower_pairs_are_divided_more(blended_wavelength), CheckStatus::holds);
}

TEST(RopeBands, CatchARampOnePairEarly) {
  EXPECT_EQ(bands_are_as_defined(early_ramp_frequency, {"yarn"}), CheckStatus::fails);
  EXPECT_EQ(blends_meet_the_bands(early_ramp_frequency, yarn_edges()), CheckStatus::fails);
  EXPECT_EQ(blends_are_affine(early_ramp_frequency, "yarn"), CheckStatus::holds)
      << "affine still, but from another pair on";
}

/// The two exceptions that the definitions make themselves: one threshold for both edges is a step, and ends
/// rounded to whole pairs jump when a threshold passes a pair.
TEST(RopeBands, MeetInAStepWhereThereIsNoBlend) {
  EXPECT_EQ(blends_meet_the_bands(reference_frequency, edges("llama3", false, EdgeKind::step)),
            CheckStatus::fails);
  EXPECT_EQ(blends_meet_the_bands(reference_frequency, edges("yarn", true, EdgeKind::blend)),
            CheckStatus::fails);
}

}  // namespace
}  // namespace vernier
