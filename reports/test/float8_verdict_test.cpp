// Whole verdicts on float8 with the scale that everybody uses, the greatest number of the format over the
// greatest of the tensor: what is computed in float32 and stored once conforms, in all formats.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/errors/overflow.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/validate.hpp"
#include "reports/words/program_end.hpp"

namespace vernier {
namespace {

constexpr std::size_t float8_rows = 128;
constexpr std::size_t float8_head_dim = 64;
constexpr std::size_t float8_pairs = float8_head_dim / 2;

float phase(std::size_t row, std::size_t pair) {
  const float frequency =
      1 / std::pow(10000.0F, static_cast<float>(2 * pair) / static_cast<float>(float8_head_dim));
  return static_cast<float>(row) * frequency;
}

/// A kernel's float32 results, times a scale, stored once.
struct Quantized {
  Format format;
  Overflow overflow;
  float headroom = 1;  ///< the greatest stored, over the greatest of the format

  float scale(const std::vector<float>& values) const {
    float greatest = 0;
    for (const float value : values) {
      greatest = std::max(greatest, std::fabs(value));
    }
    return headroom * static_cast<float>(traits(format).largest()) / greatest;
  }

  NamedTensor stored(const std::vector<float>& values, std::size_t width, float scale) const {
    std::vector<double> numbers;
    for (const float value : values) {
      numbers.push_back(rounded_with(overflow, format, static_cast<double>(value * scale)));
    }
    return {"made", tensor_of(format, {values.size() / width, width}, numbers)};
  }

  Verdict judged(std::map<std::string, NamedTensor, std::less<>> tensors, float scale) const {
    CaseInput parts{"made.json", "made", "", std::move(tensors), std::nullopt};
    parts.quantization = Quantization{exact_rational(static_cast<double>(scale)), overflow};
    return validate(assemble_case(parts, parsed(R"({"scheme": "rope", "head_dim": 64})")), "");
  }

  Verdict of_tables() const {
    std::vector<float> cosines;
    std::vector<float> sines;
    for (std::size_t row = 1; row <= float8_rows; ++row) {  // no cosine is one
      for (std::size_t pair = 0; pair < float8_pairs; ++pair) {
        cosines.push_back(std::cos(phase(row, pair)));
        sines.push_back(std::sin(phase(row, pair)));
      }
    }
    const auto by = scale(cosines);
    return judged({{"cos", stored(cosines, float8_pairs, by)},
                   {"sin", stored(sines, float8_pairs, by)},
                   {"positions", {"made", integer_tensor({float8_rows}, positions_from(1, float8_rows))}}},
                  by);
  }

  Verdict of_vectors() const {
    std::mt19937_64 random(11);
    std::vector<double> input;
    std::vector<float> rotated(float8_rows * float8_head_dim);
    for (std::size_t i = 0; i < rotated.size(); ++i) {
      input.push_back(round_to(Format::bfloat16, 8 * (static_cast<double>(random() >> 40) * 0x1p-23 - 1)));
    }
    for (std::size_t row = 0; row < float8_rows; ++row) {
      for (std::size_t pair = 0; pair < float8_pairs; ++pair) {
        const auto at = row * float8_head_dim + pair;
        const auto x = static_cast<float>(input[at]);
        const auto y = static_cast<float>(input[at + float8_pairs]);
        const float c = std::cos(phase(row, pair));
        const float s = std::sin(phase(row, pair));
        rotated[at] = x * c - y * s;
        rotated[at + float8_pairs] = y * c + x * s;
      }
    }
    const auto by = scale(rotated);
    return judged({{"input", {"made", tensor_of(Format::bfloat16, {float8_rows, float8_head_dim}, input)}},
                   {"rotated", stored(rotated, float8_head_dim, by)}},
                  by);
  }
};

class Float8Verdicts : public testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Formats, Float8Verdicts,
                         testing::Values(Format::float8_e4m3fn, Format::float8_e5m2, Format::float8_e4m3fnuz,
                                         Format::float8_e5m2fnuz),
                         [](const auto& one) { return std::string(traits(one.param).name); });

TEST_P(Float8Verdicts, HonestCodeWithTheUsualScaleConforms) {
  for (const auto overflow : {Overflow::undeclared, Overflow::saturate}) {
    const Quantized honest{GetParam(), overflow};
    for (const auto& verdict : {honest.of_tables(), honest.of_vectors()}) {
      EXPECT_EQ(exit_code(verdict), 0) << render_text(verdict);
    }
  }
}

/// Pairs beyond the range are left out of the laws, and counted.
TEST_P(Float8Verdicts, WhatSaturatesAsIsDeclaredConforms) {
  const Quantized honest{GetParam(), Overflow::saturate, 1.5F};
  for (const auto& verdict : {honest.of_tables(), honest.of_vectors()}) {
    EXPECT_EQ(exit_code(verdict), 0) << render_text(verdict);
  }
  const auto check = check_named(honest.of_vectors().checks, "norm/rotated");
  EXPECT_EQ(check.counts.judged + check.counts.inconclusive, float8_rows * float8_pairs);
  EXPECT_GT(check.counts.inconclusive, 0U);
}

TEST_P(Float8Verdicts, WhatOverflowsUndeclaredDoesNot) {
  Quantized faulty{GetParam(), Overflow::undeclared, 1.5F};
  EXPECT_EQ(exit_code(faulty.of_tables()), 1);
  EXPECT_EQ(exit_code(faulty.of_vectors()), 1);
}

}  // namespace
}  // namespace vernier
