// The truth of one element: known values, what each format makes of them, and what is refused.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "numerics/errors/metrics.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/parsed.hpp"
#include "reports/exchange/elements/element_value.hpp"
#include "reports/test/program.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto sinusoid = R"({"scheme": "sinusoidal", "d_model": 8})";

/// The elements of a position and a pair. \param digits decimal places
std::vector<ElementValue> values_at(const Encoding& encoding, const ElementWish& wish, int digits = 20) {
  std::vector<ElementValue> values;
  for (const auto& element : defined_elements(encoding, wish, "spec")) {
    values.push_back(element_value(element, wish.position, digits, std::nullopt));
  }
  return values;
}

/// Sine and cosine of one radian: Abramowitz and Stegun, table 4.6; the bits are those of a C library.
TEST(ElementValue, KnowsOneRadian) {
  const auto values = values_at(*parsed(sinusoid), {.position = 1, .pair = 0}, 50);
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0].meaning, "sine of pair 0");
  EXPECT_EQ(values[0].truth, "0.84147098480789650665250232163029899962256306079837");
  EXPECT_EQ(values[0].frequency, "1." + std::string(50, '0'));
  EXPECT_EQ(values[1].truth->substr(0, 22), "0.54030230586813971740");
  ASSERT_EQ(values[0].nearest.size(), all_formats().size());
  EXPECT_EQ(encode_bits(Format::binary64, values[0].nearest[0]->nearest), 0x3feaed548f090ceeU);
  EXPECT_EQ(encode_bits(Format::binary32, values[0].nearest[1]->nearest), 0x3f576aa4U);
  EXPECT_EQ(encode_bits(Format::bfloat16, values[0].nearest[3]->nearest), 0x3f57U);
}

TEST(ElementValue, IsExactWhereTheTruthIsANumberOfTheFormat) {
  const auto values = values_at(*parsed(sinusoid), {.position = 0, .pair = 3});
  for (const auto& value : values) {
    for (const auto& number : value.nearest) {
      EXPECT_TRUE(number->is_exact);
      EXPECT_EQ(number->beyond, 0);
    }
  }
  EXPECT_EQ(values[0].truth, "0.00000000000000000000");
  EXPECT_EQ(values[1].nearest[1]->above, 1 + 0x1p-23);
  EXPECT_EQ(values[1].nearest[1]->below, 1 - 0x1p-24);
  // The cosine of pair 3 at 1 is 1 - 5e-7: float16 rounds it to 1, which it is not.
  EXPECT_FALSE(values_at(*parsed(sinusoid), {.position = 1, .pair = 3})[1].nearest[2]->is_exact);
}

/// What is told of a number that is made for a test.
ElementValue value_of(Real truth) {
  return element_value({.role = "made", .meaning = "made", .truth = std::move(truth)}, 0, 20, std::nullopt);
}

nlohmann::json nearest_json(const ElementValue& value) {
  const auto text = element_json(*parsed(sinusoid), 0, {&value, 1});
  return nlohmann::json::parse(text).at("elements").at(0).at("nearest");
}

std::string text_of(const ElementValue& value) {
  return element_text(*parsed(sinusoid), 0, {&value, 1});
}

/// 514/2 = 257 lies half way between 256 and 258, which bfloat16 has beside each other.
TEST(ElementValue, OfAMidpointHasNoBitsThatTellItFromOne) {
  const auto values =
      values_at(*parsed(R"({"scheme": "alibi", "num_heads": 8})"), {.position = 514, .head = 0});
  const auto& bias = values.back();
  ASSERT_EQ(bias.truth, "257.00000000000000000000");
  const auto& tie = *bias.nearest[3];
  EXPECT_EQ(tie.nearest, 256);
  EXPECT_EQ(tie.beyond, 0.5);
  EXPECT_TRUE(tie.is_midpoint);
  EXPECT_FALSE(tie.bits_beyond);
  EXPECT_THAT(text_of(bias), HasSubstr("exactly half an ulp above"));
  EXPECT_TRUE(nearest_json(bias).at(3).at("bits_beyond_format").is_null());
  EXPECT_FALSE(bias.nearest[2]->is_midpoint);
  EXPECT_EQ(bias.nearest[2]->bits_beyond, 1) << "float16 holds 257";
}

/// The scale of pair 0 is (2/7)^781 = 2^-1411, which no double holds; that of keys is 2^1411.
TEST(ElementValue, BeyondTheRangeOfDoublesIsToldInMultiprecision) {
  const auto encoding = parsed(R"({"scheme": "xpos", "head_dim": 16, "sequence_length": 256})");
  const auto scales = values_at(*encoding, {.position = 400000, .pair = 0, .role = "scale"});
  ASSERT_EQ(scales.size(), 1U);
  for (const auto& number : scales.front().nearest) {
    EXPECT_EQ(number->nearest, 0);
    EXPECT_FALSE(number->is_exact);
    EXPECT_GT(*number->beyond, 0);
    EXPECT_EQ(number->bits_beyond, 2) << "hardly less than half an ulp from the midpoint";
  }
  EXPECT_LT(*scales.front().nearest[0]->beyond, 0x1p-330);
  EXPECT_THAT(text_of(scales.front()), HasSubstr("a hair above"));
  const auto keys = values_at(*encoding, {.position = 400000, .pair = 0, .role = "cos_k"});
  for (const auto& number : keys.front().nearest) {
    EXPECT_FALSE(std::isfinite(number->nearest));
    EXPECT_FALSE(number->beyond);
    EXPECT_FALSE(number->bits_beyond);
  }
}

/// 1 - 2^-54 + 2^-70 rounds to 1 and lies in the binade below, 2^-17 of the ulp there from the midpoint.
TEST(ElementValue, MeasuresByTheUlpOfTheTruthBelowAPowerOfTwo) {
  const auto value =
      value_of([] { return Interval(enclose(1.0) - enclose(0x1p-54) + enclose(0x1p-70)); }).nearest[0];
  EXPECT_EQ(value->nearest, 1);
  EXPECT_EQ(value->beyond, -0.5 + 0x1p-17);
  EXPECT_EQ(value->bits_beyond, 17);
}

TEST(ElementValue, ClaimsNoDistanceFromWhatIsNoNumber) {
  const auto value = value_of([] { return enclose(1e6); });
  for (const std::size_t format : {2U, 4U, 6U}) {  // float16, float8_e4m3fn, float8_e4m3fnuz
    EXPECT_FALSE(value.nearest[format]->beyond);
    EXPECT_TRUE(nearest_json(value).at(format).at("truth_beyond_nearest_ulp").is_null());
    EXPECT_TRUE(nearest_json(value).at(format).at("bits_beyond_format").is_null());
  }
  EXPECT_TRUE(std::isnan(value.nearest[4]->nearest));
  EXPECT_EQ(value.nearest[4]->below, 448);
  EXPECT_THAT(text_of(value), AllOf(HasSubstr("beyond the greatest"), Not(HasSubstr("exactly half"))));
}

/// The cosine of 2^-3000 is 1 - 2^-6001, which Ziv's loop gives up to tell from 1.
TEST(ElementValue, SaysWhereItCannotTellTheTruthFromANumber) {
  const auto value = value_of([] {
    const auto root = enclose(0x1p-1000);
    return Interval(cos(Interval(root * root * root)));
  });
  EXPECT_EQ(value.nearest[1]->nearest, 1);
  EXPECT_FALSE(value.nearest[1]->is_exact);
  EXPECT_THAT(text_of(value),
              AllOf(HasSubstr("nearer than the computation resolves"), Not(HasSubstr("a hair"))));
}

/// 355/113 is nearly pi: 355 - 113 pi = 3.0144e-5.
TEST(ElementValue, TellsWhatReducingItsPhaseLeaves) {
  const auto encoding = parsed(sinusoid);
  const auto at = [&](std::int64_t position) {
    return values_at(*encoding, {.position = position, .pair = 0})[0].reduced;
  };
  EXPECT_EQ(at(355)->quarter_turns, "226");
  EXPECT_NEAR(at(355)->rest, 355 - 113 * std::numbers::pi, 1e-13);
  EXPECT_EQ(at(-355)->quarter_turns, "-226");
  EXPECT_NEAR(at(2)->rest, 2 - std::numbers::pi / 2, 1e-15);
  EXPECT_FALSE(at(0).has_value());
}

TEST(ElementValue, OfBiasesAndBuckets) {
  const auto alibi = values_at(*parsed(R"({"scheme": "alibi", "num_heads": 8, "bias": "distance"})"),
                               {.position = -3, .head = 0}, 4);
  ASSERT_EQ(alibi.size(), 2U);
  EXPECT_EQ(alibi[0].truth, "0.5000");
  EXPECT_EQ(alibi[1].truth, "-1.5000");
  const auto buckets = values_at(
      *parsed(R"({"scheme": "t5_bucket", "num_buckets": 32, "max_distance": 128, "bidirectional": true})"),
      {.position = 3});
  ASSERT_EQ(buckets.size(), 1U);
  EXPECT_EQ(buckets[0].integer, 19);  // 16 for keys after the query, and the distance itself
}

/// Any scheme's small specs have an element that the command can tell, and the one that a table has.
TEST(ElementValue, IsThereForEveryScheme) {
  for (const auto& scheme : schemes()) {
    for (const auto example : scheme.examples) {
      const auto encoding = parsed(example);
      const auto has_pairs =
          encoding->has_plain_tables() || encoding->has_scaled_tables() || encoding->axes() != nullptr;
      ElementWish wish{.position = 1};
      (has_pairs ? wish.pair : encoding->first<BiasTable>() != nullptr ? wish.head : wish.column) = 0;
      if (encoding->bucket_rule() != nullptr) {
        wish.column = std::nullopt;
      }
      if (has_pairs && encoding->first<ExactTable>() != nullptr) {
        wish.column = 0;
      }
      SCOPED_TRACE(example);
      const auto values = values_at(*encoding, wish);
      ASSERT_FALSE(values.empty());
      for (const auto& value : values) {
        EXPECT_TRUE(value.truth.has_value());
        for (const auto& number : value.nearest) {
          EXPECT_TRUE(number.has_value());
        }
      }
      EXPECT_THAT(element_text(*encoding, 1, values), HasSubstr("truth"));
    }
  }
}

/// What is wrong with a nearest number, given its truth; empty if nothing is.
std::string fault_of(const NearestNumber& number, const Enclosure& truth) {
  const auto distance = [&](double value) { return std::fabs(signed_error(value, truth)); };
  if (!is_member(number.format, number.nearest)) {
    return "it is no number of the format";
  }
  if (!(number.below < number.nearest && number.nearest < number.above)) {
    return "its neighbours are not beside it";
  }
  // The other zero, where there is one, lies between a zero and the number on its other side.
  const bool has_two_zeros = number.nearest == 0 && traits(number.format).has_negative_zero();
  const bool is_negative = std::signbit(number.nearest);
  if (ordinal_distance(number.format, number.below, number.nearest) !=
          (has_two_zeros && !is_negative ? 2U : 1U) ||
      ordinal_distance(number.format, number.above, number.nearest) !=
          (has_two_zeros && is_negative ? 2U : 1U)) {
    return "another number lies between";
  }
  if (distance(number.below) < distance(number.nearest) ||
      distance(number.above) < distance(number.nearest)) {
    return "a neighbour is nearer";
  }
  const auto ulp = ulp_at(number.format, truth.approximately());
  if (std::fabs(*number.beyond * ulp + signed_error(number.nearest, truth)) > 1e-9 * ulp) {
    return "its distance from the truth is another";
  }
  const double midpoint = number.nearest / 2 + (*number.beyond > 0 ? number.above : number.below) / 2;
  const double hardness = distance(midpoint) / ulp;
  return number.format == Format::binary64 ||  // which does not hold its midpoints
                 (std::exp2(-*number.bits_beyond) <= hardness &&
                  (*number.bits_beyond == 1 || hardness < 2 * std::exp2(-*number.bits_beyond)))
             ? ""
             : "its distance from a midpoint is another";
}

RC_GTEST_PROP(NearestNumber, HasTheTruthBetweenItsNeighbours, ()) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 64})");
  const ElementWish wish{.position = *rc::gen::inRange(1, 1 << 20), .pair = *rc::gen::inRange(0, 32)};
  for (const auto& element : defined_elements(*encoding, wish, "spec")) {
    const auto truth = tight_enclosure(element.truth);
    for (const auto& number : element_value(element, wish.position, 20, std::nullopt).nearest) {
      RC_ASSERT(number.has_value());
      RC_ASSERT(fault_of(*number, truth) == "");
      auto shifted = *number;
      shifted.nearest = number->above;
      RC_ASSERT(fault_of(shifted, truth) != "");
      auto farther = *number;
      farther.below = next_down(number->format, number->below);
      RC_ASSERT(fault_of(farther, truth) == "another number lies between");
      auto mirrored = *number;
      mirrored.beyond = -*number->beyond;
      RC_ASSERT(fault_of(mirrored, truth) == "its distance from the truth is another");
      auto harder = *number;
      ++*harder.bits_beyond;
      RC_ASSERT(number->format == Format::binary64 ||
                fault_of(harder, truth) == "its distance from a midpoint is another");
    }
  }
}

/// The decimals agree with the number that a double makes of them, however many there are.
RC_GTEST_PROP(ElementValue, DecimalsAreThoseOfTheTruth, ()) {
  const auto encoding = parsed(sinusoid);
  const ElementWish wish{.position = *rc::gen::inRange(0, 100000), .pair = *rc::gen::inRange(0, 4)};
  const int digits = *rc::gen::inRange(25, 200);
  for (const auto& value : values_at(*encoding, wish, digits)) {
    RC_ASSERT(value.truth->size() ==
              static_cast<std::size_t>(digits) + (value.truth->starts_with('-') ? 3 : 2));
    RC_ASSERT(std::stod(*value.truth) == value.nearest.front()->nearest);
  }
}

class ValueCommand : public Program {
 protected:
  nlohmann::json document(const std::string& arguments) const {
    const auto outcome = run("value --spec spec.json " + arguments + " --json -");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
};

TEST_F(ValueCommand, TellsTheNumbersAroundTheTruth) {
  const auto outcome = run("value --spec spec.json --position 1 --pair 0");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("encoding: sine of pair 0\n  truth  0.84147098480789650665\n"),
                                 HasSubstr("0x3f576aa4"), HasSubstr(" ulp "), HasSubstr("cosine of pair 0")));
}

TEST_F(ValueCommand, SaysWhatARecipeComputes) {
  const std::string element = "--position 1001 --pair 1 --recipe float32-pow";
  const auto one = document(element).at("elements").at(0);
  const auto& computed = one.at("computed");
  const float phase = 1001.0F * 0.1F;
  EXPECT_EQ(computed.at("got").at("decimal"), shortest_text(Format::binary32, std::sin(phase)));
  EXPECT_NEAR(computed.at("error").at("absolute").get<double>(),
              static_cast<double>(std::sin(phase)) - std::sin(100.1), 1e-12);
  EXPECT_EQ(computed.at("format"), "float32");
  EXPECT_EQ(computed.at("contract"), "float32");
  EXPECT_LT(computed.at("budget_ratio"), 1);
  EXPECT_EQ(computed.at("inconclusive"), false);
  const auto stored = document(element + " --dtype bf16").at("elements").at(0);
  EXPECT_EQ(stored.at("computed").at("got"), stored.at("nearest").at(3).at("nearest"));
  EXPECT_EQ(document(element + " --format bf16").at("elements").at(0), stored);
  EXPECT_EQ(document("--position 16777217 --pair 0 --recipe bfloat16-throughout")
                .at("elements")
                .at(0)
                .at("computed")
                .at("inconclusive"),
            true);
}

/// Where the C library's sine is not rounded correctly, both are told; elsewhere there is nothing to tell.
TEST(ElementValue, TellsWhatACorrectlyRoundedSineGives) {
  const auto encoding = parsed(sinusoid);
  const RecipeWish wish{&*std::ranges::find(recipes(), "float32-pow", &Recipe::id), Format::binary32};
  int others = 0;
  for (std::int64_t position = 0; position < 400; ++position) {
    const auto elements = defined_elements(*encoding, {.position = position, .pair = 0}, "spec");
    const auto value = element_value(elements.front(), position, 20, wish);
    const auto phase = static_cast<double>(position);
    const auto expected = static_cast<double>(static_cast<float>(std::sin(phase)));
    ASSERT_EQ(value.by_recipe->correct_library, expected) << position;
    const bool is_other = value.by_recipe->got != expected;
    others += is_other ? 1 : 0;
    EXPECT_EQ(element_text(*encoding, position, {&value, 1}).find("rounded correctly: ") != std::string::npos,
              is_other);
  }
  EXPECT_LT(others, 40);
}

TEST_F(ValueCommand, TellsAllOfItAsJson) {
  const auto value = document("--position -2^4 --pair 2 --digits 3");
  EXPECT_EQ(value.at("vernier_value"), 1);
  EXPECT_EQ(value.at("position"), -16);
  const auto& sine = value.at("elements").at(0);
  EXPECT_EQ(sine.at("truth"), "-0.159");  // of 0.16 radians
  EXPECT_EQ(sine.at("phase"), "-0.160");
  EXPECT_EQ(sine.at("nearest").at(2).at("format"), "float16");
  EXPECT_EQ(sine.at("nearest").at(2).at("exact"), false);
}

TEST_F(ValueCommand, RefusesInOneSentence) {
  folder_.write("t5.json",
                R"({"scheme": "t5_bucket", "num_buckets": 32, "max_distance": 128, "bidirectional": true})");
  folder_.write("hot.json", R"({"scheme": "one_hot", "num_positions": 8})");
  folder_.write("ntk.json",
                R"({"scheme": "rope", "head_dim": 8, "max_position_embeddings": 16, "sequence_length": 32,
    "rope_scaling": {"rope_type": "dynamic", "factor": 2}})");
  const std::string value = "value --spec spec.json ";
  expect_refused(value + "--position 1", "--pair: found nothing, expected a number from 0 to 3");
  expect_refused(value + "--position 1 --pair 4", "--pair: found 4, expected a number from 0 to 3");
  folder_.write("one.json", R"({"scheme": "rope", "head_dim": 2})");
  expect_refused("value --spec one.json --position 1 --pair 1", "--pair: found 1, expected 0, as ");
  expect_refused(value + "--position 1 --pair -1", "--pair");
  expect_refused(value + "--position 1 --pair x", "--pair: found \"x\", expected ");
  expect_refused(value + "--pair 1", "--position is required");
  expect_refused(value + "--position 2^32 --pair 1",
                 "--position: found \"2^32\", expected a position from -2^31");
  expect_refused(value + "--position 0:9 --pair 1", "--position: found \"0:9\"");
  expect_refused(value + "--position 1 --pair 1 --head 0", "--head: found 0, expected none");
  expect_refused(value + "--position 1 --pair 1 --role cos", "--role: found \"cos\", expected encoding");
  expect_refused(value + "--position 1 --pair 1 --digits 1001", "--digits");
  expect_refused(value + "--position 1 --pair 1 --recipe nope", "--recipe: found \"nope\"");
  expect_refused(value + "--position 1 --pair 1 --dtype bf16", "--dtype requires --recipe");
  expect_refused(value + "--position 1 --pair 1 --json spec.json",
                 "--json: found spec.json, which --spec names");
  expect_refused("value --position 1 --pair 1", "value: found neither, expected either --spec or --model");
  expect_refused("value --spec t5.json --position 1 --recipe float32-pow", "buckets are none");
  expect_refused("value --spec hot.json --position 8 --column 0", "8");
  expect_refused("value --spec hot.json --position 1 --column 8", "--column: found 8");
  expect_refused("value --spec ntk.json --position 32 --pair 0",
                 "--position: found 32, expected one below 32");
}

class HardestCommand : public Program {
 protected:
  nlohmann::json document(const std::string& arguments) const {
    const auto outcome = run("hardest --spec spec.json --json - " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
};

/// 355 is the last position up to 400 at which one radian a position comes nearer to a multiple of pi/2 than
/// before, with 226 of them; a thousandth of a radian comes nearest to the first one at 1571.
TEST_F(HardestCommand, TellsOfEachPairThePhaseThatIsHardToReduce) {
  const auto phases = document("--last 1600").at("phases");
  ASSERT_EQ(phases.size(), 4U);
  EXPECT_EQ(phases.at(0).at("position"), 355);
  EXPECT_EQ(phases.at(0).at("quarter_turns"), "226");
  EXPECT_NEAR(phases.at(0).at("rest").get<double>(), 355 - 113 * std::numbers::pi, 1e-13);
  EXPECT_EQ(phases.at(3).at("position"), 1571);
  EXPECT_EQ(phases.at(3).at("quarter_turns"), "1");
  EXPECT_EQ(document("--last 700").at("phases").size(), 3U) << "pair 3 has not turned so far";
}

/// The elements are as hard as `vernier value` says.
TEST_F(HardestCommand, AgreesWithTheValueOfEachElement) {
  const auto encoding = parsed(sinusoid);
  const auto formats = all_formats();
  const auto hardest = document("--last 3000 --dtype f32,bf16,float8_e4m3fn");
  for (const auto& rounding : hardest.at("roundings")) {
    const auto index =
        std::ranges::find(formats, *format_named(rounding.at("format").get<std::string>())) - formats.begin();
    EXPECT_EQ(rounding.at("elements").size(), 8U);
    for (const auto& element : rounding.at("elements")) {
      const auto values = values_at(*encoding, {.position = element.at("position").get<std::int64_t>(),
                                                .pair = element.at("pair").get<std::int64_t>()});
      const auto& value = values[element.at("component") == "sine" ? 0 : 1];
      EXPECT_EQ(element.at("bits_beyond_format"),
                *value.nearest[static_cast<std::size_t>(index)]->bits_beyond);
      EXPECT_GE(element.at("bits_beyond_format"), 8) << "one of 3000 elements is within 2^-11";
    }
  }
}

TEST_F(HardestCommand, PrintsTheHardestFirst) {
  const auto outcome = run("hardest --spec spec.json --last 400 -n 1 --dtype float16 --threads 2 -q");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("positions 1 to 400"), HasSubstr("355     0  3.01e-05 above 226 pi/2"),
                    HasSubstr("two numbers of float16"), Not(HasSubstr("bfloat16"))));
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(run("hardest --spec spec.json --last 400 -n 1 --dtype float16 --threads 1 -q").out, outcome.out);
}

TEST_F(HardestCommand, RefusesInOneSentence) {
  folder_.write("alibi.json", R"({"scheme": "alibi", "num_heads": 8})");
  folder_.write("shifted.json", R"({"scheme": "rope", "head_dim": 8, "position_offset": 0.5})");
  expect_refused("hardest --spec alibi.json",
                 "found \"alibi\", expected one whose sines and cosines are all of one position");
  expect_refused("hardest --spec shifted.json", "found positions that are scaled or shifted");
  expect_refused("hardest --spec spec.json --last 0", "--last: found 0, expected a position from 1 on");
  expect_refused("hardest --spec spec.json --last 2^32", "--last: found \"2^32\"");
  expect_refused("hardest --spec spec.json --dtype int32", "--dtype");
  expect_refused("hardest", "expected either --spec or --model");
}

}  // namespace
}  // namespace vernier
