// The laws of scaled rotary encodings that are about frequencies at a length: each proved on the reference by
// enclosures for drawn specs, and shown to fail on broken variants of the kind that people ship.

#include <algorithm>

#include <gtest/gtest.h>

#include "props/test/scaled_rope.hpp"

namespace vernier {
namespace {

// A stretched base
// ------------------------------------------------------------------------------------------------------

struct Lengthened {
  RopeSpec spec;
  std::int64_t longer;  ///< than the spec's sequence
};

Generator<Lengthened> lengthened_sequences(const std::vector<std::string>& types) {
  return {[types](Dice& dice) {
            const auto spec = rope_spec(drawn_rope(dice, types));
            const auto more = dice.chance(50) ? dice.between(0, 1 << 18) : dice.logarithmic(1 << 18);
            return Lengthened{spec, length_of(spec) + 1 + more};
          },
          [](const Lengthened&) { return std::vector<Lengthened>{}; }};
}

/// n, or where the scaling has none the model's stated context.
std::int64_t trained_length(const RopeSpec& spec) {
  return std::visit(
      [&spec](const auto& rule) -> std::int64_t {
        if constexpr (requires { rule.original_length; }) {
          return rule.original_length;
        } else {
          return spec.max_position_embeddings.value();
        }
      },
      spec.scaling);
}

/// alpha from the definitions: given; 1 + s (L - n)/n beyond n; 2^(k+1) - 1 beyond n, with the least k for
/// which 2^k n reaches L.
Rational defined_stretch(const RopeSpec& spec) {
  if (const auto* ntk = std::get_if<StaticNtk>(&spec.scaling)) {
    return ntk->stretch;
  }
  const auto excess = length_of(spec) - trained_length(spec);
  if (excess <= 0) {
    return 1;
  }
  if (const auto* dynamic = std::get_if<DynamicNtk>(&spec.scaling)) {
    return 1 + dynamic->factor * Rational(excess, trained_length(spec));
  }
  std::int64_t reach = 1;
  while (trained_length(spec) * reach < length_of(spec)) {
    reach *= 2;
  }
  return 2 * reach - 1;
}

const std::vector<std::string>& dynamic_types() {
  static const std::vector<std::string> types{"dynamic", "dynamic_qwen"};
  return types;
}

/// Law: up to the trained length the frequencies are those of plain RoPE.
CheckStatus unchanged_within_the_trained_length(const Frequency& implementation) {
  return status_of<Lengthened>(
      "rope-scaling/within", lengthened_sequences(dynamic_types()),
      [&](const Lengthened& drawn) {
        const WorkingPrecision scope(proof_precision);
        // Every drawn model, at a length that it was trained with.
        const auto spec = at_length(drawn.spec, std::min(length_of(drawn.spec), trained_length(drawn.spec)));
        Outcome outcome = Outcome::holds;
        for (int pair = 0; pair < spec.pairs(); ++pair) {
          outcome = worse(outcome, vanishes(implementation(spec, pair) - unscaled_frequency(spec, pair)));
        }
        return judged(outcome, spec);
      },
      dynamic_types());
}

/// Law: the first pair stays, the last is divided by alpha, and where alpha > 1 every pair but the first is
/// slower than without scaling.
CheckStatus the_base_is_stretched(const Frequency& implementation) {
  const std::vector<std::string> types{"ntk", "dynamic", "dynamic_qwen"};
  return status_of<Lengthened>(
      "rope-scaling/stretch", lengthened_sequences(types),
      [&](const Lengthened& drawn) {
        const WorkingPrecision scope(proof_precision);
        const auto& spec = drawn.spec;
        const auto alpha = defined_stretch(spec);
        const int last = spec.pairs() - 1;
        const auto lost = [&](int pair) {
          return Interval(unscaled_frequency(spec, pair) - implementation(spec, pair));
        };
        Outcome outcome = worse(vanishes(lost(0)), vanishes(implementation(spec, last) * enclose(alpha) -
                                                            unscaled_frequency(spec, last)));
        for (int pair = 1; pair <= last; ++pair) {
          outcome = worse(outcome, alpha > 1 ? is_positive(lost(pair)) : vanishes(lost(pair)));
        }
        return judged(outcome, spec);
      },
      types);
}

/// Law: a longer sequence never has a faster pair; with Hugging Face's rule every pair but the first is
/// slower once the sequence is longer than the trained length.
CheckStatus longer_is_slower(const Frequency& implementation) {
  return status_of<Lengthened>(
      "rope-scaling/monotone", lengthened_sequences(dynamic_types()),
      [&](const Lengthened& drawn) {
        const WorkingPrecision scope(proof_precision);
        const bool strictly = type_of(drawn.spec) == "dynamic" && drawn.longer > trained_length(drawn.spec);
        Outcome outcome = Outcome::holds;
        for (int pair = 0; pair < drawn.spec.pairs(); ++pair) {
          const Interval lost =
              implementation(drawn.spec, pair) - implementation(at_length(drawn.spec, drawn.longer), pair);
          outcome = worse(outcome, strictly && pair > 0 ? is_positive(lost) : is_not_negative(lost));
        }
        return judged(outcome, drawn.spec);
      },
      dynamic_types());
}

/// After an input of four times the trained length, whose frequencies stay.
Interval never_shrinking_frequency(const RopeSpec& spec, int pair) {
  return reference_frequency(at_length(spec, std::max(length_of(spec), 4 * trained_length(spec))), pair);
}

/// Computed once, for the longest sequence that will be served.
Interval frequency_of_the_longest(const RopeSpec& spec, int pair) {
  return reference_frequency(at_length(spec, 8 * trained_length(spec)), pair);
}

/// The tokens of the last forward pass are counted, not those in the cache before them.
Interval frequency_of_the_last_chunk(const RopeSpec& spec, int pair) {
  const auto chunk = 2 * trained_length(spec);
  return reference_frequency(at_length(spec, (length_of(spec) - 1) % chunk + 1), pair);
}

TEST(StretchedBase, HoldsOfTheReference) {
  EXPECT_EQ(unchanged_within_the_trained_length(reference_frequency), CheckStatus::holds);
  EXPECT_EQ(the_base_is_stretched(reference_frequency), CheckStatus::holds);
  EXPECT_EQ(longer_is_slower(reference_frequency), CheckStatus::holds);
}

TEST(StretchedBase, CatchesOneThatNeverShrinks) {
  EXPECT_EQ(unchanged_within_the_trained_length(never_shrinking_frequency), CheckStatus::fails);
  EXPECT_EQ(the_base_is_stretched(never_shrinking_frequency), CheckStatus::fails);
}

TEST(StretchedBase, CatchesOneForTheLongestSequence) {
  EXPECT_EQ(unchanged_within_the_trained_length(frequency_of_the_longest), CheckStatus::fails);
  EXPECT_EQ(the_base_is_stretched(frequency_of_the_longest), CheckStatus::fails);
  EXPECT_EQ(longer_is_slower(frequency_of_the_longest), CheckStatus::inconclusive)
      << "equal frequencies cannot be proved to be in order, nor out of order";
}

TEST(StretchedBase, CatchesALengthThatStartsAnew) {
  EXPECT_EQ(longer_is_slower(frequency_of_the_last_chunk), CheckStatus::fails);
  EXPECT_EQ(the_base_is_stretched(frequency_of_the_last_chunk), CheckStatus::fails);
  EXPECT_EQ(unchanged_within_the_trained_length(frequency_of_the_last_chunk), CheckStatus::holds)
      << "the first chunk is the whole sequence";
}

// LongRoPE's two lists
// ------------------------------------------------------------------------------------------------------

/// Law: w_i is divided by the long list's divisor if L > n, else by the short list's.
CheckStatus the_length_chooses_the_list(const Frequency& implementation) {
  const auto relation = [](const RopeSpec& spec) -> std::string {
    const auto excess = length_of(spec) - trained_length(spec);
    return excess < 0 ? "shorter" : excess == 0 ? "on the switch" : "longer";
  };
  return status_of<Lengthened>(
      "rope-scaling/longrope", lengthened_sequences({"longrope"}),
      [&](const Lengthened& drawn) {
        const WorkingPrecision scope(proof_precision);
        const auto& spec = drawn.spec;
        const auto& rule = std::get<LongRopeScaling>(spec.scaling);
        const auto& list = relation(spec) == "longer" ? rule.long_factor : rule.short_factor;
        Outcome outcome = Outcome::holds;
        for (int pair = 0; pair < spec.pairs(); ++pair) {
          const Interval restored =
              implementation(spec, pair) * enclose(list[static_cast<std::size_t>(pair)]);
          outcome = worse(outcome, vanishes(restored - unscaled_frequency(spec, pair)));
        }
        return Judged{outcome, {relation(spec)}};
      },
      {"shorter", "on the switch", "longer"});
}

/// Long from the trained length on: one token too early.
Interval frequency_of_an_early_switch(const RopeSpec& spec, int pair) {
  return reference_frequency(at_length(spec, length_of(spec) + 1), pair);
}

Interval frequency_of_the_stated_context(const RopeSpec& spec, int pair) {
  return reference_frequency(at_length(spec, *spec.max_position_embeddings), pair);
}

TEST(LongRope, IsChosenByTheLength) {
  EXPECT_EQ(the_length_chooses_the_list(reference_frequency), CheckStatus::holds);
}

TEST(LongRope, CatchesASwitchOneTokenEarly) {
  EXPECT_EQ(the_length_chooses_the_list(frequency_of_an_early_switch), CheckStatus::fails);
}

TEST(LongRope, CatchesAListChosenByTheStatedContext) {
  EXPECT_EQ(the_length_chooses_the_list(frequency_of_the_stated_context), CheckStatus::fails);
}

}  // namespace
}  // namespace vernier
