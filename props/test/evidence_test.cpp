// Every computation of evidence, one test each: evidence.<id>. It must come to the conclusion that the claims
// demand which rest on it.

#include "props/literature/evidence.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/claims.hpp"
#include "props/literature/facts.hpp"
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

TEST(Facts, OneThatDoesNotComeOutUndoesTheConclusion) {
  Facts facts;
  facts.add(true, "1 < 2");
  EXPECT_EQ(facts.conclude(Ruling::holds).finding, Ruling::holds);
  facts.add(false, "2 < 1");
  EXPECT_EQ(facts.conclude(Ruling::holds).finding, Ruling::undecided);
  EXPECT_EQ(facts.conclude(Ruling::holds).told, "not so: 2 < 1");
}

TEST(Facts, NoFactsConcludeNothing) {
  EXPECT_EQ(Facts().conclude(Ruling::refuted).finding, Ruling::undecided);
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
