// RoPE scalings against worked numbers: those that papers, model cards and configurations can be checked by.

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::Not;

RopeSpec rope_scaled_by(const std::string& parameters) {
  return dynamic_cast<const RopeEncoding&>(*parsed(R"({"scheme": "rope", )" + parameters + "}")).parameters();
}

std::string scaling_refusal(const std::string& parameters) {
  return refusal_of([&] { rope_scaled_by(parameters); });
}

std::string amplitude_of(const RopeSpec& spec, int places) {
  return decimal([&] { return spec.amplitude().enclosed(); }, places);
}

const YarnScaling& yarn(const RopeSpec& spec) {
  return std::get<YarnScaling>(spec.scaling);
}

std::array<int, 3> bands(const RopeSpec& spec) {
  std::array<int, 3> count{};
  const auto frequencies = spec.frequencies();
  for (int pair = 0; pair < spec.pairs(); ++pair) {
    ++count[static_cast<std::size_t>(frequencies.scaled()->treatment(pair))];
  }
  return count;
}

constexpr auto deepseek_v3 = R"("head_dim": 64, "layout": "interleaved", "rope_scaling": {"type": "yarn",
    "factor": 40, "original_max_position_embeddings": 4096, "mscale": 1.0, "mscale_all_dim": 1.0})";
constexpr auto gpt_oss = R"("head_dim": 64, "rope_theta": 150000, "rope_scaling": {"rope_type": "yarn",
    "factor": 32, "original_max_position_embeddings": 4096, "truncate": false})";
constexpr auto llama_31_8b = R"("head_dim": 128, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3",
    "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192})";
constexpr auto llama_32_1b = R"("head_dim": 64, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3",
    "factor": 32, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192})";

std::string longrope(const std::string& length, const std::string& more = "") {
  return R"("head_dim": 4, "max_position_embeddings": 131072, )" + length + R"("rope_scaling": {"type": "su",
      "short_factor": [1, 1.5], "long_factor": [2, 64.81], "original_max_position_embeddings": 4096)" +
         more + "}";
}

TEST(RopeScaling, DynamicNtkChangesNothingWithinTheTrainedLength) {
  const auto at = [](const std::string& length) {
    return rope_scaled_by(R"("head_dim": 64, "max_position_embeddings": 4096, )" + length +
                          R"("rope_scaling": {"type": "dynamic", "factor": 2})");
  };
  for (const auto* length : {"", R"("sequence_length": 17, )", R"("sequence_length": 4096, )"}) {
    EXPECT_EQ(bands(at(length)), (std::array{32, 0, 0})) << length;
  }
  EXPECT_EQ(bands(at(R"("sequence_length": 4097, )")), (std::array{1, 30, 1}));
}

TEST(RopeScaling, NtkDividesTheLastPairExactly) {
  const auto spec = rope_scaled_by(R"("head_dim": 80, "rope_scaling": {"rope_type": "ntk", "alpha": 10})");
  const auto frequencies = spec.frequencies();
  const WorkingPrecision precision(128);
  EXPECT_TRUE(frequencies.is_one(0));
  EXPECT_TRUE(contains(frequencies.scaled()->multiplier(39), Rational(1, 10)));
  EXPECT_EQ(radius(frequencies.scaled()->multiplier(39)) < 0x1p-120, true);
}

TEST(RopeScaling, YarnRangeOfGptOss) {
  const auto spec = rope_scaled_by(gpt_oss);
  EXPECT_EQ(decimal([&] { return yarn(spec).range.low(); }, 4), "8.0928");
  EXPECT_EQ(decimal([&] { return yarn(spec).range.high(); }, 4), "17.3980");
  EXPECT_FALSE(yarn(spec).range.rational());
  EXPECT_EQ(bands(spec), (std::array{9, 9, 14}));
}

TEST(RopeScaling, YarnRangeIsRationalWhereBothEndsAre) {
  auto text = std::string(gpt_oss);
  text.replace(text.find("4096"), 4, "64");
  const auto spec = rope_scaled_by(text);
  EXPECT_EQ(decimal([&] { return yarn(spec).range.low(); }, 4), "0.0000") << "no pair turns 32 times";
  EXPECT_GT(middle(yarn(spec).range.high()), 1);
  EXPECT_FALSE(yarn(spec).range.rational());
}

TEST(RopeScaling, YarnTruncatesOutward) {
  auto text = std::string(gpt_oss);
  text.replace(text.find("false"), 5, "true");
  const auto spec = rope_scaled_by(text);
  EXPECT_EQ(decimal([&] { return yarn(spec).range.low(); }, 1), "8.0");
  EXPECT_EQ(decimal([&] { return yarn(spec).range.high(); }, 1), "18.0");
  EXPECT_TRUE(yarn(spec).range.rational());
}

TEST(RopeScaling, YarnRampIsOnePairWideWhereBothTurnsAgree) {
  const auto spec =
      rope_scaled_by(R"("head_dim": 64, "rope_theta": 50000, "rope_scaling": {"type": "yarn", "factor": 32,
      "original_max_position_embeddings": 4096, "beta_fast": 1, "beta_slow": 1})");
  EXPECT_EQ(decimal([&] { return Interval(yarn(spec).range.high() - yarn(spec).range.low()); }, 1), "1.0");
  EXPECT_EQ(bands(spec)[1], 0);
  const auto step =
      rope_scaled_by(R"("head_dim": 64, "rope_theta": 50000, "rope_scaling": {"type": "yarn", "factor": 32,
      "original_max_position_embeddings": 4096, "beta_fast": 1, "beta_slow": 1, "truncate": false})");
  EXPECT_EQ(decimal([&] { return Interval(yarn(step).range.high() - yarn(step).range.low()); }, 4), "0.0010");
  EXPECT_EQ(bands(step), bands(spec));
}

TEST(RopeScaling, YarnAmplitudes) {
  EXPECT_TRUE(rope_scaled_by(deepseek_v3).amplitude().is_one())
      << "mscale over mscale_all_dim, which are equal";
  EXPECT_EQ(amplitude_of(rope_scaled_by(gpt_oss), 5), "1.34657");
  EXPECT_EQ(amplitude_of(
                rope_scaled_by(R"("head_dim": 128, "rope_theta": 1000000, "max_position_embeddings": 131072,
      "rope_scaling": {"rope_type": "yarn", "factor": null, "original_max_position_embeddings": 32768})"),
                5),
            "1.13863")
      << "0.1 ln 4 + 1, the factor from the lengths";
  const auto given = rope_scaled_by(R"("head_dim": 128, "rope_scaling": {"rope_type": "yarn", "factor": 8,
      "original_max_position_embeddings": 8192, "attention_factor": 1.2079441541679836})");
  EXPECT_EQ(given.amplitude(), Amplitude(*parse_rational("1.2079441541679836")));
}

TEST(RopeScaling, YarnTakesOneScaleAloneForNone) {
  for (const auto* scale :
       {R"("mscale": 0.707)", R"("mscale_all_dim": 0.707)", R"("mscale": 0.707, "mscale_all_dim": 0)",
        R"("mscale": 0, "mscale_all_dim": 0.707)"}) {
    const auto spec =
        rope_scaled_by(std::string(R"("head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 40,
        "original_max_position_embeddings": 4096, )") +
                       scale + "}");
    EXPECT_EQ(amplitude_of(spec, 5), "1.36889") << scale;
  }
}

/// Whatever else they say: every band would be divided by one, or blended with it.
TEST(RopeScaling, ByOneChangesNoPair) {
  for (const auto* rule :
       {R"("rope_type": "yarn", "factor": 1, "original_max_position_embeddings": 512)",
        R"("rope_type": "ntk_by_parts", "factor": 1, "original_max_position_embeddings": 512)",
        R"("rope_type": "ntk_mixed", "factor": 1)",
        R"("rope_type": "llama3", "factor": 1, "low_freq_factor": 1, "high_freq_factor": 4,
           "original_max_position_embeddings": 512)"}) {
    const auto spec = rope_scaled_by(std::string(R"("head_dim": 32, "rope_scaling": {)") + rule + "}");
    EXPECT_EQ(bands(spec), (std::array{16, 0, 0})) << rule;
    EXPECT_TRUE(spec.amplitude().is_one()) << rule;
    const WorkingPrecision precision(128);
    for (int pair = 0; pair < 16; ++pair) {
      EXPECT_TRUE(contains(spec.frequencies().scaled()->multiplier(pair), 1)) << rule << ", " << pair;
    }
  }
}

TEST(RopeScaling, SaysWhatIsNotUsual) {
  const auto summary_of = [](const std::string& parameters) {
    return RopeEncoding(rope_scaled_by(parameters)).summary();
  };
  const auto yarn_by = [&](const std::string& more) {
    return summary_of(R"("head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 40,
        "original_max_position_embeddings": 4096)" +
                      more + "}");
  };
  EXPECT_THAT(yarn_by(R"(, "extrapolation_factor": 0.5)"),
              HasSubstr("turns 32 to 1, extrapolation factor 0.5"));
  EXPECT_THAT(yarn_by(R"(, "truncate": false)"), HasSubstr("turns 32 to 1, not truncated"));
  EXPECT_THAT(yarn_by(""), Not(HasSubstr("extrapolation")));
  EXPECT_THAT(summary_of(longrope(R"("sequence_length": 4096, )")),
              HasSubstr("4096 trained, exactly on the switch"));
  EXPECT_THAT(summary_of(longrope(R"("sequence_length": 4097, )")), Not(HasSubstr("switch")));
  const auto qwen = [&](int length) {
    return summary_of(
        R"("head_dim": 128, "sequence_length": )" + std::to_string(length) +
        R"(, "rope_scaling": {"rope_type": "dynamic_qwen", "original_max_position_embeddings": 2048})");
  };
  for (const int length : {4096, 8192}) {
    EXPECT_THAT(qwen(length), HasSubstr("exactly on an edge of the rule")) << length;
  }
  for (const int length : {1024, 2048, 4097, 6144}) {
    EXPECT_THAT(qwen(length), Not(HasSubstr("edge"))) << length;
  }
}

TEST(RopeScaling, BandsOfLlama3) {
  EXPECT_EQ(bands(rope_scaled_by(llama_31_8b)), (std::array{29, 6, 29}));
  EXPECT_EQ(bands(rope_scaled_by(llama_32_1b)), (std::array{15, 3, 14}));
}

TEST(RopeScaling, Llama3BlendsNothingBetweenEqualThresholds) {
  const auto spec =
      rope_scaled_by(R"("head_dim": 128, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3",
      "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1, "original_max_position_embeddings": 8192})");
  EXPECT_EQ(bands(spec)[1], 0);
  EXPECT_EQ(bands(spec)[0] + bands(spec)[2], 64);
}

TEST(RopeScaling, LongRopeSwitchesBeyondTheTrainedLength) {
  const auto divisor = [](const std::string& length) {
    return std::get<LongRopeScaling>(rope_scaled_by(longrope(length)).scaling).divisors()[1];
  };
  EXPECT_EQ(divisor(R"("sequence_length": 4096, )"), Rational(3, 2)) << "exactly on the switch: short";
  EXPECT_EQ(divisor(R"("sequence_length": 4097, )"), Rational(6481, 100));
  EXPECT_EQ(divisor(""), Rational(6481, 100)) << "the whole context where no length is said";
}

TEST(RopeScaling, AmplitudeOfPhi3) {
  EXPECT_EQ(amplitude_of(rope_scaled_by(longrope("")), 5), "1.19024");
  EXPECT_EQ(rope_scaled_by(longrope("", R"(, "short_mscale": 1.5, "long_mscale": 1.25)")).amplitude(),
            Amplitude(Rational(5, 4)));
  EXPECT_EQ(rope_scaled_by(longrope("", R"(, "long_mscale": 1.25, "attention_factor": 1.5)")).amplitude(),
            Amplitude(Rational(3, 2)));
}

TEST(RopeScaling, ProportionalKeepsTheWholeHead) {
  const auto spec = rope_scaled_by(R"("head_dim": 512, "rope_theta": 1000000, "partial_rotary_factor": 0.25,
      "rope_scaling": {"rope_type": "proportional"})");
  EXPECT_EQ(spec.pairs(), 256);
  EXPECT_EQ(spec.dimensions(3), (std::pair{3, 259}));
  const auto frequencies = spec.frequencies();
  const auto whole = rope_scaled_by(R"("head_dim": 512, "rope_theta": 1000000)").frequencies();
  const WorkingPrecision precision(128);
  EXPECT_TRUE(contains_zero(Interval(frequencies.at(63) - whole.at(63))));
  EXPECT_GT(least_magnitude(frequencies.at(63)), 0);
  EXPECT_EQ(greatest_magnitude(frequencies.at(64)), 0);
  const auto part =
      rope_scaled_by(R"("head_dim": 512, "rope_theta": 1000000, "partial_rotary_factor": 0.25)");
  EXPECT_EQ(part.pairs(), 64);
  EXPECT_EQ(part.dimensions(3), (std::pair{3, 67}));
}

TEST(RopeScaling, PartialRotaryFactorRoundsDown) {
  EXPECT_EQ(rope_scaled_by(R"("head_dim": 192, "partial_rotary_factor": 0.334)").rotary_dim(), 64)
      << "of 64.128";
  EXPECT_EQ(rope_scaled_by(R"("head_dim": 100, "rotary_dim": 30)").rotary_dim(), 30);
}

TEST(RopeScaling, RefusesWhatContradictsItself) {
  EXPECT_THAT(scaling_refusal(R"("head_dim": 64, "rope_scaling": {"type": "linear"})"),
              HasSubstr("rope_scaling.factor: missing, expected a number from 1 to 1e6"));
  EXPECT_THAT(scaling_refusal(R"("head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 4})"),
              HasSubstr("rope_scaling.original_max_position_embeddings: missing"));
  EXPECT_THAT(scaling_refusal(R"("head_dim": 64, "rope_scaling": {"type": "yarn", "factor": 4,
                  "original_max_position_embeddings": 4096, "beta_fast": 1, "beta_slow": 32})"),
              HasSubstr("rope_scaling.beta_fast: found 1, expected more turns than beta_slow's 32"));
  EXPECT_THAT(
      scaling_refusal(R"("head_dim": 64, "max_position_embeddings": 2048, "rope_scaling": {"type": "yarn",
                  "original_max_position_embeddings": 4096})"),
      HasSubstr("expected at most max_position_embeddings, 2048"));
  EXPECT_THAT(
      scaling_refusal(R"("head_dim": 64, "rope_scaling": {"type": "llama3", "factor": 8, "low_freq_factor": 4,
                  "high_freq_factor": 1, "original_max_position_embeddings": 8192})"),
      HasSubstr("rope_scaling.low_freq_factor: found 4, expected at most high_freq_factor, which is 1"));
  EXPECT_THAT(scaling_refusal(R"("head_dim": 64, "rope_scaling": {"type": "dynamic", "factor": 2})"),
              HasSubstr("original_max_position_embeddings: missing"));
  EXPECT_THAT(
      scaling_refusal(R"("head_dim": 8, "max_position_embeddings": 8, "rope_scaling": {"type": "longrope",
                  "short_factor": [1, 1, 1], "long_factor": [1, 1, 1, 1]})"),
      HasSubstr("short_factor: found an array, expected an array of 4 numbers above 0"));
  EXPECT_THAT(scaling_refusal(R"("head_dim": 64, "rotary_dim": 32, "partial_rotary_factor": 0.5)"),
              HasSubstr("rotary_dim: found 32, expected either it or partial_rotary_factor, not both"));
  EXPECT_THAT(
      scaling_refusal(R"("head_dim": 64, "rope_scaling": {"type": "mrope", "mrope_section": [8, 8, 8]})"),
      HasSubstr("mrope_section: found an array, expected three numbers of pairs that add up to 32"));
  EXPECT_THAT(scaling_refusal(R"("head_dim": 2, "rope_scaling": {"type": "ntk", "alpha": 8})"),
              HasSubstr("expected at least 4 rotating dimensions"));
}

}  // namespace
}  // namespace vernier
