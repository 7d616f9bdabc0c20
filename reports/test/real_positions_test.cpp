// Tables at positions that are no integers, computed here as the codes compute them: diffusers' timestep
// embeddings, DINOv3's normalised coordinates, Deformable DETR's. Honest ones conform, and what is known to
// go wrong does not.

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

float in_bfloat16(float value) {
  return static_cast<float>(round_to(Format::bfloat16, value));
}

/// get_timestep_embedding() of diffusers, src/diffusers/models/embeddings.py, in float32 throughout.
struct Timesteps {
  int width = 64;
  bool flip = true;
  float shift = 0;
  float scale = 1;
  std::function<float(float)> position = [](float t) { return t; };
  std::function<float(float)> phase = [](float f) { return f; };

  void row(float t, std::vector<double>& out) const {
    const int half = width / 2;
    std::vector<float> phases;
    for (int j = 0; j < half; ++j) {
      const float exponent = -std::log(10000.0F) * static_cast<float>(j) / (static_cast<float>(half) - shift);
      phases.push_back(phase(scale * (position(t) * std::exp(exponent))));
    }
    for (const bool is_sine : {!flip, flip}) {
      for (const float f : phases) {
        out.push_back(is_sine ? std::sin(f) : std::cos(f));
      }
    }
    out.resize(out.size() + static_cast<std::size_t>(width % 2));
  }
};

std::string spec_of(const Timesteps& made) {
  return fmt::format(
      R"({{"scheme":"sinusoidal","d_model":{},"layout":"halves","order":"{}","downscale_freq_shift":{},"position_scale":{}}})",
      made.width, made.flip ? "cos_sin" : "sin_cos", made.shift, made.scale);
}

/// n values from 0 to 1, both ends included: sigmas.
std::vector<float> sigmas(int count) {
  std::vector<float> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(static_cast<float>(i) / static_cast<float>(count - 1));
  }
  return result;
}

Tensor floats(const std::vector<float>& values) {
  return tensor_of(Format::binary32, {values.size()}, std::vector<double>(values.begin(), values.end()));
}

Verdict judged(const std::string& spec, Tensor encoding, std::optional<Tensor> positions,
               const std::string& role = "encoding") {
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  parts.tensors.emplace(role, NamedTensor{role + ".npy", std::move(encoding)});
  if (positions) {
    parts.tensors.emplace("positions", NamedTensor{"positions.npy", *std::move(positions)});
  }
  const auto made = assemble_case(parts, parsed(spec));
  return validate(made, "");
}

Verdict judged(const std::string& spec, const Timesteps& made, const std::vector<float>& positions) {
  std::vector<double> values;
  for (const float t : positions) {
    made.row(t, values);
  }
  return judged(spec,
                tensor_of(Format::binary32, {positions.size(), static_cast<std::size_t>(made.width)}, values),
                floats(positions));
}

std::string sentences(const Verdict& verdict) {
  std::string text;
  for (const auto& one : verdict.diagnosis) {
    text += one.is_explained() ? sentence_of(one.explanations.front()) + "\n" : one.roles + " unexplained\n";
  }
  return text;
}

TEST(RealPositions, HonestTimestepEmbeddingsConform) {
  for (const float shift : {0.0F, 1.0F}) {
    for (const float scale : {1.0F, 1000.0F}) {
      for (const int width : {64, 65, 320}) {
        const Timesteps made{.width = width, .flip = shift == 0, .shift = shift, .scale = scale};
        const auto verdict = judged(spec_of(made), made, sigmas(101));
        EXPECT_EQ(exit_code(verdict), 0) << spec_of(made) << "\n" << sentences(verdict);
      }
    }
  }
  const Timesteps plain{.width = 320};
  std::vector<float> steps;
  for (int i = 0; i < 1000; ++i) {
    steps.push_back(static_cast<float>(i) + 0.5F);
  }
  EXPECT_EQ(exit_code(judged(spec_of(plain), plain, steps)), 0);
}

TEST(RealPositions, WrongTimestepEmbeddingsDoNotConform) {
  const Timesteps honest{.scale = 1000};
  const auto spec = spec_of(honest);
  auto other = honest;
  other.shift = 1;
  EXPECT_EQ(exit_code(judged(spec, other, sigmas(101))), 1) << "tensor2tensor's exponents";
  other = honest;
  other.flip = false;
  EXPECT_EQ(exit_code(judged(spec, other, sigmas(101))), 1) << "the sines first";
  other = honest;
  other.scale = 1;
  EXPECT_EQ(exit_code(judged(spec, other, sigmas(101))), 1) << "not scaled";
  other = honest;
  other.position = [](float t) { return t + 1 / 1000.0F; };
  EXPECT_EQ(exit_code(judged(spec, other, sigmas(101))), 1) << "counted from 1";
  other = honest;
  other.phase = in_bfloat16;
  EXPECT_EQ(exit_code(judged(spec, other, sigmas(101))), 1) << "phases in bfloat16";
}

/// Flux: 1000 t is rounded to bfloat16, 937 to 936. The contract float32 calls that an error, by its name.
/// At half steps, so that places are no positions.
TEST(RealPositions, TheOtherExponentsOfTimestepsAreNamed) {
  const Timesteps honest{.width = 320};
  auto other = honest;
  other.shift = 1;
  std::vector<float> steps;
  for (int i = 0; i < 1000; ++i) {
    steps.push_back(static_cast<float>(i) / 2);
  }
  const auto verdict = judged(spec_of(honest), other, steps);
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(sentences(verdict), HasSubstr("the exponents are i/159, not i/160"));
  EXPECT_THAT(verdict.diagnosis.front().explanations.front().consequence,
              HasSubstr("Two equal vectors 205 tokens apart score "));
}

TEST(RealPositions, ATimestepRoundedToBfloat16IsNamed) {
  const Timesteps honest{.scale = 1000};
  auto rounded = honest;
  rounded.scale = 1;
  rounded.position = [](float t) { return in_bfloat16(1000 * t); };
  const auto verdict = judged(spec_of(honest), rounded, sigmas(101));
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(sentences(verdict), HasSubstr("positions are rounded to bfloat16"));
  // Given the rounded number, there is nothing wrong.
  auto given = sigmas(101);
  for (auto& t : given) {
    t = in_bfloat16(1000 * t);
  }
  EXPECT_EQ(exit_code(judged(spec_of(Timesteps{}), Timesteps{}, given)), 0);
}

TEST(RealPositions, AreToldAsTheyWereGiven) {
  const Timesteps honest;
  auto wrong = honest;
  wrong.position = [](float t) { return t == 1.5F ? 1.75F : t; };
  const auto verdict = judged(spec_of(honest), wrong, {0.5F, 1.0F, 1.5F, 2.0F});
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(rows_text(verdict), HasSubstr("positions 0.5 to 2"));
  int told = 0;
  for (const auto& check : verdict.checks) {
    if (check.worst && check.status == Status::fail) {
      EXPECT_EQ(check.worst->position_text(), "1.5");
      ++told;
    }
  }
  EXPECT_GT(told, 0);
}

/// DINOv3: coordinates 2 (i + 1/2)/N - 1, angles 2 pi c / period. dinov3/layers/rope_position_encoding.py
std::vector<double> coordinates(int side, const std::function<float(int)>& coordinate) {
  std::vector<double> values;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < 16; ++j) {
      const float period = std::pow(100.0F, 2 * static_cast<float>(j) / 32);
      values.push_back(std::cos(2 * std::numbers::pi_v<float> * coordinate(i) / period));
    }
  }
  return values;
}

TEST(RealPositions, NormalisedCoordinates) {
  for (const int side : {7, 14, 16, 37}) {
    const auto spec = fmt::format(
        R"({{"scheme":"rope","head_dim":32,"rope_theta":100,"frequency_scale":"2pi","position_scale":"2/{0}","position_offset":"{1}/{0}"}})",
        side, 1 - side);
    const auto verdict_of = [&](const std::function<float(int)>& coordinate) {
      return judged(
          spec,
          tensor_of(Format::binary32, {static_cast<std::size_t>(side), 16}, coordinates(side, coordinate)),
          std::nullopt, "cos");
    };
    const auto n = static_cast<float>(side);
    const auto honest = [&](int i) { return 2 * ((static_cast<float>(i) + 0.5F) / n) - 1; };
    EXPECT_EQ(exit_code(verdict_of(honest)), 0) << side;
    const bool are_bfloat16 = side == 16;  // odd multiples of 1/16
    EXPECT_EQ(exit_code(verdict_of([&](int i) { return in_bfloat16(honest(i)); })), are_bfloat16 ? 0 : 1)
        << side;
    EXPECT_EQ(exit_code(verdict_of([&](int i) { return 2 * static_cast<float>(i) / (n - 1) - 1; })), 1)
        << side << ": both ends included";
    EXPECT_EQ(exit_code(verdict_of([&](int i) { return 2 * (static_cast<float>(i) / n) - 1; })), 1)
        << side << ": corners, not centres";
  }
}

/// Deformable DETR: (c - 1/2)/(n + 1e-6) 2 pi, rows counted from 1; the eps is none for n of 32 and more.
TEST(RealPositions, PositionsTimesPi) {
  constexpr int side = 33;
  std::vector<double> values;
  for (int c = 1; c <= side; ++c) {
    const float x =
        (static_cast<float>(c) - 0.5F) / (static_cast<float>(side) + 1e-6F) * (2 * std::numbers::pi_v<float>);
    for (int j = 0; j < 128; ++j) {
      const float f = x / std::pow(10000.0F, static_cast<float>(j - j % 2) / 128);
      values.push_back(j % 2 == 0 ? std::sin(f) : std::cos(f));
    }
  }
  const auto spec_with = [](const std::string& offset) {
    return R"({"scheme":"sinusoidal","d_model":128,"first_position":1,"position_scale":"2pi/33","position_offset":")" +
           offset + R"("})";
  };
  const auto table = tensor_of(Format::binary32, {side, 128}, values);
  EXPECT_EQ(exit_code(judged(spec_with("-pi/33"), table, std::nullopt)), 0);
  EXPECT_EQ(exit_code(judged(spec_with("-2pi/33"), table, std::nullopt)), 1);
}

std::string refusal(const std::string& spec, const std::vector<float>& positions) {
  return refusal_of([&] {
    judged(spec,
           tensor_of(Format::binary32, {positions.size(), 8}, std::vector<double>(8 * positions.size())),
           floats(positions));
  });
}

TEST(RealPositions, BadOnesAreOneSentence) {
  const std::string sines = R"({"scheme":"sinusoidal","d_model":8})";
  constexpr float infinite = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      refusal(sines, {0, std::nanf("")}),
      AllOf(HasSubstr("positions.npy: positions: found element 1 to be"), HasSubstr("a finite number")));
  EXPECT_THAT(refusal(sines, {infinite}), HasSubstr("found element 0 to be inf, expected a finite number"));
  EXPECT_THAT(refusal(sines, {1, 2, 1e-40F}), AllOf(HasSubstr("element 2"), HasSubstr("denormal")));
  EXPECT_THAT(refusal(sines, {1e-30F, 1}), HasSubstr("expected numbers that 53 bits hold together"));
  EXPECT_THAT(
      refusal(R"({"scheme":"binary","bits":8})", {0.5F}),
      HasSubstr("found element 0 to be 0.5, expected an integer, as binary takes no other positions"));
  EXPECT_THAT(refusal(R"({"scheme":"sinusoidal","d_model":8,"position_scale":1e9})", {3.5F}),
              HasSubstr("expected numbers up to 2^31"));
}

}  // namespace
}  // namespace vernier
