#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reports/test/made_verdicts.hpp"
#include "reports/verdict/diagnosis_text.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

OrderedJson base_edit(double base) {
  return {{{"op", "replace"}, {"path", "/rope_theta"}, {"value", base}}};
}

Diagnosis diagnosis_of(std::vector<Finding> findings) {
  return {.roles = "cos", .explanations = {{.findings = std::move(findings)}}};
}

CorrectedSpec corrected(std::vector<Diagnosis> diagnosis) {
  Verdict verdict{.spec = RopeEncoding(RopeSpec{.head_dim = 8}).spec(),
                  .checks = {{"accuracy/cos", Status::fail}},
                  .diagnosis = std::move(diagnosis)};
  return corrected_spec(verdict);
}

TEST(CorrectedSpec, HasTheEditsOfTheLikeliestExplanation) {
  auto diagnosis = diagnosis_of({{&made_kind, "the base is 500000", base_edit(500000)}});
  diagnosis.explanations.push_back({.findings = {{&made_kind, "the base is 7", base_edit(7)}}});
  const auto [spec, remark] = corrected({diagnosis});
  EXPECT_EQ(spec, RopeEncoding(RopeSpec{.head_dim = 8, .rope_theta = 500000}).spec());
  EXPECT_EQ(remark, "");
  EXPECT_EQ(corrected({diagnosis, diagnosis}).spec, spec) << "tables and vectors have the same base";
}

TEST(CorrectedSpec, SaysWhatIsNoMatterOfASpec) {
  const auto beside = corrected({diagnosis_of(
      {{&made_kind, "the base is 500000", base_edit(500000)}, {&another_made_kind, "sines are rounded"}})});
  EXPECT_FALSE(beside.spec.is_null());
  EXPECT_THAT(beside.remark, HasSubstr("no matter of it: sines are rounded"));
  const auto none = corrected({diagnosis_of({{&another_made_kind, "sines are rounded"}})});
  EXPECT_TRUE(none.spec.is_null());
  EXPECT_EQ(none.remark, "no edit of the spec is known that mends this: sines are rounded");
}

TEST(CorrectedSpec, IsNoneOfTensorsThatAreUnexplainedOrDisagree) {
  const auto one = diagnosis_of({{&made_kind, "the base is 500000", base_edit(500000)}});
  EXPECT_TRUE(corrected({one, made_mystery("sin", "x")}).spec.is_null());
  const auto disagreeing = corrected({one, diagnosis_of({{&made_kind, "the base is 7", base_edit(7)}})});
  EXPECT_TRUE(disagreeing.spec.is_null());
  EXPECT_THAT(disagreeing.remark, HasSubstr("agree with different specs"));
  EXPECT_THAT(corrected({}).remark, HasSubstr("nothing was found"));
  const auto conforming = corrected_spec({.checks = {{"accuracy/cos", Status::pass}}});
  EXPECT_EQ(conforming.remark, "the tensors conform, so the spec needs no edit");
}

/// What no spec can hold is said, not printed.
TEST(CorrectedSpec, IsAlwaysASpec) {
  for (const auto& edit : {base_edit(-1), OrderedJson({{{"op", "remove"}, {"path", "/none"}}})}) {
    const auto broken = corrected({diagnosis_of({{&made_kind, "it is off", edit}})});
    EXPECT_TRUE(broken.spec.is_null());
    EXPECT_NE(broken.remark, "");
  }
}

}  // namespace
}  // namespace vernier
