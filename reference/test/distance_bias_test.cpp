// Biases that are no linear function of the distance: KERPLE and Sandwich, worked out by hand, and what is
// refused.

#include <string>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"
#include "reference/test/rounds_to.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

/// The bias of a key so far behind its query.
Interval bias(const std::string& text, std::size_t head, std::int64_t distance) {
  const WorkingPrecision precision(128);
  const auto table = parsed(text)->all<BiasTable>().at(0);
  const std::vector<std::int64_t> keys{100 - distance, 100};
  return table.entry(head, table.multiplier(keys, 1, 0, 0))();
}

TEST(Kerple, IsALogarithmOrAPowerOfTheDistance) {
  const std::string log = R"({"scheme": "kerple", "scale": [0.5, 2], "a": [1, 3], "p": [1, 0.5]})";
  EXPECT_EQ(bias(log, 0, 0), 0);
  EXPECT_TRUE(rounds_to(bias(log, 0, 1), "-0.34657359027997265"));
  EXPECT_TRUE(rounds_to(bias(log, 0, 7), "-1.03972077083991796"));
  EXPECT_TRUE(rounds_to(bias(log, 0, -7), "-1.03972077083991796"));
  EXPECT_TRUE(rounds_to(bias(log, 1, 4), "-3.89182029811062661"));
  const std::string power = R"({"scheme": "kerple", "kind": "power", "scale": [0.5], "p": [1.5]})";
  EXPECT_EQ(bias(power, 0, 0), 0);
  EXPECT_EQ(bias(power, 0, 4), -4);
  EXPECT_TRUE(rounds_to(bias(power, 0, 2), "-1.41421356237309505"));
}

/// With D = 4 the frequencies are 1/100 and 1/10000.
TEST(Sandwich, IsTheDotProductOfTwoSinusoids) {
  const std::string spec = R"({"scheme": "sandwich", "num_heads": 2, "head_dim": 4})";
  EXPECT_EQ(bias(spec, 0, 0), 0);
  EXPECT_TRUE(rounds_to(bias(spec, 0, 100), "-0.11493692342880"));
  EXPECT_TRUE(rounds_to(bias(spec, 1, 100), "-0.05746846171440"));
  EXPECT_TRUE(rounds_to(bias(spec, 0, -100), "-0.11493692342880"));
}

TEST(DistanceBias, IsRefusedWhereItMeansNothing) {
  const auto expect_refused = [](const std::string& text, const std::string& sentence) {
    EXPECT_THAT(refusal_of_spec(text), StrEq("case.json: " + sentence)) << text;
  };
  expect_refused(R"({"scheme": "kerple"})", "spec.scale: missing, expected an array of numbers, one a head");
  expect_refused(R"({"scheme": "kerple", "scale": [1, 2], "a": [1]})",
                 "spec: a: found 1 numbers, expected 2, as many as scale has");
  expect_refused(R"({"scheme": "kerple", "scale": [1, 0]})",
                 "spec.scale[1]: found 0, expected a number from 1e-30 to 1e30");
  expect_refused(R"({"scheme": "kerple", "scale": [1], "p": [2.5]})",
                 "spec.p[0]: found 2.5, expected a number greater than 0 and at most 2");
  expect_refused(R"({"scheme": "sandwich", "num_heads": 2, "head_dim": 5})",
                 "spec.head_dim: found 5, expected an even number");
}

}  // namespace
}  // namespace vernier
