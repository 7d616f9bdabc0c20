#include "reports/verdict/verdict.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Verdict verdict_of_statuses(std::vector<Status> statuses) {
  Verdict verdict;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    verdict.checks.push_back({"check/" + std::to_string(i), statuses[i]});
  }
  return verdict;
}

struct Decision {
  std::vector<Status> statuses;
  Conclusion outcome;
  int exit_code;
};

TEST(Verdict, IsDecidedByTheChecks) {
  using enum Status;
  const std::vector<Decision> decisions{
      {{}, Conclusion::nothing_checked, 4},
      {{skipped, skipped}, Conclusion::nothing_checked, 4},
      {{waived}, Conclusion::nothing_checked, 4},
      {{skipped, waived}, Conclusion::nothing_checked, 4},
      {{pass}, Conclusion::conforms, 0},
      {{pass, skipped, waived}, Conclusion::conforms, 0},
      {{pass, inconclusive}, Conclusion::inconclusive, 4},
      {{inconclusive}, Conclusion::inconclusive, 4},
      {{pass, error}, Conclusion::inconclusive, 3},
      {{pass, fail}, Conclusion::does_not_conform, 1},
      {{inconclusive, fail, skipped}, Conclusion::does_not_conform, 1},
      {{error, fail}, Conclusion::does_not_conform, 1},
  };
  for (const auto& decision : decisions) {
    const auto verdict = verdict_of_statuses(decision.statuses);
    EXPECT_EQ(outcome(verdict), decision.outcome) << summary(verdict);
    EXPECT_EQ(exit_code(verdict), decision.exit_code) << summary(verdict);
  }
}

Explanation explanation(const char* sentence) {
  return {.findings = {{&fault_kind("unexplained"), sentence}}};
}

TEST(Verdict, TellsFirstWhatWasPutUpWith) {
  using enum Status;
  EXPECT_EQ(headline(verdict_of_statuses({pass})), "conforms");
  EXPECT_EQ(headline(verdict_of_statuses({pass, waived})), "conforms, with 1 waived failure");
  EXPECT_EQ(headline(verdict_of_statuses({waived, fail, waived})),
            "does not conform, with 2 waived failures");
  auto stale = verdict_of_statuses({pass, waived});
  stale.stale_waivers = {{"check/0", "ISSUE-1", "the check passes without it"}};
  EXPECT_EQ(headline(stale), "conforms, with 1 waived failure and 1 stale waiver");
}

/// A waiver that says something untrue fails every run.
TEST(Verdict, StaleWaiversFailTheRunWhateverElseIsFound) {
  for (const auto status :
       {Status::pass, Status::fail, Status::error, Status::inconclusive, Status::skipped}) {
    auto verdict = verdict_of_statuses({status});
    verdict.stale_waivers = {{"check/7", "ISSUE-1", "no check of this run has that id"}};
    EXPECT_EQ(exit_code(verdict), 5);
    EXPECT_THAT(summary(verdict), HasSubstr("Waivers to update: check/7: no check"));
  }
}

TEST(Verdict, SummaryNamesChecksInError) {
  EXPECT_THAT(summary(verdict_of_statuses({Status::pass, Status::error})),
              HasSubstr("could be decided: check/1"));
}

TEST(Verdict, SummarySaysWhatWasFoundWhatFailedAndWhatWasSkipped) {
  auto verdict = verdict_of_statuses({Status::pass, Status::fail, Status::skipped});
  verdict.diagnosis = {
      {.explanations = {explanation("the base is 500000, not 10000"), explanation("the moon")}}};
  EXPECT_THAT(summary(verdict),
              AllOf(StartsWith("The base is 500000, not 10000. The tensors do not conform: "),
                    HasSubstr("check/1 failed"), HasSubstr("Skipped: check/2"), Not(HasSubstr("moon"))));
  EXPECT_THAT(summary(verdict_of_statuses({Status::pass})),
              AllOf(StartsWith("The tensors conform: 1 check passes"), Not(HasSubstr("Skipped"))));
}

TEST(Verdict, FindingsAreToldOnceOrWithTheirTensors) {
  Verdict verdict;
  EXPECT_EQ(sentence_of(verdict), "");
  verdict.diagnosis = {{.roles = "cos, sin", .explanations = {explanation("one"), explanation("two")}},
                       {.roles = "rotated", .explanations = {explanation("one")}}};
  EXPECT_EQ(sentence_of(verdict), "one");
  verdict.diagnosis[1].explanations.clear();
  EXPECT_EQ(sentence_of(verdict), "cos, sin: one; rotated: unexplained");
}

TEST(Verdict, BehaviourIsToldWhereValuesDoNotTellAll) {
  Verdict verdict;
  verdict.checks = {{.id = "use/order", .status = Status::pass, .finding = "nothing"},
                    {.id = "use/blocks", .status = Status::fail, .finding = "rows are sorted"},
                    {.id = "use/packed", .status = Status::fail, .finding = "rows are others"}};
  EXPECT_EQ(sentence_of(verdict), "rows are sorted");
  verdict.diagnosis = {{.roles = "cos"}};
  EXPECT_EQ(sentence_of(verdict), "unexplained; rows are sorted");
  verdict.diagnosis[0].explanations = {explanation("one")};
  EXPECT_EQ(sentence_of(verdict), "one");
  verdict.checks[1].values_vary = true;
  EXPECT_EQ(sentence_of(verdict), "rows are sorted; one")
      << "what is said of values that change is said last";
  verdict.checks[1].status = Status::waived;
  EXPECT_EQ(sentence_of(verdict), "one");
}

/// A finding is told of the checks of its tensors only: it is no cause of what others see.
TEST(Verdict, ADiagnosisIsAboutTheChecksOfItsTensors) {
  const Diagnosis diagnosis{.roles = "bias, cos"};
  for (const auto* id : {"accuracy/bias", "accuracy/bias/queries", "finite/cos"}) {
    EXPECT_TRUE(is_about({id}, diagnosis)) << id;
  }
  for (const auto* id :
       {"accuracy/cosine", "accuracy/sin", "effects/batch", "law/rope/accuracy", "cos", ""}) {
    EXPECT_FALSE(is_about({id}, diagnosis)) << id;
  }
}

TEST(Verdict, SummaryNamesTheWorstElementOfAllChecks) {
  auto verdict = verdict_of_statuses({Status::pass, Status::pass});
  verdict.checks[0].worst = ElementWitness{.budget_ratio = 0.25};
  verdict.checks[1].worst = ElementWitness{.budget_ratio = 0.47};
  EXPECT_THAT(summary(verdict), HasSubstr("the worst element uses 47.0 % of its budget"));
  verdict.checks[1].status = Status::waived;
  EXPECT_THAT(summary(verdict), HasSubstr("the worst element uses 25.0 % of its budget"));
}

TEST(ValueText, ShortestDecimalsReadBack) {
  EXPECT_EQ(shortest_text(Format::binary32, static_cast<double>(0.1F)), "0.1");
  EXPECT_EQ(shortest_text(Format::binary64, 0.1), "0.1");
  EXPECT_EQ(shortest_text(Format::bfloat16, round_to(Format::bfloat16, 0.1)), "0.1");
  EXPECT_EQ(shortest_text(Format::binary16, round_to(Format::binary16, 1.0 / 3)), "0.3333");
  for (std::uint64_t bits = 0; bits < 0x7c00; ++bits) {
    const double value = decode_bits(Format::binary16, bits);
    EXPECT_EQ(round_to(Format::binary16, std::stod(shortest_text(Format::binary16, value))), value);
  }
}

TEST(ValueText, HexadecimalAndBitsAreExact) {
  EXPECT_EQ(hex_text(-0.75), "-0x1.8p-1");
  EXPECT_EQ(hex_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(bits_text(Format::binary32, 1), "0x3f800000");
  EXPECT_EQ(bits_text(Format::bfloat16, -0.0), "0x8000");
  EXPECT_EQ(bits_text(Format::binary16, traits(Format::binary16).smallest()), "0x0001");
}

TEST(ValueText, SharesAreNeverRoundedToNoneOrAll) {
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(percent_text(0.4712), "47.1 %");
  EXPECT_EQ(percent_text(0.00001), "0.0010 %");
  EXPECT_EQ(percent_text(0.99996), "more than 99.9 %");
}

TEST(ValueText, SignificantDigitsInPlainNotation) {
  EXPECT_EQ(significant_text(0, 3), "0");
  EXPECT_EQ(significant_text(0.012345, 3), "0.0123");
  EXPECT_EQ(significant_text(131071, 3), "131071");
  EXPECT_EQ(significant_text(-1.5e-9, 2), "-1.5e-09");
}

TEST(ValueText, OneLineHoldsNoControlCharacters) {
  EXPECT_EQ(one_line("a\nb\x1b[31m\x7f"), "a?b?[31m?");
}

}  // namespace
}  // namespace vernier
