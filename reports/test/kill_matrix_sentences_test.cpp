// What a verdict says of faulty tensors holds of the whole of them: the spec that it proposes makes the same
// tensors conform, and its counts and places are those of the checks.

#include <algorithm>
#include <cstdlib>
#include <regex>

#include <gtest/gtest.h>

#include "reports/measures/kill_matrix/mutant.hpp"
#include "reports/measures/rates/judge.hpp"
#include "reports/verdict/corrected_spec.hpp"

namespace vernier::kill_matrix {
namespace {

constexpr DrawOptions few{.seed = 20170612, .longest = 128, .elements = 256};

/// Faulty tensors and their verdicts, of every third kind or so many as VERNIER_MUTANTS says.
void visit_mutants(const std::function<void(const Specimen&, const Verdict&)>& visit) {
  const char* wanted = std::getenv("VERNIER_MUTANTS");
  const int mutants = wanted != nullptr ? std::atoi(wanted) : static_cast<int>(stored_kinds().size() / 3);
  for (int index = 0; index < mutants; ++index) {
    const auto mutant = draw_mutant(few, index);
    visit(mutant, rates::judge_tensors(mutant.design, {}, mutant.seed));
  }
}

std::string words_of(const Specimen& specimen, const Verdict& verdict) {
  std::string text = std::to_string(specimen.index) + ": " + specimen.design.spec + "\n" + specimen.words;
  for (const auto& diagnosis : verdict.diagnosis) {
    text += "\n" + sentence_of(diagnosis);
  }
  return text;
}

/// Whether the tensors conform if their spec has the proposed edits; nothing where none are proposed, or
/// something is to be mended beside the spec.
std::optional<bool> conforms_as_proposed(const Specimen& specimen, const Verdict& verdict) {
  const auto corrected = corrected_spec(verdict);
  if (corrected.spec.is_null() || !corrected.remark.empty()) {
    return std::nullopt;
  }
  auto design = specimen.design;
  design.spec = corrected.spec.dump();
  return outcome(rates::judge_tensors(design, {}, specimen.seed)) == Conclusion::conforms;
}

/// What fails of the tensors that a diagnosis is about.
struct Failures {
  Counts counts;
  std::optional<FailingExtent> extent;
};

Failures failures_of(const Verdict& verdict, const Diagnosis& diagnosis) {
  Failures all;
  for (const auto& check : verdict.checks) {
    const bool is_of_elements = check.id.starts_with("accuracy/") || check.id.starts_with("axes/");
    if (is_of_elements && is_about(check, diagnosis)) {
      all.counts.elements += check.counts.elements;
      all.counts.failing += check.counts.failing;
      if (check.failing_extent && all.extent) {
        all.extent->include(*check.failing_extent);
      } else if (check.failing_extent) {
        all.extent = check.failing_extent;
      }
    }
  }
  return all;
}

/// "F of E elements fail, in N columns from a to b, at positions from p to q." Of values "F of R rows fail,
/// from position p to position q.", in the order of the rows.
void expect_true(const std::string& sentence, const Failures& all, const std::string& words) {
  static const std::regex of_values(R"(\d+ of \d+ rows fail, from position (-?\d+) to position (-?\d+)\.)");
  if (std::smatch told; std::regex_match(sentence, told, of_values)) {
    const auto [least, greatest] = std::minmax({std::stoll(told[1]), std::stoll(told[2])});
    if (all.extent) {
      EXPECT_EQ(least, all.extent->positions.least) << words;
      EXPECT_EQ(greatest, all.extent->positions.greatest) << words;
    }
    return;
  }
  static const std::regex form(
      R"((\d+) of (\d+) elements? fail, in \d+ columns? from (\d+) to (\d+)(?:, at positions from (-?\d+) to (-?\d+))?.*)");
  std::smatch told;
  ASSERT_TRUE(std::regex_match(sentence, told, form)) << sentence;
  EXPECT_EQ(told[1], std::to_string(all.counts.failing)) << words;
  EXPECT_EQ(told[2], std::to_string(all.counts.elements)) << words;
  if (all.extent) {
    EXPECT_EQ(told[3], std::to_string(all.extent->columns.least)) << words;
    EXPECT_EQ(told[4], std::to_string(all.extent->columns.greatest)) << words;
  }
  if (told[5].matched) {
    ASSERT_TRUE(all.extent) << words;
    EXPECT_EQ(told[5], std::to_string(all.extent->positions.least)) << words;
    EXPECT_EQ(told[6], std::to_string(all.extent->positions.greatest)) << words;
  }
}

TEST(Sentences, HoldOfTheWholeTensors) {
  int mended = 0;
  int placed = 0;
  visit_mutants([&](const Specimen& mutant, const Verdict& verdict) {
    const auto words = words_of(mutant, verdict);
    if (const auto conforms = conforms_as_proposed(mutant, verdict)) {
      EXPECT_TRUE(*conforms) << words << "\n" << corrected_spec(verdict).spec;
      ++mended;
    }
    for (const auto& diagnosis : verdict.diagnosis) {
      if (!diagnosis.is_explained() && diagnosis.partial.empty() && !diagnosis.rest.empty()) {
        expect_true(diagnosis.rest, failures_of(verdict, diagnosis), words);
        ++placed;
      }
    }
  });
  EXPECT_GE(mended, 3) << "the test has little to look at";
  EXPECT_GE(placed, 1) << "the test has little to look at";
}

}  // namespace
}  // namespace vernier::kill_matrix
