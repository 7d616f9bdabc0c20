// Faults of position ids, made and named.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/test/made_relative.hpp"

namespace vernier {
namespace {

std::string ids(const std::string& keys) {
  return R"({"scheme": "position_ids", )" + keys + "}";
}

const std::string image_and_video =
    R"("segments": [{"text": 5}, {"image": [1, 4, 6]}, {"text": 3}, {"video": [6, 4, 6]}, {"text": 4}])";
const std::string qwen = R"("rule": "qwen2_vl", )" + image_and_video;
const std::string timed = R"("rule": "qwen2_5_vl", "segments": [{"text": 2},
    {"video": [6, 4, 4], "seconds_per_grid": 0.75}, {"text": 3}])";
const std::string centred_image = R"("rule": "qwen_image", "segments": [{"image": [1, 9, 5]}, {"text": 6}])";

/// What is said of the ids of `made`, with their columns in that order, where `declared` is the spec.
Diagnosis diagnosed(const std::string& declared, const std::string& made,
                    std::array<std::size_t, 3> columns) {
  const auto encoding = parsed(ids(declared));
  const auto expected = encoding->all<ExactTable>().at(0);
  const auto table = parsed(ids(made))->all<ExactTable>().at(0);
  std::vector<std::int64_t> values;
  for (std::int64_t row = 0; row <= *table.last_position; ++row) {
    for (const auto column : columns) {
      values.push_back(*as_integer(table.factor(row, column)));
    }
  }
  const auto rows = values.size() / columns.size();
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  parts.tensors.emplace(role_of(expected),
                        NamedTensor{"ids", integer_tensor({rows, columns.size()}, values)});
  const auto all = diagnose(assemble_case(parts, parsed(ids(declared))), 1);
  return all.empty() ? Diagnosis{} : all.front();
}

TEST(PositionIdDiagnosis, NamesFaultsByTheirKeys) {
  const auto edit = [](const std::string& declared, const std::string& made) {
    const auto found = diagnosed(declared, made, {0, 1, 2});
    return found.is_explained() ? found.explanations.front().findings.front().edit.dump() : told(found);
  };
  const auto replaces = [](const std::string& key, const std::string& value) {
    return R"([{"op":"add","path":"/)" + key + R"(","value":)" + value + "}]";
  };
  EXPECT_EQ(edit(qwen, qwen + R"(, "next_start": "at_greatest")"),
            replaces("next_start", R"("at_greatest")"));
  EXPECT_EQ(edit(qwen, qwen + R"(, "next_start": "after_grid")"), replaces("next_start", R"("after_grid")"));
  const auto at_two = timed + R"(, "tokens_per_second": 2)";
  EXPECT_EQ(edit(at_two, timed + R"(, "tokens_per_second": 1)"), replaces("tokens_per_second", "1"));
  EXPECT_EQ(edit(at_two, at_two + R"(, "temporal_rounding": "nearest")"),
            replaces("temporal_rounding", R"("nearest")"));
  EXPECT_EQ(edit(centred_image, centred_image + R"(, "centre": "rounded_down")"),
            replaces("centre", R"("rounded_down")"));
  EXPECT_EQ(edit(qwen, qwen + R"(, "frames": "at_once", "next_start": "after_grid")"),
            R"([{"op":"add","path":"/next_start","value":"after_grid"},)"
            R"({"op":"add","path":"/frames","value":"at_once"}])");
  EXPECT_EQ(edit(centred_image, centred_image + R"(, "centre": "none")"), replaces("centre", R"("none")"));
}

TEST(PositionIdDiagnosis, NamesExchangedRowsAndColumns) {
  for (const auto& keys : {qwen, centred_image}) {
    const auto found = diagnosed(keys, keys, {0, 2, 1});
    ASSERT_EQ(named(found), "position/axis") << told(found);
    EXPECT_EQ(found.explanations.front().findings.front().sentence,
              "along axis 1, every row holds its position along axis 2; along axis 2, every row holds its "
              "position along axis 1");
  }
}

TEST(PositionIdDiagnosis, SaysNothingOfHonestIds) {
  EXPECT_EQ(diagnosed(qwen, qwen, {0, 1, 2}).searched, 0U);
}

}  // namespace
}  // namespace vernier
