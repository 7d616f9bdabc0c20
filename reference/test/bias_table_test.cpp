// ALiBi's slopes and what they multiply.

#include "reference/tables/bias_table.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/numbers/real.hpp"
#include "reference/schemes/alibi.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<double> slopes(const AlibiSpec& spec) {
  std::vector<double> values;
  for (const auto& slope : spec.slopes()) {
    values.push_back(correctly_rounded(Format::binary64, [&] { return slope.enclosure(); }).value());
  }
  return values;
}

TEST(AlibiSlopes, OfEightHeadsArePowersOfTwo) {
  EXPECT_THAT(slopes({.num_heads = 8}),
              ElementsAre(0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625));
  EXPECT_THAT(slopes({.num_heads = 1}), ElementsAre(0.00390625));
}

TEST(AlibiSlopes, OfTwelveHeadsFillUpFromTwiceAsMany) {
  const auto found = slopes({.num_heads = 12});
  std::vector<double> expected;
  for (int power = 1; power <= 8; ++power) {
    expected.push_back(std::ldexp(1.0, -power));
  }
  for (const int half : {1, 2, 4, 8}) {
    expected.push_back(0x1.6a09e667f3bcdp-1 / half);  // sqrt(1/2) / half
  }
  EXPECT_THAT(found, ElementsAreArray(expected));
}

TEST(AlibiSlopes, ScaleWithTheLargestBias) {
  EXPECT_THAT(slopes({.num_heads = 2, .max_bias = 4}), ElementsAre(0.25, 0.0625));
  EXPECT_THAT(slopes({.num_heads = 3, .max_bias = 4}), ElementsAre(0.25, 0.0625, 0.5));
}

TEST(AlibiSlopes, ThatArePowersOfTwoAreExact) {
  for (const auto& slope : AlibiSpec{.num_heads = 4, .max_bias = Rational(4, 3)}.slopes()) {
    const auto found = tight_enclosure([&] { return slope.enclosure(); });
    EXPECT_EQ(found.radius == 0, slope.power % 3 == 0) << slope.power;
  }
}

std::vector<std::int64_t> multipliers(AlibiSpec::Bias bias, std::size_t queries, std::size_t query) {
  const std::vector<std::int64_t> keys{0, 1, 2, 5};
  const auto table = EncodingOf<AlibiSpec>({.num_heads = 2, .bias = bias}).all<BiasTable>().at(1);
  std::vector<std::int64_t> result;
  for (std::size_t key = 0; key < keys.size(); ++key) {
    result.push_back(table.multiplier(keys, queries, query, key));
  }
  return result;
}

TEST(AlibiSlopes, AreRefusedBeyondTheLargestBias) {
  const auto refusal = [](const std::string& max_bias) {
    return refusal_of_spec(R"({"scheme": "alibi", "num_heads": 4, "max_bias": )" + max_bias + "}");
  };
  EXPECT_THAT(refusal("64"), IsEmpty());
  EXPECT_THAT(refusal("64.5"), HasSubstr("max_bias: found 64.5"));
  EXPECT_THAT(refusal("0"), HasSubstr("max_bias: found 0"));
}

TEST(AlibiBias, MultipliesThePositionOrTheDistanceThatTheSpecNames) {
  EXPECT_THAT(multipliers(AlibiSpec::Bias::key_position, 1, 0), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(multipliers(AlibiSpec::Bias::distance_to_last, 1, 0), ElementsAre(-5, -4, -3, 0));
  EXPECT_THAT(multipliers(AlibiSpec::Bias::distance, 1, 0), ElementsAre(-5, -4, -3, 0));
  EXPECT_THAT(multipliers(AlibiSpec::Bias::distance, 2, 0), ElementsAre(-2, -1, 0, -3));
  EXPECT_THAT(multipliers(AlibiSpec::Bias::distance, 4, 1), ElementsAre(-1, 0, -1, -4));
}

TEST(AlibiBias, IsTheSlopeTimesWhatItMultiplies) {
  const auto tables =
      EncodingOf<AlibiSpec>({.num_heads = 12, .bias = AlibiSpec::Bias::distance}).all<BiasTable>();
  EXPECT_EQ(correctly_rounded(Format::binary64, tables.at(1).entry(1, -5)), -1.25);
  EXPECT_EQ(correctly_rounded(Format::binary64, tables.at(1).entry(8, -3)), -2.1213203435596424);
  EXPECT_EQ(tables.at(0).multiplier({}, 1, 0, 3), 1) << "the slopes themselves";
}

}  // namespace
}  // namespace vernier
