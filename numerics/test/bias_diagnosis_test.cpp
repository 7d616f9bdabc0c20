// Faults of ALiBi, made and named.

#include <bit>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/test/made_relative.hpp"
#include "numerics/test/viewed_tensors.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

/// Slopes as the authors' code makes them, in double precision.
double slope(std::size_t head, std::size_t heads, double max_bias = 8) {
  const auto whole = static_cast<double>(std::bit_floor(heads));
  const auto h = static_cast<double>(head);
  return h < whole ? std::exp2(-max_bias * (h + 1) / whole)
                   : std::exp2(-max_bias * (2 * (h - whole) + 1) / (2 * whole));
}

Diagnosis diagnosed(const MadeBias& made) {
  return diagnosed_alone(*made.encoding, made.bias, made.keys);
}

std::string spec_of(std::size_t heads, const std::string& bias = "distance") {
  return R"({"scheme": "alibi", "num_heads": )" + std::to_string(heads) + R"(, "bias": ")" + bias + "\"}";
}

struct SlopeFault {
  std::string_view kind;
  std::size_t heads;
  std::function<double(std::size_t head)> code;
};

std::vector<SlopeFault> slope_faults() {
  const auto series = [](double step, std::size_t power) {
    return std::exp2(-step * static_cast<double>(power));
  };
  return {
      {"mapping/slope-order", 16, [](std::size_t h) { return slope(15 - h, 16); }},
      {"mapping/slope-order", 12,
       [](std::size_t h) {
         return h < 8 ? std::exp2(-0.5 * (1.0 + static_cast<double>(h))) : slope(h - 4, 12);
       }},
      {"slope/plain-geometric", 12, [=](std::size_t h) { return series(8.0 / 12, h + 1); }},
      {"slope/first-power", 8, [=](std::size_t h) { return series(1, h); }},
      {"slope/first-power", 16, [=](std::size_t h) { return series(0.5, h + 2); }},
      {"slope/first-power", 12, [=](std::size_t h) { return h < 8 ? series(1, h) : slope(h, 12); }},
      {"slope/first-power", 12, [=](std::size_t h) { return h < 8 ? series(1, h + 2) : slope(h, 12); }},
      {"slope/first-power", 12, [=](std::size_t h) { return h < 8 ? slope(h, 12) : series(1, h - 8); }},
      {"slope/interpolated-heads", 12, [=](std::size_t h) { return series(0.5, h + 1); }},
      {"slope/interpolated-heads", 12,
       [=](std::size_t h) { return h < 8 ? slope(h, 12) : series(0.5, h - 7); }},
      {"slope/interpolated-heads", 12,
       [=](std::size_t h) { return h < 8 ? slope(h, 12) : series(0.5, 2 * (h - 7)); }},
      {"slope/head-count", 8, [](std::size_t h) { return slope(h + 8, 32); }},
      {"slope/head-count", 8, [](std::size_t h) { return slope(h / 2, 4); }},
      {"slope/max-bias", 12, [](std::size_t h) { return slope(h, 12, 5.25); }},
      {"slope/max-bias", 16, [](std::size_t h) { return slope(h, 16, 10); }},
      {"slope/factor", 16, [](std::size_t h) { return slope(h, 16) * std::log2(std::exp(1.0)); }},
      {"slope/factor", 12, [](std::size_t h) { return slope(h, 12) * 0.7; }},
      {"slope/factor", 4, [](std::size_t h) { return slope(h, 4) * 1.0342871937529123; }},
      {"slope/reciprocal", 16, [](std::size_t h) { return 1 / slope(h, 16); }},
      {"direction/bias-sign", 16, [](std::size_t h) { return -slope(h, 16); }},
      {"slope/format", 16, [](std::size_t h) { return round_to(Format::bfloat16, slope(h, 16)); }},
      {"slope/format", 12, [](std::size_t h) { return round_to(Format::binary16, slope(h, 12)); }},
  };
}

TEST(BiasDiagnosis, NamesFaultsOfSlopes) {
  for (const auto stored : {Format::binary32, Format::binary64}) {
    for (const auto& fault : slope_faults()) {
      const auto found =
          diagnosed(made_bias(spec_of(fault.heads), "slopes", stored, 0, 1,
                              [&](std::size_t h, std::int64_t, std::int64_t) { return fault.code(h); }));
      EXPECT_TRUE(is_among(found, fault.kind)) << fault.kind << ", found " << told(found);
    }
  }
}

TEST(BiasDiagnosis, NamesFaultsOfSlopesFromBiases) {
  for (const auto& fault : slope_faults()) {
    const auto found = diagnosed(made_bias(spec_of(fault.heads), "bias", Format::binary32, 3, 300,
                                           [&](std::size_t h, std::int64_t q, std::int64_t k) {
                                             return round_to(Format::binary32, fault.code(h)) *
                                                    -static_cast<double>(std::abs(q - k));
                                           }));
    EXPECT_EQ(named(found), fault.kind) << told(found);
  }
}

/// The factor that all heads leave open, as they are rounded; also where one key alone shows a slope.
TEST(BiasDiagnosis, NamesAFactorByWhatAllHeadsLeaveOpen) {
  const auto narrow =
      diagnosed(made_bias(spec_of(32), "slopes", Format::binary16, 0, 1,
                          [](std::size_t h, std::int64_t, std::int64_t) { return slope(h, 32) * 1.3028; }));
  EXPECT_THAT(told(narrow), HasSubstr("all slopes are multiplied by 1.3028"));
  auto one_key = made_bias(spec_of(8, "key_position"), "bias", Format::binary32, 0, 1,
                           [](std::size_t h, std::int64_t, std::int64_t) { return slope(h, 8) * 1.3 * 5; });
  one_key.keys = {5};
  EXPECT_THAT(told(diagnosed(one_key)), HasSubstr("all slopes are multiplied by 1.3"));
}

struct MultiplierFault {
  std::string_view kind;
  std::string declared;
  std::size_t queries;
  BiasCode code;
};

std::vector<MultiplierFault> multiplier_faults() {
  constexpr std::size_t heads = 12;
  const auto times = [](std::size_t h, std::int64_t factor) {
    return round_to(Format::binary32, slope(h, heads)) * static_cast<double>(factor);
  };
  using Index = std::int64_t;
  return {
      {"position/distance", "distance", 0, [=](std::size_t h, Index, Index k) { return times(h, k); }},
      {"position/distance", "key_position", 0,
       [=](std::size_t h, Index, Index k) { return times(h, k - 2499); }},
      {"direction/bias-sign", "key_position", 0, [=](std::size_t h, Index, Index k) { return times(h, -k); }},
      {"position/distance-sign", "distance", 200,
       [=](std::size_t h, Index q, Index k) { return times(h, k - q); }},
      {"position/distance-sign", "distance", 200,
       [=](std::size_t h, Index q, Index k) { return times(h, std::min(Index{0}, k - q)); }},
      {"position/aligned-to-first", "distance", 4,
       [=](std::size_t h, Index q, Index k) { return times(h, -std::abs(q - 2496 - k)); }},
      {"position/distance-offset", "distance", 3,
       [=](std::size_t h, Index q, Index k) { return times(h, -std::abs(q - k) - 1); }},
      {"position/distance-offset", "key_position", 0,
       [=](std::size_t h, Index, Index k) { return times(h, k + 37); }},
      {"position/counted-keys", "key_position", 0,
       [=](std::size_t h, Index, Index k) { return times(h, 2499 - k); }},
      {"position/distance-format", "distance", 0,
       [=](std::size_t h, Index q, Index k) {
         return times(h, static_cast<Index>(round_to(Format::binary16, static_cast<double>(k - q))));
       }},
      {"storage/bias-format", "distance", 0,
       [=](std::size_t h, Index q, Index k) { return round_to(Format::bfloat16, times(h, k - q)); }},
      {"mapping/mask", "distance", 200,
       [=](std::size_t h, Index q, Index k) {
         return k > q ? -std::numeric_limits<double>::infinity() : times(h, k - q);
       }},
      {"mapping/slope-order", "distance", 0,
       [=](std::size_t h, Index q, Index k) {
         return times(h == 2 ? 9 : h == 9 ? 2 : h, k - q);
       }},
      {"mapping/slope-order", "distance", 0,
       [=](std::size_t h, Index q, Index k) { return times(h == 2 ? 9 : h, k - q); }},
      {"damage/row-zero", "distance", 0,
       [=](std::size_t h, Index q, Index k) { return h == 3 ? 0.0 : times(h, k - q); }},
      {"damage/element", "distance", 0,
       [=](std::size_t h, Index q, Index k) { return h == 3 && k == 77 ? 5.0 : times(h, k - q); }},
      {"damage/non-finite", "distance", 0,
       [=](std::size_t h, Index q, Index k) {
         return h == 3 && k == 77 ? std::numeric_limits<double>::quiet_NaN() : times(h, k - q);
       }},
  };
}

TEST(BiasDiagnosis, NamesFaultsOfBiases) {
  for (const auto& fault : multiplier_faults()) {
    const auto keys = fault.queries > 4 ? fault.queries : 2500;
    const auto found = diagnosed(
        made_bias(spec_of(12, fault.declared), "bias", Format::binary32, fault.queries, keys, fault.code));
    EXPECT_EQ(named(found), fault.kind) << told(found);
  }
}

TEST(BiasDiagnosis, NamesTheOneNumberOfATensor) {
  for (const double value : {0.0, -0.5}) {
    const auto all = [=](std::size_t, std::int64_t, std::int64_t) { return value; };
    EXPECT_EQ(named(diagnosed(made_bias(spec_of(8), "bias", Format::binary32, 3, 30, all))),
              "damage/constant");
    EXPECT_EQ(named(diagnosed(made_bias(spec_of(8), "slopes", Format::binary32, 0, 1, all))),
              "damage/constant");
  }
}

TEST(BiasDiagnosis, NamesTwoFaultsOfDifferentStages) {
  const auto found = diagnosed(made_bias(spec_of(16), "bias", Format::binary32, 0, 500,
                                         [](std::size_t h, std::int64_t q, std::int64_t k) {
                                           return slope(15 - h, 16) * static_cast<double>(q - k);
                                         }));
  EXPECT_EQ(named(found), "mapping/slope-order + direction/bias-sign") << told(found);
}

TEST(BiasDiagnosis, SaysWhatAnEditOfTheSpecIs) {
  const auto found =
      diagnosed(made_bias(spec_of(8), "slopes", Format::binary32, 0, 1,
                          [](std::size_t h, std::int64_t, std::int64_t) { return slope(h, 8, 6); }));
  ASSERT_EQ(named(found), "slope/max-bias") << told(found);
  const auto& explanation = found.explanations.front();
  EXPECT_EQ(explanation.findings.front().edit.dump(), R"([{"op":"add","path":"/max_bias","value":6}])");
  EXPECT_EQ(sentence_of(explanation), "max_bias is 6, not 8");
  EXPECT_THAT(explanation.consequence, HasSubstr("Head "));
}

TEST(BiasDiagnosis, SaysNothingOfHonestTensors) {
  for (const auto stored : all_formats()) {
    for (const std::size_t heads : {1U, 2U, 3U, 8U, 12U, 40U}) {
      const auto made = made_bias(spec_of(heads), "bias", stored, 2, 90,
                                  [&](std::size_t h, std::int64_t q, std::int64_t k) {
                                    return slope(h, heads) * -static_cast<double>(std::abs(q - k));
                                  });
      ASSERT_EQ(audit_elements(made.bias, made.keys).failing, 0U);
      EXPECT_TRUE(diagnosed(made).explanations.empty());
      EXPECT_EQ(diagnosed(made).searched, 0U);
    }
  }
}

TEST(BiasDiagnosis, LeavesGarbageUnexplained) {
  std::mt19937 random(1);
  std::normal_distribution<double> value;
  for (const auto role : {"slopes", "bias"}) {
    const auto found =
        diagnosed(made_bias(spec_of(12), role, Format::binary32, 0, role[0] == 's' ? 1 : 64,
                            [&](std::size_t, std::int64_t, std::int64_t) { return value(random); }));
    EXPECT_FALSE(found.is_explained()) << told(found);
    EXPECT_GT(found.searched, 100U);
    EXPECT_THAT(found.rest, HasSubstr("elements fail"));
  }
}

TEST(BiasDiagnosis, LeavesOtherSchemesUnexplained) {
  const auto square_root = [](std::size_t h) {
    return std::exp2(-2 * std::sqrt(static_cast<double>(h + 1)));
  };
  const auto scaled = [](std::size_t h) {
    return slope(h, 12) * std::pow(4.0, -static_cast<double>(h) / 11);
  };
  using Code = std::function<double(std::size_t head, double distance)>;
  for (const auto& code : {Code([&](std::size_t h, double d) { return -square_root(h) * d; }),
                           Code([&](std::size_t h, double d) { return -scaled(h) * d; }),
                           Code([](std::size_t h, double d) { return -slope(h, 12) * std::log1p(d); }),
                           Code([](std::size_t h, double d) { return -slope(h, 12) * d * d; }),
                           Code([](std::size_t h, double d) { return -slope(h, 12) * d / (1 + d / 64); })}) {
    const auto found = diagnosed(made_bias(spec_of(12), "bias", Format::binary32, 2, 128,
                                           [&](std::size_t h, std::int64_t q, std::int64_t k) {
                                             return code(h, static_cast<double>(std::abs(q - k)));
                                           }));
    EXPECT_FALSE(found.is_explained()) << told(found);
  }
}

TEST(BiasDiagnosis, MakesNoRuleOfOneNumber) {
  const auto made = made_bias(spec_of(1), "slopes", Format::binary32, 0, 1,
                              [](std::size_t, std::int64_t, std::int64_t) { return 0.123456; });
  const auto found = diagnose_bias(made.bias, made.keys, *made.encoding);
  EXPECT_FALSE(found.is_explained()) << told(found);
}

RC_GTEST_PROP(BiasDiagnosis, FindsADrawnFault, ()) {
  const auto heads = *rc::gen::inRange<std::size_t>(4, 48);
  const auto keys = *rc::gen::inRange<std::size_t>(16, 160);
  const auto max_bias = static_cast<double>(*rc::gen::inRange(2, 64)) / 4;
  const auto sign = *rc::gen::element(1.0, -1.0);
  const auto offset = *rc::gen::inRange<std::int64_t>(-40, 40);
  const int faults = (max_bias == 8 ? 0 : 1) + (sign == 1 ? 0 : 1) + (offset == 0 ? 0 : 1);
  const auto found = diagnosed(made_bias(
      spec_of(heads), "bias", Format::binary32, 1, keys, [&](std::size_t h, std::int64_t q, std::int64_t k) {
        return sign * slope(h, heads, max_bias) * static_cast<double>(k - q + offset);
      }));
  if (faults == 0) {
    RC_ASSERT(found.explanations.empty());
  } else if (faults < 3) {
    RC_LOG() << told(found);
    RC_ASSERT(found.is_explained());
    const auto names = named(found);
    RC_ASSERT(max_bias == 8 || names.find("slope/") != std::string::npos);
    RC_ASSERT(sign == 1 || names.find("sign") != std::string::npos ||
              names.find("counted") != std::string::npos);
    RC_ASSERT(found.explanations.front().prediction.failing == 0U);
  }
}

}  // namespace
}  // namespace vernier
