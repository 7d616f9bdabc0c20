// What is refused of biases that are no linear function of the distance: KERPLE and Sandwich.

#include <string>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

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
