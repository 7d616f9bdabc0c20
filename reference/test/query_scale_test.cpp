// What is refused of scales of queries.

#include <string>

#include <gmock/gmock.h>

#include "reference/support/input_error.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

Interval scale(const std::string& keys, std::int64_t position) {
  const WorkingPrecision precision(128);
  return parsed(R"({"scheme": "query_scale", )" + keys + "}")->all<ExactTable>().at(0).entry(position, 0)();
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
