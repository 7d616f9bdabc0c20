// What every form of the verdict tells of a diagnosis.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "numerics/computation/spec_changes.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/made_verdicts.hpp"
#include "reports/verdict/diagnosis_text.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Verdict verdict_with(std::vector<Diagnosis> diagnosis) {
  auto verdict = verdict_of_all_kinds("cos");
  verdict.diagnosis = std::move(diagnosis);
  return verdict;
}

nlohmann::json document_of(const Verdict& verdict) {
  return nlohmann::json::parse(json_output().render(verdict));
}

/// Where the texts stand in a longer one; each after the one before.
void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t from = 0;
  for (const auto& part : parts) {
    const auto at = text.find(part, from);
    ASSERT_NE(at, std::string::npos) << part << "\nis not in its place in\n" << text;
    from = at + part.size();
  }
}

TEST(DiagnosisOutputs, JsonTellsEachFindingOfTheLikeliestExplanation) {
  auto diagnosis = made_diagnosis("cos", "it is off");
  diagnosis.explanations.front().consequence = "Rows 0 and 64 are equal.";
  const auto document = document_of(verdict_with({diagnosis}));
  const auto& findings = document.at("diagnosis");
  ASSERT_EQ(findings.size(), 2U);
  const auto& first = findings.at(0);
  EXPECT_EQ(first.at("id"), "frequency/base");
  EXPECT_EQ(first.at("stage"), "frequency");
  EXPECT_EQ(first.at("sentence"), "it is off");
  EXPECT_EQ(first.at("roles"), "cos");
  EXPECT_EQ(first.at("edit").at(0).at("value"), 500000);
  EXPECT_EQ(first.at("predicted").at("conclusive"), 60);
  EXPECT_EQ(first.at("predicted").at("largest_budget_ratio"), 0.347);
  EXPECT_EQ(first.at("equally"), nlohmann::json({"it is off"}));
  EXPECT_TRUE(first.at("partial").is_null());
  EXPECT_EQ(first.at("means"), "Rows 0 and 64 are equal. Pairs turn at other speeds. Long texts suffer.");
  EXPECT_EQ(first.at("similar"), nlohmann::json({"owner/name.x #1472", "a mailing list"}));
  EXPECT_EQ(first.at("searched"), 1234);
  EXPECT_EQ(findings.at(1).at("id"), "storage/format");
  EXPECT_EQ(findings.at(1).at("means"), "Digits are lost.");
  EXPECT_TRUE(findings.at(1).at("edit").is_null());
}

TEST(DiagnosisOutputs, JsonSaysWhatIsUnexplained) {
  const auto finding = document_of(verdict_with({made_mystery("cos", "rows 3 to 5")})).at("diagnosis").at(0);
  EXPECT_EQ(finding.at("id"), "unexplained");
  EXPECT_TRUE(finding.at("stage").is_null());
  EXPECT_TRUE(finding.at("predicted").is_null());
  EXPECT_EQ(finding.at("partial").at("sentence"), "rows 3 to 5");
  EXPECT_EQ(finding.at("partial").at("share"), 0.9);
  EXPECT_EQ(finding.at("partial").at("rest"), "rows 3 to 5");
  EXPECT_EQ(finding.at("searched"), 77);
}

TEST(DiagnosisOutputs, JsonTellsTheFrequenciesThatWereRecovered) {
  const auto recovered = document_of(verdict_with({made_diagnosis("cos", "x"), made_mystery("sin", "x")}))
                             .at("recovered_frequencies");
  ASSERT_EQ(recovered.size(), 1U);
  EXPECT_EQ(recovered.at(0).at("roles"), "cos");
  const auto& frequencies = recovered.at(0).at("frequencies");
  EXPECT_EQ(frequencies.at(1).at("pair"), 1);
  EXPECT_EQ(frequencies.at(1).at("ratio"), 0.25);
  EXPECT_TRUE(frequencies.at(2).at("ratio").is_null());
  EXPECT_EQ(frequencies.at(2).at("found"), "nan");
}

TEST(DiagnosisOutputs, WhateverConformsHasNone) {
  const auto document = document_of(verdict_with({}));
  EXPECT_TRUE(document.at("diagnosis").empty());
  EXPECT_TRUE(document.at("recovered_frequencies").empty());
  EXPECT_THAT(html_output().render(verdict_with({})), Not(HasSubstr("What was found")));
}

/// JUnit's reader shows the message of a failure first, SARIF's the text of a result.
TEST(DiagnosisOutputs, MessagesOfFailuresBeginWithTheFinding) {
  auto verdict = verdict_with({made_diagnosis("cos", "it is off")});
  verdict.checks.push_back({"effects/batch", Status::fail, "rows depend on others"});
  const auto junit = junit_output().render(verdict);
  EXPECT_THAT(junit, AllOf(HasSubstr(R"(<failure message="it is off, and it is off. cos" type="fail">)"),
                           HasSubstr(R"(<failure message="rows depend on others" type="fail">)"),
                           HasSubstr(R"(<failure message="It is off, and it is off. The tensors do not)")));
  const auto sarif = nlohmann::json::parse(sarif_output().render(verdict)).at("runs").at(0);
  const auto message = [&](std::size_t result) {
    return sarif.at("results").at(result).at("message").at("text").get<std::string>();
  };
  EXPECT_THAT(message(0), StartsWith("it is off, and it is off. accuracy/cos: fail: cos\n"));
  EXPECT_THAT(message(1), StartsWith("it is off, and it is off. finite/cos: waived: cos"));
  EXPECT_THAT(message(2), StartsWith("effects/cos: inconclusive: cos"));
  EXPECT_EQ(message(4), "effects/batch: fail: rows depend on others\n         required: \n");
}

TEST(DiagnosisOutputs, ThePageTellsTheFindingFirstAndTheFrequenciesThatDiffer) {
  const auto html = html_output().render(verdict_with({made_diagnosis("cos", "it is off")}));
  expect_in_order(
      html,
      {"It is off, and it is off", "What was found", "it is off, and it is off",
       "vernier explain frequency/base", "vernier explain storage/format",
       "With this fault all 60 elements that can be judged (of 64) are reproduced, using at most 35 % of the "
       "budget.",
       "Equally possible:", "Pairs turn at other speeds.", "Look at the line that computes powers.",
       R"(<a href="https://github.com/owner/name.x/issues/1472">owner/name.x #1472</a>)",
       "<li>a mailing list</li>", "Frequencies recovered from cos", "0.025", "none", "Checks"});
  auto as_declared = made_diagnosis("cos", "it is off");
  as_declared.frequencies.resize(1);
  EXPECT_THAT(html_output().render(verdict_with({as_declared})), Not(HasSubstr("Frequencies recovered")));
}

TEST(DiagnosisOutputs, TheFullTextTellsAll) {
  const auto text =
      render_full_text(verdict_with({made_diagnosis("cos", "it is off"), made_mystery("sin", "x")}));
  expect_in_order(
      text,
      {"cos: does not conform, with 1 waived failure", "finding (cos): it is off, and it is off\n",
       "See: vernier explain frequency/base, vernier explain storage/format\n", "Evidence: With this fault",
       "Equally possible: it is off\n", "Effect: Pairs turn", "Fix: Look at the line",
       "Similar: owner/name.x #1472, a mailing list\n", "Recovered frequencies", "pair 1: declared 0.1",
       "ratio 0.25", "pair 2: ", "pair 0: ", "(as declared)\n", "finding (sin): unexplained\n",
       "77 faulty computations were tried; none reproduces",
       "The closest leaves 6 of 60 elements beyond their budgets: x. x.", "FAIL  accuracy/cos", "budget "});
}

TEST(DiagnosisText, EvidenceComparesWithTheDeclaredComputation) {
  auto verdict = verdict_with({made_diagnosis("cos, sin", "it is off")});
  verdict.checks = {{"accuracy/cos", Status::fail, "", "", {64, 60, 30, 4}},
                    {"accuracy/sin", Status::fail, "", "", {64, 60, 10, 4}},
                    {"accuracy/encoding", Status::fail, "", "", {64, 60, 1000, 4}}};
  verdict.checks[0].greatest_budget_ratio = 996000;
  verdict.checks[1].greatest_budget_ratio = 3;
  EXPECT_EQ(evidence_text(verdict, verdict.diagnosis.front()),
            "With this fault all 60 elements that can be judged (of 64) are reproduced, using at most 35 % "
            "of the budget. "
            "Without it 40 miss, the worst by 996000 budgets.");
  verdict.checks[1].greatest_budget_ratio = std::numeric_limits<double>::infinity();
  EXPECT_THAT(evidence_text(verdict, verdict.diagnosis.front()),
              HasSubstr("Without it 40 miss, the worst without bound."));
  verdict.diagnosis.front().explanations.front().prediction = {.elements = 64, .conclusive = 64};
  EXPECT_THAT(evidence_text(verdict, verdict.diagnosis.front()),
              StartsWith("With this fault all 64 elements are reproduced exactly. "));
}

TEST(DiagnosisText, EvidenceOfOneElementIsInTheSingular) {
  auto verdict = verdict_with({made_diagnosis("cos", "it is off")});
  verdict.checks = {{"accuracy/cos", Status::fail, "", "", {64, 60, 1, 4}}};
  const auto text = [&](double ratio) {
    verdict.checks[0].greatest_budget_ratio = ratio;
    return evidence_text(verdict, verdict.diagnosis.front());
  };
  EXPECT_THAT(text(1.65), HasSubstr("Without it 1 misses by 1.65 budgets."));
  EXPECT_THAT(text(std::numeric_limits<double>::infinity()), HasSubstr("Without it 1 misses without bound."));
  EXPECT_THAT(text(0), HasSubstr("Without it 1 differs."));
}

/// Of a spec with its defaults, and of findings with these edits.
std::string advice_of(const std::string& spec, const std::vector<OrderedJson>& edits) {
  Diagnosis diagnosis{.roles = "cos", .explanations = {{.findings = {}}}};
  for (const auto& edit : edits) {
    diagnosis.explanations.front().findings.push_back({&made_kind, "it is off", edit});
  }
  return advice_text({.spec = parsed(spec)->spec()}, diagnosis);
}

TEST(DiagnosisText, AdviceIsOfAllFindingsOrNone) {
  constexpr auto rope = R"({"scheme": "rope", "head_dim": 8})";
  const auto base = [](int value) {
    return OrderedJson({{{"op", "replace"}, {"path", "/rope_theta"}, {"value", value}}});
  };
  const auto written =
      StartsWith(R"(If this result is intended, set "rope_theta" to 500000 in the spec. Look)");
  EXPECT_THAT(advice_of(rope, {base(500000)}), written);
  for (const auto& edits : std::vector<std::vector<OrderedJson>>{{base(500000), nullptr}, {base(-1)}}) {
    EXPECT_THAT(advice_of(rope, edits), StartsWith("Look at the line")) << "what is left fails";
  }
}

TEST(DiagnosisText, AdviceIsTheSameOfASpecWithAndWithoutItsDefaults) {
  constexpr auto yarn =
      R"({"scheme": "rope", "head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": 4,
      "original_max_position_embeddings": 4096}})";
  constexpr auto linear =
      R"({"scheme": "rope", "head_dim": 64, "rope_scaling": {"rope_type": "linear", "factor": 4}})";
  const auto advice = advice_of(yarn, {patch_between(parsed(yarn)->spec(), parsed(linear)->spec())});
  EXPECT_THAT(advice,
              StartsWith(R"(If this result is intended, set "rope_type" to "linear" in rope_scaling, )"
                         R"(remove "original_max_position_embeddings" from rope_scaling in the spec.)"));
  constexpr auto resampled = R"({"scheme": "resampled", "mode": "bicubic", "from": [2], "to": [4],
      "values": [[1], [2]]})";
  EXPECT_THAT(
      advice_of(resampled, {{{{"op", "add"}, {"path", "/antialias"}, {"value", true}}}}),
      StartsWith(R"(If this result is intended, set "antialias" to true, set "a" to -0.75 in the spec.)"));
}

TEST(DiagnosisText, EvidenceCountsDimensionsThatDoNotRotate) {
  auto verdict = verdict_with({made_diagnosis("rotated", "it is off")});
  verdict.checks = {{"accuracy/rotated", Status::fail, "", "", {64, 60, 30, 4}},
                    {"pass-through/rotated", Status::fail, "", "", {32, 32, 12, 0}}};
  verdict.checks[0].greatest_budget_ratio = 7;
  EXPECT_THAT(evidence_text(verdict, verdict.diagnosis.front()), HasSubstr("Without it 42 miss"));
}

TEST(DiagnosisText, PatchesReadAsWordsOfASpec) {
  const auto patch = OrderedJson::parse(R"([{"op": "replace", "path": "/base", "value": 500000},
      {"op": "remove", "path": "/scaling"}, {"op": "add", "path": "/scaling/type", "value": "linear"}])");
  EXPECT_EQ(patch_text(patch),
            R"(set "base" to 500000, remove "scaling", set "type" to "linear" in scaling)");
  const OrderedJson list = {{{"op", "add"}, {"path", "/list"}, {"value", std::vector<int>(500, 7)}}};
  EXPECT_LT(patch_text(list).size(), 95U);
}

TEST(DiagnosisText, FrequenciesThatAreUncertainAreAsDeclared) {
  EXPECT_FALSE(RecoveredFrequency({.declared = 1, .found = 1.25, .uncertainty = 0.25}).differs());
  EXPECT_TRUE(RecoveredFrequency({.declared = 1, .found = 1.26, .uncertainty = 0.25}).differs());
  EXPECT_TRUE(
      RecoveredFrequency({.declared = 1, .found = std::numeric_limits<double>::quiet_NaN(), .uncertainty = 1})
          .differs());
}

TEST(DiagnosisOutputs, TheEffectOfAKeyThatNoKindIsOfSaysWhatItStandsFor) {
  auto diagnosis = made_diagnosis("position_ids", "frames is at_once, not in_turn");
  auto& finding = diagnosis.explanations.front().findings.front();
  finding.edit = OrderedJson::parse(R"([{"op": "add", "path": "/frames", "value": "at_once"}])");
  auto verdict = verdict_with({});
  verdict.spec = OrderedJson::parse(R"({"scheme": "position_ids", "rule": "qwen2_5_vl"})");
  EXPECT_THAT(effect_text(verdict, diagnosis), Not(HasSubstr("stands for")));
  finding.kind = &fault_kind("mapping/reading");
  EXPECT_THAT(effect_text(verdict, diagnosis),
              HasSubstr(R"("frames" stands for how images and videos are counted)"));
}

TEST(DiagnosisOutputs, AGradientHasNoScores) {
  auto of_vectors = made_diagnosis("rotated", "positions are smaller by 100");
  auto of_gradients = made_diagnosis("input_gradient", "positions are smaller by 100");
  of_vectors.explanations.front().consequence = of_gradients.explanations.front().consequence =
      "Scores drift.";
  auto verdict = verdict_with({});
  EXPECT_EQ(effect_text(verdict, of_vectors), "Scores drift.");
  // It may be that of the forward pass, which has the same fault.
  EXPECT_THAT(effect_text(verdict, of_gradients), Not(HasSubstr("forward pass")));
  verdict.checks.push_back({"law/rope/adjoint", Status::pass});
  EXPECT_THAT(effect_text(verdict, of_gradients), Not(HasSubstr("forward pass")));
  verdict.checks.back().status = Status::fail;
  EXPECT_THAT(effect_text(verdict, of_gradients), HasSubstr("forward pass"));
}

}  // namespace
}  // namespace vernier
