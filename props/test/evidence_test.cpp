// Every computation of evidence, one test each: evidence.<id>. It must come to the conclusion that the claims
// demand which rest on it.

#include "props/literature/evidence.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/claims.hpp"
#include "reference/json/json.hpp"

namespace vernier {

std::string evidence_text();

namespace {

TEST(Evidence, EveryTextIsThatOfAComputation) {
  const auto texts = OrderedJson::parse(evidence_text());
  for (const auto& [id, text] : texts.items()) {
    EXPECT_NE(evidence_named(id), nullptr) << id;
  }
}

class EvidenceTest : public testing::TestWithParam<Evidence> {};

/// The claims of all documents that name the evidence, each with nothing else to rest on.
std::vector<Claim> claims_that_rest_on(const std::string& id) {
  static const auto documents = claim_documents();
  std::vector<Claim> claims;
  for (const auto& document : documents) {
    for (auto claim : document.claims) {
      if (std::ranges::count(claim.evidence, id) > 0) {
        claim.evidence = {id};
        claims.push_back(std::move(claim));
      }
    }
  }
  return claims;
}

TEST_P(EvidenceTest, BearsEveryClaimThatNamesIt) {
  const std::string id(GetParam().id);
  const auto result = GetParam().compute();
  std::cout << name_of(result.finding) << ": " << result.told << "\n";
  EXPECT_NE(result.finding, Ruling::undecided) << result.told;
  const auto claims = claims_that_rest_on(id);
  EXPECT_FALSE(claims.empty()) << "no claim rests on it";
  for (const auto& claim : claims) {
    EXPECT_THAT(disagreements(claim, {{id, result}}), testing::IsEmpty()) << result.told;
  }
}

std::string test_name(const testing::TestParamInfo<Evidence>& tested) {
  std::string name(tested.param.id);
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EvidenceTest, testing::ValuesIn(evidence().begin(), evidence().end()),
                         test_name);

EvidenceResult computed_of(const char* facts) {
  return computed(OrderedJson::parse(std::string(R"({"finds": "holds", "facts": )") + facts + "}"));
}

TEST(Facts, OneThatDoesNotComeOutUndoesTheConclusion) {
  EXPECT_EQ(computed_of(R"([{"says": "1 < 2", "if": "1 < 2"}])").finding, Ruling::holds);
  const auto undone = computed_of(R"([{"says": "1 < 2", "if": "1 < 2"}, {"says": "2 < 1", "if": "2 < 1"}])");
  EXPECT_EQ(undone.finding, Ruling::undecided);
  EXPECT_EQ(undone.told, "not so: 2 < 1");
}

TEST(Facts, NoFactsConcludeNothing) {
  EXPECT_EQ(computed_of("[]").finding, Ruling::undecided);
}

TEST(Facts, ADecimalThatTheNumberDoesNotRoundToIsTold) {
  EXPECT_EQ(computed_of(R"(["a third is {1 / 3 ~ 0.333}"])").told, "a third is 0.333");
  EXPECT_EQ(computed_of(R"(["a third is {1 / 3 ~ 0.334}"])").told,
            "not so: a third is 0.333333333333, not 0.334,");
}

TEST(Facts, AreRepeatedForEachRow) {
  EXPECT_EQ(
      computed_of(R"([{"for": "n root", "rows": [[4, "2"], [9, "3"]], "says": "of {n}: {sqrt(n) ~ root}"}])")
          .told,
      "of 4: 2; of 9: 3");
}

TEST(Facts, LawsAreBrokenWhereTheFactSaysSo) {
  EXPECT_EQ(computed_of(R"([{"law": "rope/constant-norm", "on": "broken:scaled-rotation"}])").finding,
            Ruling::holds);
  EXPECT_EQ(computed_of(R"([{"law": "rope/constant-norm", "on": "broken:rotates-backwards"}])").finding,
            Ruling::undecided);
  EXPECT_THROW(computed_of(R"([{"law": "rope/no-such-law"}])"), std::invalid_argument);
}

TEST(Facts, APropertyHasTheAnswerThatIsSaid) {
  EXPECT_EQ(computed_of(R"([{"property": "unique", "of": "none", "is": "no"}])").finding, Ruling::holds);
  EXPECT_EQ(computed_of(R"([{"property": "unique", "of": "none", "is": "yes"}])").finding, Ruling::undecided);
  EXPECT_THROW(computed_of(R"([{"property": "unique", "of": "nobody", "is": "yes"}])"),
               std::invalid_argument);
}

TEST(Certain, ReadsADecimalOnlyIfAllOfTheEnclosureDoes) {
  EXPECT_TRUE(rounds_to_decimal(hull(0.24951, 0.25049), "0.250"));
  EXPECT_FALSE(rounds_to_decimal(hull(0.24949, 0.25049), "0.250"));
  EXPECT_FALSE(rounds_to_decimal(hull(0.1, 0.4), "0.250"));
}

TEST(Certain, OverlappingEnclosuresTellNothing) {
  EXPECT_TRUE(certainly_less(hull(0, 1), hull(1.5, 2)));
  EXPECT_FALSE(certainly_less(hull(0, 1), hull(1, 2)));
  EXPECT_FALSE(certainly_different(hull(0, 1), hull(0.5, 2)));
  EXPECT_TRUE(certainly_different(hull(3, 4), hull(0.5, 2)));
}

TEST(Certain, ShowsOnlyDigitsThatAreProved) {
  EXPECT_EQ(digits(hull(0.333, 0.3331), 10), "0.333");
  EXPECT_EQ(digits(hull(0.25, 0.25), 10), "0.25");
}

}  // namespace
}  // namespace vernier
