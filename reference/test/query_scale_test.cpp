// Scales of queries: values worked out by hand, on both sides of every kind of edge, and what is refused.

#include <string>

#include <gmock/gmock.h>

#include "reference/support/input_error.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/rounds_to.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

Interval scale(const std::string& keys, std::int64_t position) {
  const WorkingPrecision precision(128);
  return parsed(R"({"scheme": "query_scale", )" + keys + "}")->all<ExactTable>().at(0).entry(position, 0)();
}

/// transformers, modeling_llama4: floor((p + 1)/8192) is 1 from p = 8191 on; modeling_ministral3:
/// floor(p/16384) from 16384 on.
TEST(QueryScale, StepsAtItsEdges) {
  const std::string llama4 = R"("floor_scale": 8192, "position_offset": 1)";
  const std::string ministral = R"("floor_scale": 16384)";
  EXPECT_EQ(scale(llama4, 0), 1);
  EXPECT_EQ(scale(llama4, 8190), 1);
  EXPECT_TRUE(rounds_to(scale(llama4, 8191), "1.0693147180559945309"));
  EXPECT_TRUE(rounds_to(scale(llama4, 16382), "1.0693147180559945309"));
  EXPECT_TRUE(rounds_to(scale(llama4, 16383), "1.1098612288668109691"));
  EXPECT_EQ(scale(ministral, 16383), 1);
  EXPECT_TRUE(rounds_to(scale(ministral, 16384), "1.0693147180559945309"));
  EXPECT_TRUE(rounds_to(scale(R"("floor_scale": 1000, "beta": 0.5)", 6999), "1.9729550745276566526"));
}

/// modeling_qwen, logn_list: math.log(i, seq_length) of the count i of positions, 1 up to seq_length.
TEST(QueryScale, GrowsBeyondTheLengthThatWasTrained) {
  const std::string qwen = R"("rule": "log_n", "training_length": 2048)";
  EXPECT_EQ(scale(qwen, 0), 1);
  EXPECT_EQ(scale(qwen, 2047), 1);
  EXPECT_TRUE(rounds_to(scale(qwen, 2048), "1.00006402"));
  EXPECT_TRUE(rounds_to(scale(qwen, 8191), "1.1818181818181818"));
  EXPECT_TRUE(rounds_to(scale(qwen + R"(, "position_offset": 0)", 8192), "1.1818181818181818"));
}

TEST(QueryScale, IsRefusedWhereItMeansNothing) {
  const auto expect_refused = [](const std::string& keys, const std::string& sentence) {
    const auto spec = R"({"scheme": "query_scale")" + keys + "}";
    EXPECT_THAT(refusal_of_spec(spec), StrEq("case.json: " + sentence)) << spec;
  };
  expect_refused("", "spec.floor_scale: missing, expected an integer from 1 to 2147483648");
  expect_refused(R"(, "rule": "log_n", "training_length": 1)",
                 "spec.training_length: found 1, expected an integer from 2 to 2147483648");
  expect_refused(R"(, "floor_scale": 8, "beta": 0)",
                 "spec.beta: found 0, expected a number from 1e-30 to 1e30");
  expect_refused(R"(, "floor_scale": 8, "position_offset": 2)",
                 "spec.position_offset: found 2, expected an integer from 0 to 1");
  expect_refused(R"(, "rule": "floor", "floor_scale": 8)",
                 R"(spec.rule: found the string "floor", expected "floor_log", "log_n" or "log")");
  EXPECT_THROW(scale(R"("floor_scale": 8)", -1), InputError);
}

}  // namespace
}  // namespace vernier
