#include "reference/json/json.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "reference/json/json_tree.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StrEq;

std::string json_refusal(std::string_view text) {
  return refusal_of([text] { parse_json(text, "spec.json"); });
}

bool allows_any_number(const Rational& /*value*/) {
  return true;
}

TEST(Json, HoldsNoZeroCharacters) {
  using namespace std::string_view_literals;
  EXPECT_THAT(json_refusal("{}\0anything"sv),
              StrEq("spec.json, line 1, column 3: not JSON: found a zero character, expected text"));
  EXPECT_THAT(json_refusal(R"({"file": "cos.npy\u0000.evil"})"),
              HasSubstr("expected none with a zero character"));
  EXPECT_THAT(json_refusal(R"({"key\u0000": 1})"), HasSubstr("expected none with a zero character"));
}

/// The number under "x", exactly.
Rational number_in(const std::string& text) {
  const auto document = parse_json(text, "spec.json");
  ObjectReader reader(document, "spec.json", "spec");
  return reader.number("x", allows_any_number, "a number");
}

TEST(JsonNumber, IsExact) {
  const auto document = parse_json(
      R"({"tenth": 0.1, "e": 1e4, "tiny": 1e-400, "negative": -12.50E-1, "zero": -0, "large": 123456789012345678901234567890,
          "plus": 5e+3, "digits": 0.1000000000000000055511151231257827})",
      "spec.json");
  ObjectReader reader(document, "spec.json", "");
  const auto number = [&reader](std::string_view key) {
    return reader.number(key, allows_any_number, "a number");
  };
  EXPECT_EQ(number("tenth"), Rational(1, 10));
  EXPECT_EQ(number("e"), 10000);
  EXPECT_EQ(number("tiny") * Rational(boost::multiprecision::pow(boost::multiprecision::mpz_int(10), 400)),
            1);
  EXPECT_EQ(number("negative"), Rational(-5, 4));
  EXPECT_EQ(number("zero"), 0);
  EXPECT_EQ(number("large"), *parse_rational("123456789012345678901234567890"));
  EXPECT_EQ(number("plus"), 5000);
  EXPECT_NE(number("digits"), Rational(1, 10));
  EXPECT_NE(number("digits"), exact_rational(0.1));
  reader.finish();
}

/// Ten to the billionth has half a gigabyte: it is refused by its text.
TEST(JsonNumber, OfNoReasonableSizeIsRefusedUnexpanded) {
  EXPECT_THAT(json_refusal(R"({"x": 1e999999999})"), AllOf(HasSubstr("spec.json, line 1, column 7: "),
                                                           HasSubstr("1e999999999"), HasSubstr("1.8e308")));
  for (const std::string text : {"1e-999999999", "1e-99999999999999999999", "1e-4001"}) {
    EXPECT_THAT(refusal_of([&text] { number_in("{\"x\": " + text + "}"); }),
                StrEq("spec.json: spec.x: found " + text + ", expected a number"));
  }
  EXPECT_EQ(parse_rational("1e999999999"), std::nullopt);
  EXPECT_EQ(parse_rational("1e4001"), std::nullopt);
  EXPECT_EQ(parse_rational(std::string(4001, '1')), std::nullopt);
  EXPECT_TRUE(parse_rational("1e4000").has_value());
}

TEST(JsonNumber, IsNothingElse) {
  for (const std::string_view text : {"", "-", "+1", ".5", "1.", "1e", "1e+", "--1", "1 ", " 1", "0x10",
                                      "1/3", "NaN", "inf", "1,5", "1e1.5", "1_000"}) {
    EXPECT_EQ(parse_rational(text), std::nullopt) << '"' << text << '"';
  }
}

/// The decimal of a rational reads back as the rational, and the double nearest to it is the one a compiler
/// would choose.
RC_GTEST_PROP(Decimal, RoundTrips, ()) {
  const auto digits = *rc::gen::arbitrary<std::int32_t>();
  const auto exponent = *rc::gen::inRange(-12, 12);
  const std::string text = std::to_string(digits) + "e" + std::to_string(exponent);
  const Rational value = *parse_rational(text);
  RC_ASSERT(parse_rational(to_string(value)) == value);
  RC_ASSERT(approximately(value) == std::strtod(text.c_str(), nullptr));
}

TEST(Decimal, IsTheShortestHonestOne) {
  EXPECT_EQ(to_string(Rational(1, 4)), "0.25");
  EXPECT_EQ(to_string(Rational(-1, 80)), "-0.0125");
  EXPECT_EQ(to_string(Rational(10000)), "10000");
  EXPECT_EQ(to_string(Rational(2, 3)), "2/3");
  EXPECT_EQ(to_string(Rational(0)), "0");
}

TEST(JsonText, ThatIsNotJsonIsRefusedWithItsPlace) {
  EXPECT_THAT(
      json_refusal("{\n  \"base\": 1e4\n  \"factor\": 2}"),
      StrEq("spec.json, line 3, column 3: not JSON: found the string \"factor\", expected a comma or a "
            "closing brace"));
  for (const std::string_view text :
       {"", "{", "{\"a\": 1,}", "{'a': 1}", "[1] 2", "{\"a\": 01}", "// comment\n1", "\"\xff\""}) {
    EXPECT_THAT(json_refusal(text),
                AllOf(HasSubstr("spec.json, line 1, column "), HasSubstr(": not JSON: found ")))
        << text;
  }
}

TEST(JsonValues, AreTheSameWhateverTheirDigits) {
  const auto same = [](const std::string& one, const std::string& other) {
    return same_value(parse_json(one, "one"), parse_json(other, "other"));
  };
  for (const std::string text :
       {"null", "true", "false", "1", "\"a\"", "[1, 2]", R"({"a": 1, "b": [null]})"}) {
    EXPECT_TRUE(same(text, text)) << text;
    EXPECT_FALSE(same(text, "[0]")) << text;
  }
  EXPECT_TRUE(same("100", "1.0e2"));
  EXPECT_FALSE(same("100", "101"));
  EXPECT_FALSE(same("true", "false"));
  EXPECT_FALSE(same("[1, 2]", "[1, 3]"));
  EXPECT_TRUE(same(R"({"a": 1, "b": 2})", R"({"b": 2.0, "a": 1})"));
  EXPECT_FALSE(same(R"({"a": 1})", R"({"b": 1})"));
  EXPECT_FALSE(same(R"({"a": 1})", R"({"a": 2})"));
  const std::string long_number = "0." + std::string(5000, '1');
  EXPECT_TRUE(same(long_number, long_number)) << "a number that is no rational of ours";
  EXPECT_FALSE(same(long_number, long_number + "1"));
}

TEST(JsonValues, AreShownShortly) {
  const auto shown = [](const std::string& text) { return short_text(parse_json(text, "x")); };
  EXPECT_EQ(shown("[1, 2]"), "an array");
  EXPECT_EQ(shown("{}"), "an object");
  EXPECT_EQ(shown("1.50"), "1.50");
  EXPECT_EQ(shown("false"), "false");
  EXPECT_EQ(parse_json("false", "x").found(), "false");
}

TEST(JsonText, WithARepeatedKeyIsRefused) {
  EXPECT_THAT(json_refusal(R"({"base": 1e4, "layout": "halves", "base": 1e6})"),
              StrEq("spec.json: the key \"base\" stands twice in one object"));
  EXPECT_THAT(json_refusal(R"({"a": {"b": 1}, "c": {"b": 1}})"), StrEq("")) << "the same key in two objects";
}

TEST(JsonText, MayNestSixtyFourDeepAndNoDeeper) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_THAT(json_refusal(nested(64)), StrEq(""));
  EXPECT_THAT(json_refusal(nested(65)), StrEq("spec.json: found more than 64 levels of nesting"));
  EXPECT_THAT(json_refusal(std::string(1000000, '[')),
              StrEq("spec.json: found more than 64 levels of nesting"));
}

TEST(JsonText, ShownInErrorsIsCutAndFreeOfControlCharacters) {
  const auto sentence =
      json_refusal("{\"" + std::string(1000, 'k') + "\": 1, \"" + std::string(1000, 'k') + "\": 2}");
  EXPECT_LT(sentence.size(), 150U);
  EXPECT_THAT(json_refusal("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}"), HasSubstr("\\u001b[31m"));
}

TEST(JsonFile, ThatDoesNotExistIsNamed) {
  EXPECT_THAT(refusal_of([] { read_json("no/such/spec.json"); }), StrEq("no/such/spec.json: no such file"));
  const auto folder = std::filesystem::temp_directory_path();
  EXPECT_THAT(refusal_of([&folder] { read_json(folder); }),
              StrEq(folder.string() + ": found a folder or device, expected a JSON file"));
}

class Reader : public ::testing::Test {
 protected:
  JsonValue document_ = parse_json(
      R"({"count": 7, "name": "x", "half": 0.5, "nothing": null, "list": [], "inner": {"deep": true}})",
      "spec.json");
  ObjectReader reader_{document_, "spec.json", "spec"};
};

TEST_F(Reader, ReadsWhatIsThere) {
  EXPECT_EQ(reader_.integer("count", 0, 10), 7);
  EXPECT_EQ(reader_.string("name"), "x");
  EXPECT_EQ(reader_.optional_number("half", allows_any_number, "a number"), Rational(1, 2));
  EXPECT_EQ(reader_.choice("name", {"w", "x"}, 0), 1U);
  EXPECT_EQ(reader_.choice("absent", {"w", "x"}, 1), 1U);
  EXPECT_EQ(reader_.optional_integer("absent", 0, 10), std::nullopt);
  EXPECT_EQ(reader_.optional_string("nothing"), std::nullopt) << "null means absent";
  EXPECT_FALSE(reader_.has("nothing"));
  EXPECT_THAT(reader_.keys(), ::testing::ElementsAre("count", "name", "half", "nothing", "list", "inner"));
}

TEST_F(Reader, NamesFileKeyFoundAndExpected) {
  EXPECT_THAT(refusal_of([this] { reader_.integer("half", 1, 9); }),
              StrEq("spec.json: spec.half: found 0.5, expected an integer from 1 to 9"));
  EXPECT_THAT(refusal_of([this] { reader_.integer("count", 8, 9); }),
              StrEq("spec.json: spec.count: found 7, expected an integer from 8 to 9"));
  EXPECT_THAT(refusal_of([this] { reader_.integer("absent", 1, 9); }),
              StrEq("spec.json: spec.absent: missing, expected an integer from 1 to 9"));
  EXPECT_THAT(refusal_of([this] { reader_.string("count"); }),
              StrEq("spec.json: spec.count: found 7, expected a string"));
  EXPECT_THAT(refusal_of([this] { reader_.string("nothing"); }),
              StrEq("spec.json: spec.nothing: found null, expected a string"));
  EXPECT_THAT(refusal_of([this] {
                reader_.choice("name", {"a", "b", "c"}, 0);
              }),
              StrEq("spec.json: spec.name: found the string \"x\", expected \"a\", \"b\" or \"c\""));
  EXPECT_THAT(refusal_of([this] { reader_.object("list"); }),
              StrEq("spec.json: spec.list: found an array, expected an object"));
  EXPECT_THAT(refusal_of([this] { reader_.object("inner").integer("deep", 0, 1); }),
              StrEq("spec.json: spec.inner.deep: found true, expected an integer from 0 to 1"));
  EXPECT_THAT(refusal_of([] { ObjectReader(JsonValue(), "spec.json", ""); }),
              StrEq("spec.json: found null, expected an object"));
}

TEST_F(Reader, RefusesKeysNobodyAskedFor) {
  reader_.integer("count", 0, 10);
  reader_.string("name");
  reader_.ignore("half");
  reader_.ignore("nothing");
  reader_.ignore("inner");
  EXPECT_THAT(refusal_of([this] { reader_.finish(); }),
              StrEq("spec.json: spec: found the unknown key \"list\", expected only count, name, half, "
                    "nothing, inner"));
  reader_.ignore("list");
  EXPECT_THAT(refusal_of([this] { reader_.finish(); }), StrEq(""));
}

}  // namespace
}  // namespace vernier
