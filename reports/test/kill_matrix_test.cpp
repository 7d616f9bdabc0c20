// The kill matrix: how names are counted, that draws repeat, that tests of projects can pass and fail, and
// that every kind of fault is caught.

#include "reports/measures/kill_matrix/kill_matrix.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/measures/kill_matrix/project.hpp"
#include "reports/measures/rates/honest.hpp"
#include "reports/measures/rates/specimen.hpp"

namespace vernier::kill_matrix {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

FaultKind kind_called(std::string_view id) {
  return {.id = std::string(id), .stage = Stage::position, .title = "", .means = "", .advice = ""};
}
const FaultKind offset_fault = kind_called("position/offset");
const FaultKind row_zero = kind_called("damage/row-zero");
const FaultKind base_fault = kind_called("frequency/base");
const FaultKind unexplained = kind_called("unexplained");

Explanation explanation(std::initializer_list<const FaultKind*> kinds) {
  Explanation result;
  for (const auto* kind : kinds) {
    result.findings.push_back({kind, "it is so"});
  }
  return result;
}

Diagnosis diagnosis(std::initializer_list<const FaultKind*> kinds) {
  Diagnosis result;
  if (kinds.size() > 0) {
    result.explanations.push_back(explanation(kinds));
  }
  return result;
}

PlantedFault fault_named(std::vector<std::string_view> names) {
  return {rates::faults().data(), "", std::move(names), 2};
}

const std::vector one{fault_named({"position/offset", "position/rows"})};
const std::vector two{fault_named({"position/offset"}), fault_named({"damage/row-zero"})};

TEST(Naming, NamesEveryFaultAndNothingElse) {
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault})}, one), Naming::named);
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault, &row_zero})}, two), Naming::named);
  // Tables and vectors are diagnosed apart.
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault}), diagnosis({&row_zero})}, two), Naming::named);
}

TEST(Naming, IsInPartWhereAFaultOrATensorHasNoName) {
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault})}, two), Naming::in_part);
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault}), diagnosis({})}, one), Naming::in_part);
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault}), diagnosis({&unexplained})}, one),
            Naming::in_part);
}

TEST(Naming, IsFalseIfAnythingUntrueIsSaid) {
  EXPECT_EQ(naming_of(std::vector{diagnosis({&base_fault})}, one), Naming::falsely_named);
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault, &base_fault})}, one), Naming::falsely_named);
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault}), diagnosis({&base_fault})}, one),
            Naming::falsely_named);
  // Of a fault that no edit describes every name is untrue.
  EXPECT_EQ(naming_of(std::vector{diagnosis({&offset_fault})}, std::vector{fault_named({})}),
            Naming::falsely_named);
  EXPECT_THAT(untrue_ids(told_ids(std::vector{diagnosis({&offset_fault, &base_fault})}), one),
              ElementsAre("frequency/base"));
}

TEST(Naming, SaysNothingWithoutAnExplanation) {
  EXPECT_EQ(naming_of({}, one), Naming::unexplained);
  EXPECT_EQ(naming_of(std::vector{diagnosis({})}, one), Naming::unexplained);
  EXPECT_EQ(naming_of(std::vector{diagnosis({&unexplained})}, one), Naming::unexplained);
}

TEST(Naming, CountsTheLikeliestExplanationAndLetsAnEqualBeTrue) {
  auto both = diagnosis({&offset_fault});
  both.explanations.push_back(explanation({&base_fault}));
  EXPECT_EQ(naming_of(std::vector{both}, one), Naming::named);
  std::ranges::reverse(both.explanations);
  EXPECT_EQ(naming_of(std::vector{both}, one), Naming::in_part) << "what is told as equally likely is true";
  both.explanations.pop_back();
  EXPECT_EQ(naming_of(std::vector{both}, one), Naming::falsely_named);
}

Verdict verdict_with(std::initializer_list<std::pair<const char*, Status>> checks) {
  Verdict verdict;
  for (const auto& [id, status] : checks) {
    verdict.checks.push_back({.id = id, .status = status, .reason = "because"});
  }
  return verdict;
}

/// Two mutants and two honest ones: one of each is refused.
KillMatrix made_matrix() {
  Specimen mutant{.faults = one};
  Specimen honest;
  auto wrong = verdict_with({{"accuracy/cos", Status::fail},
                             {"accuracy/sin", Status::fail},
                             {"property/rope/unique", Status::fail},
                             {"norm/rotated", Status::pass}});
  wrong.diagnosis.push_back(diagnosis({&base_fault}));
  const auto right = verdict_with({{"accuracy/cos", Status::pass}});
  const auto alarm = verdict_with({{"accuracy/cos", Status::fail}});
  KillMatrix matrix;
  matrix.mutants = {outcome_of(mutant, wrong), outcome_of(mutant, right)};
  matrix.honest = {outcome_of(honest, right), outcome_of(honest, alarm)};
  const std::vector<std::optional<bool>> none(project_tests().size());
  for (auto* group : {&matrix.mutants, &matrix.honest}) {
    for (auto& outcome : *group) {
      outcome.passes = none;
    }
  }
  matrix.mutants[0].passes[0] = false;
  matrix.mutants[0].passes[1] = false;
  matrix.mutants[1].passes[1] = true;
  matrix.honest[0].passes[0] = false;
  return matrix;
}

TEST(KillMatrix, CountsByKind) {
  const auto counts = count_by_kind(made_matrix().mutants);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].kind, rates::faults().front().id);
  EXPECT_EQ(counts[0].mutants, 2U);
  EXPECT_EQ(counts[0].caught, 1U);
  EXPECT_EQ(counts[0].falsely_named, 1U);
  EXPECT_EQ(counts[0].unexplained, 0U) << "what is not caught is not there to be explained";
}

TEST(KillMatrix, CountsByCheckOncePerMutant) {
  const auto counts = count_by_check(made_matrix());
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts[0].name, "accuracy");
  EXPECT_EQ(counts[0].caught, 1U);
  EXPECT_EQ(counts[0].alone, 0U);
  EXPECT_EQ(counts[0].alarms, 1U);
  EXPECT_EQ(counts[1].name, "property/unique");
  EXPECT_EQ(counts[1].alarms, 0U);
}

TEST(KillMatrix, CountsByProject) {
  const auto counts = count_by_project(made_matrix());
  ASSERT_EQ(counts.size(), project_tests().size() + 1);
  EXPECT_EQ(counts[0].tested, 1U);
  EXPECT_EQ(counts[0].caught, 1U);
  EXPECT_EQ(counts[0].alone, 0U);
  EXPECT_EQ(counts[0].alarms, 1U);
  EXPECT_EQ(counts[1].tested, 2U);
  EXPECT_EQ(counts[1].alarms, 0U);
  EXPECT_EQ(counts.back().caught, 1U);
  EXPECT_EQ(counts.back().tested, 2U);
}

TEST(KillMatrix, ListsConfusionsAndEverythingUnwelcome) {
  const auto matrix = made_matrix();
  const auto confused = confusions(matrix.mutants);
  ASSERT_EQ(confused.size(), 1U);
  EXPECT_EQ(confused[0].first, "planted positions/offset, told frequency/base");
  const auto text = to_text(matrix, true);
  for (const auto* heading : {"Misses:", "False names", "False alarms:", "Confusions", "The slowest"}) {
    EXPECT_THAT(text, testing::HasSubstr(heading));
  }
  EXPECT_FALSE(is_as_it_should_be(matrix, 1, 1)) << "an honest one is refused";
  auto good = matrix;
  good.honest.pop_back();
  EXPECT_TRUE(is_as_it_should_be(good, 1, 1));
  EXPECT_FALSE(is_as_it_should_be(good, 0, 1));
  EXPECT_FALSE(is_as_it_should_be(good, 1, 0));
}

const DrawOptions small_draws{.seed = 3, .longest = 128, .elements = 1024};

/// Of few: kill_matrix.small draws many.
TEST(KillMatrix, DrawsRepeatAndHonestOnesAreNotRefused) {
  const KillOptions options{.drawn = small_draws, .mutants = 5, .honest = 10};
  const auto once = measure_kills(options, [] {});
  const auto again = measure_kills(options, [] {});
  for (std::size_t i = 0; i < once.mutants.size(); ++i) {
    EXPECT_EQ(fault_words(once.mutants[i]), fault_words(again.mutants[i]));
    EXPECT_EQ(once.mutants[i].words, again.mutants[i].words);
    EXPECT_EQ(once.mutants[i].failing_checks, again.mutants[i].failing_checks);
    EXPECT_EQ(once.mutants[i].passes, again.mutants[i].passes);
    EXPECT_TRUE(once.mutants[i].caught()) << fault_words(once.mutants[i]) << "; " << once.mutants[i].words;
  }
  for (const auto& honest : once.honest) {
    EXPECT_NE(honest.fate, Fate::refused) << honest.words << "; " << honest.finding;
    EXPECT_THAT(honest.told, IsEmpty()) << honest.words;
  }
}

TEST(KillMatrix, FaultsHaveNamesOfKindsThatExist) {
  const auto expect_kinds = [](std::string_view fault, const std::vector<std::string_view>& names) {
    for (const auto name : names) {
      EXPECT_NE(fault_kind_named(name), nullptr) << fault << ": " << name;
    }
  };
  for (const auto* fault : stored_kinds()) {
    expect_kinds(fault->id, fault->names);
  }
  for (int index = 0; index < static_cast<int>(stored_kinds().size()); ++index) {
    for (const auto& fault : draw_mutant(small_draws, index).faults) {
      expect_kinds(fault.kind->id, fault.names);
    }
  }
}

TEST(KillMatrix, CountsApartWhatHasAName) {
  auto matrix = made_matrix();
  EXPECT_EQ(count_nameable(matrix.mutants).mutants, 2U);
  EXPECT_FALSE(is_left_open(matrix.mutants[0])) << "it is falsely named";
  EXPECT_FALSE(is_left_open(matrix.mutants[1])) << "it is not caught";
  matrix.mutants[0].naming = Naming::unexplained;
  EXPECT_TRUE(is_left_open(matrix.mutants[0]));
  EXPECT_THAT(to_text(matrix, false), testing::HasSubstr("Unexplained, though"));
  matrix.mutants[0].faults[0].names.clear();
  EXPECT_EQ(count_nameable(matrix.mutants).mutants, 1U);
  EXPECT_THAT(to_text(matrix, false), testing::HasSubstr("Unexplained, as they should be"));
}

TEST(KillMatrix, SomeMutantsHaveTwoFaultsOfDifferentGroups) {
  std::size_t with_two = 0;
  for (int index = 4; index < 40; index += 5) {
    const auto mutant = draw_mutant(small_draws, index);
    if (mutant.faults.size() == 2) {
      ++with_two;
      EXPECT_NE(mutant.faults[0].kind->group(), mutant.faults[1].kind->group());
    }
  }
  EXPECT_GE(with_two, 5U);
}

/// A specimen of a spec, with a fault of a kind if that is not empty.
Specimen specimen_of(std::string_view wanted, ElementType type, std::string_view fault) {
  for (int index = 0;; ++index) {
    auto draw = rates::draw_of(7, 0, index);
    auto honest = rates::draw_honest(draw, 512, 1 << 13, wanted);
    if (honest.type != type || honest.contract || !honest.tuning.empty() || honest.length() < 128) {
      continue;
    }
    Specimen specimen{.honest = honest, .design = honest, .seed = draw.bits()};
    if (fault.empty()) {
      return specimen;
    }
    const auto kind = std::ranges::find(rates::faults(), fault, &rates::Fault::id);
    if (auto planted = rates::plant_in(*kind, honest, honest, draw); planted && *planted->size > 1e4) {
      specimen.design = planted->design;
      return specimen;
    }
  }
}

std::optional<bool> passes(std::string_view project, const Specimen& specimen) {
  return std::ranges::find(project_tests(), project, &ProjectTest::project)->passes(specimen);
}

TEST(ProjectTests, SeeWhatTheyCompareAndNothingElse) {
  const auto float32 = ElementType::float32;
  const auto honest = specimen_of("yarn", float32, "");
  const auto wrong_table = specimen_of("yarn", float32, "scaling/yarn-inverse");
  const auto wrong_pairs = specimen_of("yarn", float32, "layout/rotated");
  for (const auto* project : {"transformers", "llama.cpp", "vLLM", "Liger", "KernelBench"}) {
    EXPECT_THAT(passes(project, honest), Optional(true)) << project;
  }
  // Frequencies alone are compared; tables are shared.
  EXPECT_THAT(passes("transformers", wrong_table), Optional(false));
  EXPECT_THAT(passes("transformers", wrong_pairs), Optional(true));
  for (const auto* project : {"llama.cpp", "vLLM", "Liger"}) {
    EXPECT_THAT(passes(project, wrong_table), Optional(true)) << project;
    EXPECT_THAT(passes(project, wrong_pairs), Optional(false)) << project;
  }
  EXPECT_THAT(passes("KernelBench", wrong_table), Optional(false));
}

TEST(ProjectTests, HaveNoneForMostSchemes) {
  const auto buckets = specimen_of("bucket", ElementType::float32, "");
  for (const auto* project : {"transformers", "llama.cpp", "vLLM", "flashinfer", "Liger", "TensorRT-LLM"}) {
    EXPECT_EQ(passes(project, buckets), std::nullopt) << project;
  }
  const auto slopes = specimen_of("alibi", ElementType::float32, "biases/first-power");
  EXPECT_THAT(passes("llama.cpp", slopes), Optional(false));
  EXPECT_EQ(passes("vLLM", slopes), std::nullopt);
}

TEST(ProjectTests, LookAtFewRowsOfSinusoids) {
  const auto jump = specimen_of("sinusoidal", ElementType::float32, "positions/wrapped");
  EXPECT_THAT(passes("transformers", jump), Optional(true));
  EXPECT_THAT(passes("KernelBench", jump), Optional(false));
}

}  // namespace
}  // namespace vernier::kill_matrix
