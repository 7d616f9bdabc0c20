// The claims files: every claim of each document is there, in order, and names evidence that there is. That
// the evidence finds what the claim's verdict demands: evidence_test.cpp.

#include "props/literature/claims.hpp"

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/c_library.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

/// A document's claims are numbered from `first` to `last`, with as many digits as `width`, but for those of
/// papers that no few formulas judge.
struct Numbering {
  std::string_view document;
  std::string_view prefix;
  int first;
  int last;
  std::size_t width;
  std::vector<int> left_out = {};
};

const std::array numberings{
    Numbering{"S0", "S0-", 1, 21, 2},          Numbering{"S1", "S1-", 1, 24, 2},
    Numbering{"S2", "S2-", 1, 27, 2},          Numbering{"S3", "S3-", 1, 34, 2},
    Numbering{"S4", "S4-", 1, 47, 2},          Numbering{"P1", "P1-", 1, 7, 2, {1, 2, 5}},
    Numbering{"P2", "P2-", 1, 4, 2},           Numbering{"P3", "P3-", 1, 5, 2, {3}},
    Numbering{"P4", "P4-", 1, 4, 2},           Numbering{"P5", "P5-", 1, 5, 2, {2}},
    Numbering{"P6", "P6-", 1, 5, 2, {2, 3}},   Numbering{"P7", "P7-", 1, 2, 2},
    Numbering{"P8", "P8-", 1, 4, 2},           Numbering{"P9", "P9-", 1, 4, 2},
    Numbering{"P10", "P10-", 1, 1, 2},         Numbering{"P11", "P11-", 1, 2, 2},
    Numbering{"P12", "P12-", 1, 3, 2, {1, 2}}, Numbering{"theorems", "T", 1, 9, 1},
    Numbering{"golden", "R", 1, 8, 1},
};

std::vector<std::string> ids_of(const Numbering& numbering) {
  std::vector<std::string> ids;
  for (int number = numbering.first; number <= numbering.last; ++number) {
    if (std::ranges::count(numbering.left_out, number) > 0) {
      continue;
    }
    auto digits = std::to_string(number);
    digits.insert(0, numbering.width - std::min(numbering.width, digits.size()), '0');
    ids.push_back(std::string(numbering.prefix) + digits);
  }
  return ids;
}

const ClaimDocument& document_named(std::string_view name) {
  static const auto documents = claim_documents();
  return *std::ranges::find(documents, name, &ClaimDocument::name);
}

TEST(Claims, AreThoseOfTheDocumentsTested) {
  std::vector<std::string> names;
  for (const auto& document : claim_documents()) {
    names.push_back(document.name);
  }
  std::vector<std::string> expected;
  for (const auto& numbering : numberings) {
    expected.emplace_back(numbering.document);
  }
  EXPECT_EQ(names, expected);
}

const Claim& claim_named(std::string_view document, std::string_view id) {
  return *std::ranges::find(document_named(document).claims, id, &Claim::id);
}

/// What the first computation that the claim rests on tells.
std::string told_by(std::string_view document, std::string_view id) {
  return evidence_named(claim_named(document, id).evidence.at(0))->compute().told;
}

/// A verdict covers no more than what was computed.
TEST(Claims, SayWhatTheirEvidenceDoesNotCover) {
  EXPECT_EQ(claim_named("S1", "S1-08").verdict, ClaimVerdict::conditional) << "half of it is an opinion";
  EXPECT_THAT(claim_named("theorems", "T2").statement, testing::HasSubstr("even d"));
  EXPECT_THAT(told_by("theorems", "T2"),
              testing::HasSubstr("d = 3: t = 732.24066 and s = 725.95748 share a code"));
  EXPECT_THAT(claim_named("theorems", "T5").correction, testing::HasSubstr("d = 512 and k up to 1000"));
}

/// Figures that depend on the functions of a C library say whose they are.
TEST(Claims, NameTheLibraryThatComputedTheirFigures) {
  for (const auto& [document, id] :
       {std::pair{"golden", "R3"}, std::pair{"S2", "S2-23"}, std::pair{"S4", "S4-43"}}) {
    EXPECT_THAT(told_by(document, id), testing::HasSubstr("computed with " + c_library())) << id;
  }
}

class ClaimsOfDocument : public testing::TestWithParam<Numbering> {};

TEST_P(ClaimsOfDocument, AreThereOnceInOrder) {
  std::vector<std::string> ids;
  for (const auto& claim : document_named(GetParam().document).claims) {
    ids.push_back(claim.id);
  }
  EXPECT_EQ(ids, ids_of(GetParam()));
}

TEST_P(ClaimsOfDocument, SayWhatIsTrueInstead) {
  for (const auto& claim : document_named(GetParam().document).claims) {
    const bool needs_correction = claim.verdict == ClaimVerdict::wrong ||
                                  claim.verdict == ClaimVerdict::conditional ||
                                  claim.verdict == ClaimVerdict::approximate;
    EXPECT_TRUE(!needs_correction || !claim.correction.empty()) << claim.id;
    EXPECT_FALSE(claim.statement.empty()) << claim.id;
  }
}

TEST_P(ClaimsOfDocument, NameEvidenceThatThereIsOrSayWhatItNeeds) {
  for (const auto& claim : document_named(GetParam().document).claims) {
    for (const auto& id : claim.evidence) {
      EXPECT_NE(evidence_named(id), nullptr) << claim.id << " names " << id;
    }
    if (claim.evidence.empty()) {
      EXPECT_THAT(disagreements(claim, {}), testing::IsEmpty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClaimsOfDocument, testing::ValuesIn(numberings),
                         [](const auto& tested) { return std::string(tested.param.document); });

/// A claim that stands on one piece of evidence, and what that evidence finds.
Claim sound_claim() {
  return {.id = "X-1",
          .lines = "1",
          .kind = "property",
          .verdict = ClaimVerdict::correct,
          .statement = "One is less than two.",
          .correction = "",
          .evidence = {"numbers/order"},
          .needs = ""};
}

TEST(ComputeEvidence, ComputesWhatIsNamedAndThereAndMissing) {
  const auto& known = evidence().front();
  const auto& missing = evidence().back();
  auto claim = sound_claim();
  claim.evidence = {std::string(known.id), std::string(missing.id), "numbers/disorder"};
  EvidenceResults results{{std::string(known.id), {Ruling::refuted, "known"}}};
  std::vector<std::string> computed;
  compute_evidence({"X", "", {claim, claim}}, results,
                   [&](const Evidence& one) { computed.emplace_back(one.id); });
  EXPECT_THAT(computed, testing::ElementsAre(std::string(missing.id)));
  ASSERT_THAT(results, testing::SizeIs(2));
  EXPECT_EQ(results.at(std::string(known.id)).told, "known");
  EXPECT_EQ(results.at(std::string(missing.id)).finding, missing.compute().finding);
}

EvidenceResults results_finding(Ruling finding) {
  return {{"numbers/order", {finding, "1 < 2."}}};
}

TEST(Disagreements, NoneWhenTheEvidenceFindsWhatTheVerdictDemands) {
  auto claim = sound_claim();
  EXPECT_THAT(disagreements(claim, results_finding(Ruling::holds)), testing::IsEmpty());
  claim.verdict = ClaimVerdict::wrong;
  EXPECT_THAT(disagreements(claim, results_finding(Ruling::refuted)), testing::IsEmpty());
}

TEST(Disagreements, AVerdictThatTheEvidenceDoesNotBear) {
  for (const auto finding : {Ruling::conditional, Ruling::approximate, Ruling::refuted, Ruling::undecided}) {
    EXPECT_THAT(disagreements(sound_claim(), results_finding(finding)),
                testing::ElementsAre(testing::HasSubstr("is said to be true, but numbers/order finds: ")));
  }
}

TEST(Disagreements, EvidenceThatDoesNotExist) {
  auto claim = sound_claim();
  claim.evidence.emplace_back("numbers/disorder");
  EXPECT_THAT(disagreements(claim, results_finding(Ruling::holds)),
              testing::ElementsAre("X-1 names the evidence numbers/disorder, which does not exist."));
}

TEST(Disagreements, NoEvidence) {
  auto claim = sound_claim();
  claim.evidence.clear();
  EXPECT_THAT(disagreements(claim, {}),
              testing::ElementsAre("X-1 is said to be true and names no evidence."));
}

TEST(Disagreements, NotCheckableWithoutNeedsOrWithEvidence) {
  auto claim = sound_claim();
  claim.verdict = ClaimVerdict::not_checkable;
  EXPECT_THAT(disagreements(claim, results_finding(Ruling::holds)),
              testing::ElementsAre("X-1 is not checkable and does not say what it needs.",
                                   "X-1 is not checkable and names evidence."));
  claim.evidence.clear();
  claim.needs = "A larger computer.";
  EXPECT_THAT(disagreements(claim, {}), testing::IsEmpty());
}

TEST(ParseClaims, ReadsSeveralDocumentsAndPlaces) {
  const auto documents = parse_claims(R"json([
      {"document": "X", "title": "x", "claims": []},
      {"document": "Y", "title": "y", "read": "the abstract", "claims": [
        {"id": "Y-1", "lines": "", "place": "equation (5)", "kind": "k", "verdict": "true",
         "statement": "s", "hypothesis": "h", "evidence": ["a/b"]}]}])json",
                                      "x.json");
  ASSERT_THAT(documents, testing::SizeIs(2));
  EXPECT_FALSE(documents[0].is_text());
  EXPECT_TRUE(documents[1].is_text());
  EXPECT_EQ(documents[1].read, "the abstract");
  EXPECT_EQ(documents[1].claims.at(0).place, "equation (5)");
  EXPECT_EQ(documents[1].claims.at(0).hypothesis, "h");
}

TEST(Claims, OfPapersSayWhereTheyStandAndQuoteALineAtMost) {
  for (const auto& document : claim_documents()) {
    for (const auto& claim : document.claims) {
      if (document.name.starts_with("P")) {
        EXPECT_FALSE(claim.place.empty()) << claim.id;
        EXPECT_LE(claim.statement.size(), 220U) << claim.id;
      }
    }
  }
}

TEST(ParseClaims, RefusesWhatIsNotAClaim) {
  const auto parse = [](const std::string& verdict, const std::string& evidence) {
    return parse_claims(
               R"({"document": "X", "title": "", "claims": [{"id": "X-1", "lines": "", "kind": "", )" +
                   verdict + R"("statement": "s", "evidence": )" + evidence + "}]}",
               "x.json")
        .at(0);
  };
  EXPECT_EQ(parse(R"("verdict": "false", )", R"(["a/b"])").claims.at(0).verdict, ClaimVerdict::wrong);
  EXPECT_THROW(parse("", R"(["a/b"])"), InputError);
  EXPECT_THROW(parse(R"("verdict": "probably", )", R"(["a/b"])"), InputError);
  EXPECT_THROW(parse(R"("verdict": "true", )", "[1]"), InputError);
  EXPECT_THROW(parse(R"("verdict": "true", )", R"("a/b")"), InputError);
}

}  // namespace
}  // namespace vernier
