// ALiBi, T5 and DeBERTa as people compute them in float32, honest and with known faults, judged as the
// command judges them.

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::size_t key_count = 1024;

Verdict judged_bias(const std::string& spec, const std::string& role, const Tensor& tensor,
                    const std::string& contract = "float32") {
  Case subject{"made", "a test", parsed(spec), {}, {}, {}};
  for (auto& table : subject.encoding->all<BiasTable>()) {
    if (table.role == role) {
      subject.tensors.all<BiasTensor>().push_back({std::move(table), tensor, contract_named(contract)});
    }
  }
  if (role == "bias") {
    subject.positions = positions_from(0, tensor.shape().back());
  }
  return validate(subject, "");
}

std::string alibi_spec(int heads, const std::string& bias = "key_position") {
  return std::string(R"({"scheme": "alibi", "num_heads": )") + std::to_string(heads) + R"(, "bias": ")" +
         bias + "\"}";
}

/// Each slope as a power of a rounded base: Hugging Face's BLOOM, and ggml.
std::vector<double> slopes_by_powers(int heads, float max_bias = 8) {
  const int whole = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
  const float base = std::exp2(-max_bias / static_cast<float>(whole));
  const float extra = std::exp2(-max_bias / 2 / static_cast<float>(whole));
  std::vector<double> slopes;
  for (int h = 0; h < heads; ++h) {
    const auto power = static_cast<float>(h < whole ? h + 1 : 2 * (h - whole) + 1);
    slopes.push_back(static_cast<double>(std::pow(h < whole ? base : extra, power)));
  }
  return slopes;
}

/// Each slope as the reciprocal of a power of two, every other one moved to the front if there are too
/// many: MPT.
std::vector<double> slopes_by_reciprocals(int heads) {
  const int whole = static_cast<int>(std::bit_ceil(static_cast<unsigned>(heads)));
  std::vector<double> all;
  for (int k = 1; k <= whole; ++k) {
    all.push_back(
        static_cast<double>(1.0F / std::exp2(static_cast<float>(k) * (8.0F / static_cast<float>(whole)))));
  }
  if (whole == heads) {
    return all;
  }
  std::vector<double> slopes;
  for (const std::size_t first : {1U, 0U}) {
    for (auto k = first; k < all.size(); k += 2) {
      slopes.push_back(all[k]);
    }
  }
  slopes.resize(static_cast<std::size_t>(heads));
  return slopes;
}

Tensor slopes_tensor(const std::vector<double>& slopes) {
  return tensor_of(Format::binary32, {slopes.size()}, slopes);
}

/// [heads, keys]: products in float32, stored in a format. \param first what the slopes multiply for key 0
Tensor bias_tensor(const std::vector<double>& slopes, std::int64_t first, Format stored = Format::binary32,
                   double sign = 1) {
  std::vector<double> values;
  for (const double slope : slopes) {
    for (const auto factor : positions_from(first, key_count)) {
      values.push_back(
          round_to(stored, round_to(Format::binary32, sign * slope * static_cast<double>(factor))));
    }
  }
  return tensor_of(stored, {slopes.size(), key_count}, values);
}

constexpr std::int64_t from_last = 1 - static_cast<std::int64_t>(key_count);

TEST(AlibiVerdict, HonestSlopesConform) {
  for (const int heads : {1, 8, 12, 40, 64, 112}) {
    for (const auto& slopes : {slopes_by_powers(heads), slopes_by_reciprocals(heads)}) {
      const auto verdict = judged_bias(alibi_spec(heads), "slopes", slopes_tensor(slopes));
      EXPECT_EQ(exit_code(verdict), 0) << heads << ": " << summary(verdict);
    }
  }
}

TEST(AlibiVerdict, HonestSlopesOfAnyLargestBiasConform) {
  for (const int heads : {6, 32, 48}) {
    for (const std::string max_bias : {"0.1", "7.3", "16", "63.7"}) {
      const auto spec = std::string(R"({"scheme": "alibi", "num_heads": )") + std::to_string(heads) +
                        ", \"max_bias\": " + max_bias + "}";
      const auto slopes = slopes_by_powers(heads, std::stof(max_bias));
      const auto verdict = judged_bias(spec, "slopes", slopes_tensor(slopes));
      EXPECT_EQ(exit_code(verdict), 0) << spec << ": " << summary(verdict);
      const auto other = slopes_by_powers(heads, std::stof(max_bias) * 1.001F);
      EXPECT_EQ(exit_code(judged_bias(spec, "slopes", slopes_tensor(other))), 1) << spec;
    }
  }
}

TEST(AlibiVerdict, HonestBiasesConform) {
  for (const auto stored : {Format::binary32, Format::binary16, Format::bfloat16}) {
    const auto key_position =
        judged_bias(alibi_spec(12), "bias", bias_tensor(slopes_by_powers(12), 0, stored));
    EXPECT_EQ(exit_code(key_position), 0) << summary(key_position);
    const auto distance = judged_bias(alibi_spec(12, "distance_to_last"), "bias",
                                      bias_tensor(slopes_by_reciprocals(12), from_last, stored));
    EXPECT_EQ(exit_code(distance), 0) << summary(distance);
  }
}

TEST(AlibiVerdict, HonestDistancesConform) {
  std::vector<double> values;
  for (const double slope : {0x1p-4, 0x1p-8}) {
    for (const int query : {2, 3}) {
      for (int key = 0; key < 4; ++key) {
        values.push_back(-slope * std::abs(query - key));
      }
    }
  }
  const auto tensor = tensor_of(Format::binary32, {2, 2, 4}, values);
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(2, "distance"), "bias", tensor, "exact")), 0);
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(2), "bias", tensor)), 1);
}

TEST(AlibiVerdict, NamesTheFlippedSignOfABias) {
  const auto verdict =
      judged_bias(alibi_spec(12), "bias", bias_tensor(slopes_by_powers(12), 0, Format::binary32, -1));
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(render_full_text(verdict),
              AllOf(HasSubstr("FAIL  accuracy/bias: 12276 of 12288 elements"),
                    HasSubstr("head 0; query 0; key 1; key position 1; expected 0.5 = "),
                    HasSubstr("got -0.5 = -0x1p-1 = 0xbf000000")));
}

TEST(AlibiVerdict, NamesThePlainGeometricSequence) {
  std::vector<double> slopes;
  for (int h = 1; h <= 12; ++h) {
    slopes.push_back(static_cast<double>(std::exp2(-8.0F * static_cast<float>(h) / 12.0F)));
  }
  const auto verdict = judged_bias(alibi_spec(12), "slopes", slopes_tensor(slopes));
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(render_full_text(verdict),
              AllOf(HasSubstr("FAIL  accuracy/slopes"), HasSubstr("head 0; expected 0.5 = ")));
}

TEST(AlibiVerdict, SeesAnotherOriginAndBrokenNumbers) {
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "bias", bias_tensor(slopes_by_powers(8), 1))), 1);
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "bias", bias_tensor(slopes_by_powers(8), from_last))), 1);
  auto slopes = slopes_by_powers(8);
  for (const double broken : {std::nan(""), HUGE_VAL, 0.0}) {
    slopes[3] = broken;
    EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "slopes", slopes_tensor(slopes))), 1) << broken;
  }
}

TEST(AlibiVerdict, BudgetsAreNoWiderThanTheirContract) {
  auto slopes = slopes_by_powers(8);
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "slopes", slopes_tensor(slopes), "exact")), 0);
  slopes[0] = next_up(Format::binary32, slopes[0]);
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "slopes", slopes_tensor(slopes), "exact")), 1);
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "slopes", slopes_tensor(slopes), "correctly-rounded")), 1);
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "slopes", slopes_tensor(slopes), "faithful")), 1)
      << "no other number is next to one of the format";
  EXPECT_EQ(exit_code(judged_bias(alibi_spec(8), "slopes", slopes_tensor(slopes))), 1)
      << "a power of two is exact";
  // The first of the heads beyond a power of two is 2^-1/2, with a budget of 5u of it: three and a half
  // steps.
  auto twelve = slopes_by_powers(12);
  for (int step = 1; step <= 4; ++step) {
    twelve[8] = next_up(Format::binary32, twelve[8]);
    EXPECT_EQ(exit_code(judged_bias(alibi_spec(12), "slopes", slopes_tensor(twelve))), step <= 3 ? 0 : 1)
        << step;
  }
}

TEST(AlibiVerdict, ProvesNothingWhereBfloat16PowersMayBeAnything) {
  EXPECT_EQ(
      exit_code(judged_bias(alibi_spec(128), "slopes", slopes_tensor(slopes_by_powers(128)), "bfloat16")), 4);
}

using BucketFunction = std::function<std::int64_t(std::int64_t relative_position)>;

Verdict judged_buckets(const std::string& spec, const std::vector<std::int64_t>& relative,
                       const BucketFunction& implementation, const std::string& contract = "exact") {
  Case subject{"made", "a test", parsed(spec), {}, {}, {}};
  std::vector<std::int64_t> buckets;
  std::ranges::transform(relative, std::back_inserter(buckets), implementation);
  subject.tensors.add(BucketTensor{subject.encoding->all<BucketTable>().front(), relative, buckets,
                                   ElementType::int64, contract_named(contract)});
  return validate(subject, "");
}

/// T5's buckets as Hugging Face computes them: a float32 logarithm, then `to_integer`.
BucketFunction t5_code(int buckets, int max_distance, bool bidirectional, float (*to_integer)(float)) {
  return [=](std::int64_t r) -> std::int64_t {
    const int each = bidirectional ? buckets / 2 : buckets;
    const int exact = each / 2;
    const auto n = bidirectional ? std::abs(r) : std::max<std::int64_t>(-r, 0);
    const std::int64_t offset = bidirectional && r > 0 ? each : 0;
    if (n < exact) {
      return offset + n;
    }
    const auto span = static_cast<float>(std::log(static_cast<double>(max_distance) / exact));
    const float place =
        std::log(static_cast<float>(n) / static_cast<float>(exact)) / span * static_cast<float>(each - exact);
    return offset + std::min<std::int64_t>(each - 1, exact + static_cast<std::int64_t>(to_integer(place)));
  };
}

const auto truncating = [](float x) { return std::trunc(x); };
const auto rounded_to_nearest = [](float x) { return std::nearbyint(x); };

const std::string t5_both = R"({"scheme": "t5_bucket", "num_buckets": 32, "max_distance": 128})";
const std::string t5_causal_spec = R"({"scheme": "t5_bucket", "bidirectional": false})";
const std::string t5_wavlm = R"({"scheme": "t5_bucket", "num_buckets": 320, "max_distance": 800})";

TEST(BucketVerdict, HonestT5BucketsConform) {
  const auto relative = positions_from(-2000, 4001);
  for (const auto& verdict : {judged_buckets(t5_both, relative, t5_code(32, 128, true, truncating)),
                              judged_buckets(t5_causal_spec, relative, t5_code(32, 128, false, truncating)),
                              judged_buckets(t5_wavlm, relative, t5_code(320, 800, true, truncating))}) {
    EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
    EXPECT_EQ(verdict.rows, 4001U);
    EXPECT_EQ(verdict.least_position, -2000);
  }
}

TEST(BucketVerdict, NamesRoundingInPlaceOfTruncation) {
  const auto verdict = judged_buckets(t5_both, positions_from(-2000, 4001),
                                      t5_code(32, 128, true, rounded_to_nearest), "float32");
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(render_full_text(verdict),
              AllOf(HasSubstr("FAIL  accuracy/buckets"), HasSubstr("in a wrong bucket"),
                    HasSubstr("relative position -90; expected 14; got 15")));
}

TEST(BucketVerdict, OnlyFloat32MayCrossAnEdge) {
  const auto low_at_16 = [](std::int64_t r) -> std::int64_t { return r == -16 ? 9 : -r < 12 ? 8 : 9; };
  const auto at_edge = judged_buckets(t5_both, {-9, -12, -15, -16}, low_at_16, "float32");
  EXPECT_EQ(exit_code(at_edge), 0) << summary(at_edge);
  EXPECT_THAT(at_edge.checks.front().reason, HasSubstr("1 of them across an edge"));
  EXPECT_EQ(exit_code(judged_buckets(t5_both, {-9, -12, -15, -16}, low_at_16, "exact")), 1);
  const auto nine = [](std::int64_t) -> std::int64_t { return 9; };
  EXPECT_EQ(exit_code(judged_buckets(t5_both, {-17}, nine, "float32")), 1) << "17 is beside the edge";
  const auto eleven = [](std::int64_t) -> std::int64_t { return 11; };
  EXPECT_EQ(exit_code(judged_buckets(t5_both, {-16}, eleven, "float32")), 1) << "16 is 10, or 9";
}

TEST(BucketVerdict, HonestDebertaBucketsConform) {
  const auto hugging_face = [](std::int64_t r) -> std::int64_t {
    const auto n = static_cast<float>(std::abs(r));
    const float place = std::ceil(std::log(n / 128) / std::log(511.0F / 128) * 127) + 128;
    return n <= 128 ? r : static_cast<std::int64_t>(std::copysign(place, static_cast<float>(r)));
  };
  const std::string spec = R"({"scheme": "deberta_bucket", "bucket_size": 256, "max_position": 512)";
  const auto near = positions_from(-511, 1023);
  const auto far = positions_from(-2047, 4095);
  EXPECT_EQ(exit_code(judged_buckets(spec + "}", near, hugging_face)), 0);
  EXPECT_EQ(exit_code(judged_buckets(spec + R"(, "clamp": true})", near, hugging_face)), 0);
  EXPECT_EQ(exit_code(judged_buckets(spec + "}", far, hugging_face)), 0);
  const auto clamped = judged_buckets(spec + R"(, "clamp": true})", far, hugging_face);
  EXPECT_THAT(render_full_text(clamped), HasSubstr("3072 of 4095"));
}

TEST(BucketVerdict, ChecksNothingWhereThereIsNothing) {
  EXPECT_EQ(exit_code(judged_buckets(t5_both, {}, [](std::int64_t r) { return r; })), 4);
}

}  // namespace
}  // namespace vernier
