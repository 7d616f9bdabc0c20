#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StrEq;

std::string sinusoidal(const std::string& keys) {
  return R"({"scheme": "sinusoidal", )" + keys + "}";
}
std::string rope_text(const std::string& keys) {
  return R"({"scheme": "rope", )" + keys + "}";
}

struct BadSpec {
  std::string text;
  std::string sentence;
};

void expect_refused(const std::vector<BadSpec>& specs) {
  for (const auto& [text, sentence] : specs) {
    EXPECT_THAT(refusal_of_spec(text), StrEq(sentence)) << text;
  }
}

const std::string dimension_range = "expected an integer from 1 to 65536";
const std::string expected_base = "expected a number greater than 1, at most 1e30";

TEST(BadSpecs, OfSinusoidalAreRefusedWithFileKeyFoundAndExpected) {
  expect_refused(
      {{sinusoidal(R"("d_model": 0)"), "case.json: spec.d_model: found 0, " + dimension_range},
       {sinusoidal(R"("d_model": -3)"), "case.json: spec.d_model: found -3, " + dimension_range},
       {sinusoidal(R"("d_model": 1.5)"), "case.json: spec.d_model: found 1.5, " + dimension_range},
       {sinusoidal(R"("d_model": 1000000000)"),
        "case.json: spec.d_model: found 1000000000, " + dimension_range},
       {sinusoidal(R"("d_model": 1e300)"), "case.json: spec.d_model: found 1e300, " + dimension_range},
       {sinusoidal(R"("d_model": "512")"),
        "case.json: spec.d_model: found the string \"512\", " + dimension_range},
       {sinusoidal(R"("base": 10000)"), "case.json: spec.d_model: missing, " + dimension_range},
       {sinusoidal(R"("d_model": 8, "base": 0)"), "case.json: spec.base: found 0, " + expected_base},
       {sinusoidal(R"("d_model": 8, "base": -1)"), "case.json: spec.base: found -1, " + expected_base},
       {sinusoidal(R"("d_model": 8, "base": 1)"), "case.json: spec.base: found 1, " + expected_base},
       {sinusoidal(R"("d_model": 8, "base": 1e31)"), "case.json: spec.base: found 1e31, " + expected_base},
       {sinusoidal(R"("d_model": 8, "base": "1e4")"),
        "case.json: spec.base: found the string \"1e4\", " + expected_base},
       {sinusoidal(R"("d_model": 8, "scale": 0)"),
        "case.json: spec.scale: found 0, expected a number from 1e-30 to 1e30"},
       {sinusoidal(R"("d_model": 8, "layout": "half")"),
        "case.json: spec.layout: found the string \"half\", expected \"interleaved\" or \"halves\""},
       {sinusoidal(R"("d_model": 8, "padding_idx": 2147483649)"),
        "case.json: spec.padding_idx: found 2147483649, expected an integer from -2147483648 to 2147483648"},
       {sinusoidal(R"("d_model": 2, "frequency": "tensor2tensor")"),
        "case.json: spec.d_model: found 2, expected at least 4, as the tensor2tensor frequencies divide by "
        "d_model/2 - 1"},
       {sinusoidal(R"("d_model": 15, "frequency": "tensor2tensor")"),
        "case.json: spec.d_model: found 15, expected an even number: tensor2tensor defines odd ones for the "
        "\"halves\" layout only"},
       {sinusoidal(R"("d_model": 9, "layout": "halves", "frequency": "tensor2tensor", "odd_width": "lone")"),
        "case.json: spec.odd_width: found the string \"lone\", expected \"zero\", as tensor2tensor leaves "
        "the "
        "last column of an odd width so"},
       {sinusoidal(R"("d_model": 1, "odd_width": "zero")"),
        "case.json: spec.d_model: found 1, expected at least 2, as the last column of an odd width is to be "
        "zero"},
       {sinusoidal(R"("d_model": 8, "bsae": 500)"),
        "case.json: spec: found the unknown key \"bsae\", expected only scheme, d_model, base, layout, "
        "order, frequency, downscale_freq_shift, odd_width, first, last, first_position, padding_idx, "
        "scale, position_unit, "
        "position_scale, position_offset, frequency_scale; did you mean \"base\"?"}});
}

TEST(BadSpecs, OfRopeAreRefusedWithFileKeyFoundAndExpected) {
  expect_refused(
      {{rope_text(R"("head_dim": 65)"),
        "case.json: spec.head_dim: found 65, expected an even number, as dimensions rotate in pairs"},
       {rope_text(R"("head_dim": 0)"),
        "case.json: spec.head_dim: found 0, expected an integer from 2 to 65536"},
       {rope_text(R"("head_dim": 64, "rope_theta": 1)"),
        "case.json: spec.rope_theta: found 1, " + expected_base},
       {rope_text(R"("head_dim": 64, "partial_rotary_factor": 0)"),
        "case.json: spec.partial_rotary_factor: found 0, expected a number greater than 0 and at most 1"},
       {rope_text(R"("head_dim": 64, "partial_rotary_factor": 1.01)"),
        "case.json: spec.partial_rotary_factor: found 1.01, expected a number greater than 0 and at most 1"},
       {rope_text(R"("head_dim": 64, "partial_rotary_factor": 0.01)"),
        "case.json: spec.partial_rotary_factor: found 0.01, expected a factor that makes an even number of "
        "at least 2 rotating dimensions out of 64, not 0"},
       {rope_text(R"("head_dim": 64, "partial_rotary_factor": 0.05)"),
        "case.json: spec.partial_rotary_factor: found 0.05, expected a factor that makes an even number of "
        "at least 2 rotating dimensions out of 64, not 3"},
       {rope_text(R"("head_dim": 64, "direction": "left")"),
        "case.json: spec.direction: found the string \"left\", expected \"counterclockwise\" or "
        "\"clockwise\""}});
}

std::string scheme(const std::string& name, const std::string& keys) {
  return std::string(R"({"scheme": ")") + name + "\", " + keys + "}";
}

TEST(BadSpecs, OfRelativeSchemesAreRefusedWithFileKeyFoundAndExpected) {
  const std::string heads_range = "expected an integer from 1 to 65536";
  expect_refused(
      {{scheme("alibi", R"("num_heads": 0)"), "case.json: spec.num_heads: found 0, " + heads_range},
       {scheme("alibi", R"("num_heads": 1000000000)"),
        "case.json: spec.num_heads: found 1000000000, " + heads_range},
       {scheme("alibi", R"("bias": "distance")"), "case.json: spec.num_heads: missing, " + heads_range},
       {scheme("alibi", R"("num_heads": 8, "max_bias": 0)"),
        "case.json: spec.max_bias: found 0, expected a number greater than 0 and at most 64"},
       {scheme("t5_bucket", R"("num_buckets": 1)"),
        "case.json: spec.num_buckets: found 1, expected an integer from 4 to 1024"},
       {scheme("t5_bucket", R"("num_buckets": 1, "bidirectional": false)"),
        "case.json: spec.num_buckets: found 1, expected an integer from 2 to 1024"},
       {scheme("t5_bucket", R"("num_buckets": 33)"),
        "case.json: spec.num_buckets: found 33, expected an even number, as each direction has half of the "
        "buckets"},
       {scheme("t5_bucket", R"("num_buckets": 32, "max_distance": 8)"),
        "case.json: spec.max_distance: found 8, expected an integer from 9 to 2147483648"},
       {scheme("t5_bucket", R"("num_buckets": 32, "max_distance": 16, "bidirectional": false)"),
        "case.json: spec.max_distance: found 16, expected an integer from 17 to 2147483648"},
       {scheme("t5_bucket", R"("num_buckets": 512)"),
        "case.json: spec.max_distance: missing, expected more than the 128 distances that have a bucket "
        "each"},
       {scheme("t5_bucket", R"("bidirectional": 1)"),
        "case.json: spec.bidirectional: found 1, expected true or false"},
       {scheme("deberta_bucket", R"("bucket_size": 3)"),
        "case.json: spec.bucket_size: found 3, expected an integer from 4 to 1024"},
       {scheme("deberta_bucket", R"("bucket_size": 256, "max_position": 255)"),
        "case.json: spec.max_position: found 255, expected an integer from 256 to 2147483648"},
       {scheme("deberta_bucket", R"("bucket_size": 1024)"),
        "case.json: spec.max_position: missing, expected at least bucket_size, 1024"},
       {scheme("deberta_bucket", R"("clamp": "yes")"),
        "case.json: spec.clamp: found the string \"yes\", expected true or false"}});
}

/// What every spec may get wrong, and the scaled rotations that this version does not know: refused
/// by name.
TEST(BadSpecs, NameTheSchemeOrTheScalingTheyFound) {
  EXPECT_THAT(refusal_of_spec(R"({"d_model": 8})"),
              StrEq("case.json: spec.scheme: missing, expected a string"));
  EXPECT_THAT(refusal_of_spec(R"({"scheme": 3})"),
              StrEq("case.json: spec.scheme: found 3, expected a string"));
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "rotary"})"),
              AllOf(HasSubstr("case.json: spec.scheme: found the string \"rotary\", expected one of "),
                    HasSubstr("\"sinusoidal\""), HasSubstr("\"rope\"")));
  EXPECT_THAT(refusal_of_spec("[]"), StrEq("case.json: spec: found an array, expected an object"));
  EXPECT_THAT(refusal_of_spec(sinusoidal(R"("d_model": 8, "base": NaN)")),
              HasSubstr("not JSON: found \"NaN\", expected a value"));
  EXPECT_THAT(
      refusal_of_spec(rope_text(R"("head_dim": 64, "rope_scaling": {"rope_type": "elastic", "factor": 8})")),
      HasSubstr("case.json: spec.rope_scaling.rope_type: found the string \"elastic\", expected"));
  EXPECT_THAT(refusal_of_spec(rope_text(R"("head_dim": 64, "rope_scaling": {"type": "elastic"})")),
              HasSubstr("case.json: spec.rope_scaling.type: found the string \"elastic\", expected"));
  EXPECT_THAT(refusal_of_spec(rope_text(R"("head_dim": 64, "rope_scaling": 8)")),
              StrEq("case.json: spec.rope_scaling: found 8, expected an object"));
}

TEST(Spec, KeepsDecimalsThatNoDoubleHolds) {
  for (const std::string number : {"0.1", "0.4", "10000.1", "1e-30", "22.627416997969522"}) {
    const auto encoding = parsed(sinusoidal("\"d_model\": 4, \"scale\": " + number));
    const auto again = parsed(encoding->spec().dump());
    EXPECT_EQ(again->plain_tables()[0].amplitude, *parse_rational(number)) << number;
  }
}

TEST(Spec, HasTheDefaultsOfThePaper) {
  EXPECT_EQ(parsed(sinusoidal(R"("d_model": 512)"))->spec(),
            OrderedJson::parse(
                R"({"scheme": "sinusoidal", "d_model": 512, "base": 10000, "layout": "interleaved",
                "order": "sin_cos", "frequency": "paper", "odd_width": "lone", "first_position": 0, "padding_idx": null, "scale": 1})"));
  EXPECT_EQ(parsed(rope_text(R"("head_dim": 128)"))->spec(),
            OrderedJson::parse(R"({"scheme": "rope", "head_dim": 128, "rope_theta": 10000, "layout": "half",
                "partial_rotary_factor": 1, "direction": "counterclockwise"})"));
  EXPECT_EQ(parsed(rope_text(R"("head_dim": 128, "rope_scaling": {"type": "default"})"))->spec(),
            parsed(rope_text(R"("head_dim": 128, "rope_scaling": null)"))->spec());
}

std::vector<double> float64_row(const std::string& spec, std::int64_t position) {
  CertifiedTable table(parsed(spec)->plain_tables().at(0));
  std::vector<Enclosure> row(table.columns());
  table.row(position, row);
  std::vector<double> values;
  for (std::size_t c = 0; c < row.size(); ++c) {
    values.push_back(table.rounded_entry(Format::binary64, position, c, row[c]).value());
  }
  return values;
}

/// Three behaviours exist in the wild. The formula ends with a sine that has no cosine: sin(5000 *
/// 10000^(-6/7)) here. Some code leaves the last column zero ("odd_width": "zero"), as tensor2tensor does.
/// Some code refuses odd widths: so does a spec whose layout leaves open where tensor2tensor's zero column
/// would go (BadSpecs has its sentence).
TEST(OddWidth, EndsInALoneSineByTheFormula) {
  const auto columns = parsed(sinusoidal(R"("d_model": 7)"))->plain_tables()[0].columns;
  ASSERT_EQ(columns.size(), 7U);
  EXPECT_EQ(columns[6].pair, 3);
  EXPECT_EQ(columns[6].component, Component::sine);
  // mpmath: sin(1*10000**(-6/7)), sin(5000*10000**(-6/7)).
  EXPECT_DOUBLE_EQ(float64_row(sinusoidal(R"("d_model": 7)"), 1)[6], 0.000372759363399036277872);
  EXPECT_DOUBLE_EQ(float64_row(sinusoidal(R"("d_model": 7)"), 5000)[6], 0.957381553981024878869);
  const auto halves = parsed(sinusoidal(R"("d_model": 7, "layout": "halves")"))->plain_tables()[0].columns;
  EXPECT_EQ(halves[3].pair, 3) << "four sines, then three cosines";
  EXPECT_EQ(halves[3].component, Component::sine);
  EXPECT_EQ(halves[4].pair, 0);
  EXPECT_EQ(halves[6].component, Component::cosine);
}

TEST(OddWidth, EndsInAZeroColumnWhereTheSpecSaysSo) {
  const auto lone = float64_row(sinusoidal(R"("d_model": 7)"), 5000);
  const auto zero = float64_row(sinusoidal(R"("d_model": 7, "odd_width": "zero")"), 5000);
  ASSERT_EQ(zero.size(), 7U);
  EXPECT_EQ(zero[6], 0);
  EXPECT_TRUE(std::equal(zero.begin(), zero.begin() + 6, lone.begin())) << "the exponents are those of d = 7";
  EXPECT_EQ(float64_row(sinusoidal(R"("d_model": 8, "odd_width": "zero")"), 3),
            float64_row(sinusoidal(R"("d_model": 8)"), 3));
}

TEST(OddWidth, EndsInAZeroColumnInTensor2tensor) {
  const auto row =
      float64_row(sinusoidal(R"("d_model": 7, "layout": "halves", "frequency": "tensor2tensor")"), 5000);
  ASSERT_EQ(row.size(), 7U);
  EXPECT_EQ(row[6], 0);
  EXPECT_FALSE(std::signbit(row[6]));
  EXPECT_NE(row[5], 0);
}

TEST(Padding, MakesItsRowZeroAndNoOther) {
  const std::string spec = sinusoidal(R"("d_model": 4, "padding_idx": 1)");
  EXPECT_THAT(float64_row(spec, 1), ::testing::Each(0.0));
  EXPECT_THAT(float64_row(spec, 0), ::testing::ElementsAre(0, 1, 0, 1));
  EXPECT_NE(float64_row(spec, 2)[0], 0);
}

}  // namespace
}  // namespace vernier
