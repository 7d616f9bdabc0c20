// Vectors of eight and four bits with scales of rows and blocks: what is rotated in float32, divided by its
// block's scale and rounded once conforms; elements, scales and rules that are not, do not.

#include "numerics/elements/block_scales.hpp"

#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/block_kernel.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

VectorFindings audited(const BlockKernel& kernel) {
  const auto subject = kernel.subject();
  return audit_rotated(subject.tensors.all<RotatedTensor>().front());
}

/// Every number of every type, in blocks of several scales, and all that is rounded to it: as near as is
/// allowed, and no other number.
TEST(BlockScales, AllowTheNearestNumberAlone) {
  std::mt19937_64 random(50);
  std::size_t compared = 0;
  for (const auto& format :
       {std::optional<Format>(), std::optional(Format::float8_e4m3fn), std::optional(Format::float8_e5m2),
        std::optional(Format::float8_e4m3fnuz), std::optional(Format::float8_e5m2fnuz)}) {
    const auto codes = codes_of(format);
    const auto& type = format ? traits(*format) : float4_e2m1;
    for (int draw = 0; draw < 40; ++draw) {
      const double scale = std::exp2(static_cast<double>(random() % 40) - 20) *
                           (1 + static_cast<double>(random() >> 40) * 0x1p-24);
      const BlockScales scales(type, Format::binary32, {scale}, 1, 1, true, std::nullopt);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const double next = i + 1 < codes.size() ? codes[i + 1] : 2 * codes[i];
        const double value =
            (codes[i] + (next - codes[i]) * static_cast<double>(random() >> 11) * 0x1p-53) * scale;
        const double allowed = scales.rounding(0, 0, value, 0x1p-24);
        for (std::size_t k = i > 3 ? i - 3 : 0; k < std::min(i + 4, codes.size()); ++k) {
          const double got = codes[k] * scale;
          const bool is_nearest = nearest_of(codes, value / scale) == codes[k];
          const bool is_allowed = std::fabs(got - value) <= allowed || scales.saturates(0, 0, got, value, 0);
          // Both neighbours of a midpoint are, within the roundings of the quotient.
          const double to_midpoint =
              std::fabs(std::fabs(got - value) - std::fabs(nearest_of(codes, value / scale) * scale - value));
          EXPECT_TRUE(is_allowed == is_nearest || to_midpoint < 0x1p-20 * value)
              << type.name << ": " << value / scale << " as " << codes[k];
          ++compared;
        }
      }
    }
  }
  std::cout << compared << " numbers with scales of blocks compared\n";
  EXPECT_GT(compared, 100000U);
}

TEST(BlockScales, WhatEnginesStoreConforms) {
  for (const auto& [name, engine] : block_engines()) {
    const auto report = audited(engine);
    EXPECT_EQ(report.elements.failing, 0U) << name;
    EXPECT_EQ(report.norms.failing, 0U) << name;
    EXPECT_EQ(report.elements.elements, scaled_rows * scaled_head) << name;
    EXPECT_EQ(report.scales.failing, 0U) << name;
    EXPECT_EQ(report.scales.judged, scaled_rows * scaled_head / engine.width) << name;
  }
}

TEST(BlockScales, ElementsOfAnotherPositionDoNot) {
  for (const auto& [name, engine] : block_engines()) {
    auto faulty = engine;
    faulty.rotates = [](std::size_t index, float value) {
      return index / scaled_head == 50 ? -value : value;
    };
    const auto report = audited(faulty);
    EXPECT_GT(report.elements.failing, scaled_head / 2) << name;
    EXPECT_EQ(report.scales.failing, 0U) << name;
  }
}

/// Two scales exchanged, as where a layout of columns is read as one of rows.
TEST(BlockScales, ScalesOfOtherBlocksDoNot) {
  for (const auto& [name, engine] : block_engines()) {
    auto faulty = engine;
    faulty.spoils = [](std::vector<double>& scales) {
      std::rotate(scales.begin(), scales.begin() + 1, scales.end());
    };
    EXPECT_GT(audited(faulty).elements.failing, 0U) << name;
  }
}

/// Every element is right for its scale: the rule alone tells that bits are lost.
TEST(BlockScales, AScaleTwiceAsLargeBreaksItsRuleAlone) {
  for (const auto& [name, engine] : block_engines()) {
    auto faulty = engine;
    faulty.chooses = [](float scale) { return 2 * scale; };
    const auto report = audited(faulty);
    EXPECT_EQ(report.elements.failing, 0U) << name;
    EXPECT_EQ(report.scales.failing, report.scales.judged) << name;
    faulty.states_rule = false;
    EXPECT_EQ(audited(faulty).scales.failing, 0U) << name;
  }
}

/// A scale that is stored with fewer bits than it is applied with.
TEST(BlockScales, ElementsOfAMoreExactScaleDoNot) {
  BlockKernel faulty;
  faulty.spoils = [](std::vector<double>& scales) {
    std::ranges::transform(scales, scales.begin(), [](double x) { return round_to(Format::bfloat16, x); });
  };
  EXPECT_GT(audited(faulty).elements.failing, 0U);
}

TEST(BlockScales, WhatDoesNotFitIsRefused) {
  const auto refusal = [](const std::function<void(CaseInput&)>& edit) {
    return refusal_of([&] {
      auto parts = BlockKernel{}.parts();
      edit(parts);
      assemble_case(parts, parsed(R"({"scheme": "rope", "head_dim": 64})"));
    });
  };
  EXPECT_EQ(refusal([](CaseInput&) {}), "");
  const auto ones = [](Shape shape, std::size_t count) {
    return NamedTensor{"s.npy", tensor_of(Format::binary32, std::move(shape), std::vector<double>(count, 1))};
  };
  EXPECT_THAT(
      refusal([&](CaseInput& parts) {
        parts.tensors.at("block_scales") = ones({96, 5}, 480);
      }),
      HasSubstr("s.npy: block_scales: found the shape [96, 5], expected [96] or that with a number of "
                "blocks that divides 64"));
  EXPECT_THAT(refusal([&](CaseInput& parts) { parts.tensors.at("block_scales") = ones({95}, 95); }),
              HasSubstr("found the shape [95], expected [96]"));
  EXPECT_THAT(
      refusal([](CaseInput& parts) { parts.tensors.erase("block_scales"); }),
      HasSubstr("tensors.block_scales: missing, expected the scales that quantization.rule is about"));
  EXPECT_THAT(refusal([](CaseInput& parts) { parts.quantization->is_float4 = true; }),
              HasSubstr("expected a number of float4_e2m1"));
  EXPECT_THAT(refusal([](CaseInput& parts) { parts.contract = "correctly-rounded"; }), HasSubstr("contract"));
  EXPECT_THAT(refusal([](CaseInput& parts) { parts.quantization->overflow = Overflow::nan; }),
              HasSubstr("expected \"saturate\" beside block_scales"));
  EXPECT_THAT(
      refusal([](CaseInput& parts) {
        parts.tensors.emplace("cos", parts.tensors.at("rotated"));
        parts.tensors.erase("rotated");
        parts.tensors.erase("input");
      }),
      HasSubstr("tensors.block_scales: found none beside it, expected one tensor of rotated vectors"));
}

}  // namespace
}  // namespace vernier
