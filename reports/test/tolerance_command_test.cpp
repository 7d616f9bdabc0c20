// `vernier tolerance`: what it says, what it refuses, and that what it says is so.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/json/json.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/refusal.hpp"
#include "reports/command/cli.hpp"
#include "reports/measures/tolerances/tolerances_in_use.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ToleranceCommand : public ::testing::Test {
 protected:
  ToleranceCommand() {
    folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 16})");
    folder_.write("sines.json", R"({"scheme": "sinusoidal", "d_model": 16})");
    folder_.write("linear.json",
                  R"({"scheme": "sinusoidal", "d_model": 16, "frequency": "linear", "first": 1, "last": 9})");
  }

  struct Conclusion {
    int code = 0;
    std::string out;
    std::string refusal;
  };

  Conclusion run(std::vector<std::string> words, const std::string& spec = "rope.json") const {
    words.insert(words.begin(), {"vernier", "tolerance", "--spec", (folder_.path() / spec).string()});
    std::vector<const char*> arguments;
    for (const auto& word : words) {
      arguments.push_back(word.c_str());
    }
    std::ostringstream out;
    Conclusion result;
    result.refusal = refusal_of(
        [&] { result.code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), out); });
    result.out = out.str();
    return result;
  }

  OrderedJson json(std::vector<std::string> words, const std::string& spec = "rope.json") const {
    words.insert(words.end(), {"--json", "-"});
    return OrderedJson::parse(run(std::move(words), spec).out);
  }

 private:
  TemporaryFolder folder_;
};

const std::vector<std::string> vectors{"--positions", "0:64", "--dtype", "bfloat16", "--input-bound", "4"};

std::vector<std::string> with(std::vector<std::string> words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
  return words;
}

TEST_F(ToleranceCommand, SaysTheFindingFirstAndDerivesIt) {
  const auto said = run(with(vectors, {"--tables", "bfloat16", "--math", "float32"}));
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(
      said.out,
      AllOf(StartsWith("atol="), HasSubstr("rtol=0.00391: no honest implementation exceeds it\n"),
            HasSubstr("cosines and sines in bfloat16; products and sum in float32; result in bfloat16"),
            HasSubstr("8 by 8 bits are exact in float32"), HasSubstr("\n32 to 63 ")));
}

TEST_F(ToleranceCommand, GrowsWithThePositionTheInputAndTheComparison) {
  const auto tolerance = [&](std::vector<std::string> words) {
    return json(std::move(words)).at("tolerance").at("atol").get<double>();
  };
  const double near = tolerance({"--positions", "0:64"});
  EXPECT_GT(tolerance({"--positions", "0:4096"}), 30 * near);
  EXPECT_EQ(tolerance({"--positions", "0:64", "--against", "another"}), 2 * near);
  EXPECT_LT(tolerance({"--positions", "0:64", "--recipe", "float32-rounded-frequency"}), near);
  EXPECT_GT(tolerance({"--positions", "0:64", "--input-bound", "4"}), 2 * near);
  EXPECT_LT(tolerance({"--positions", "0:64", "--dtype", "float64"}), 1e-6 * near);
  // A shared table has no part in it, so that it grows with the input alone.
  const double shared = tolerance({"--positions", "0:64", "--input-bound", "1", "--against", "same-table"});
  EXPECT_EQ(tolerance({"--positions", "0:4096", "--input-bound", "1", "--against", "same-table"}), shared);
  EXPECT_LT(shared, near / 2);
}

TEST_F(ToleranceCommand, WritesTheSameAsJson) {
  const auto said = json(vectors);
  EXPECT_EQ(said.at("dtype"), "bfloat16");
  EXPECT_EQ(said.at("tensors"), "rotated");
  EXPECT_EQ(said.at("octaves").size(), 7U);
  EXPECT_EQ(said.at("octaves").back().at("atol"), said.at("tolerance").at("atol"));
  double sum = 0;
  for (const auto& step : said.at("derivation")) {
    sum += step.at("part").get<double>();
  }
  EXPECT_NEAR(sum, said.at("tolerance").at("greatest_difference").get<double>(), 1e-9);
  EXPECT_EQ(json({"--positions", "0:64"}, "sines.json").at("tensors"), "tables");
  EXPECT_THAT(run({"--positions", "0:64"}, "linear.json").out,
              HasSubstr("frequencies whatever the contract lets"));
}

TEST_F(ToleranceCommand, JudgesWhatSlipsThroughAndWhatIsRejected) {
  const auto smallest = json(vectors).at("tolerance");
  const auto judge = [&](const std::string& tolerance) { return run(with(vectors, {"--judge", tolerance})); };
  const auto good =
      judge("atol=" + std::to_string(smallest.at("atol").get<double>() + 1e-6) + ",rtol=0.00390625");
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_THAT(good.out, HasSubstr("rejects 0 of 12 honest implementations, and can reject none"));
  const auto loose = judge("atol=3,rtol=1");
  EXPECT_EQ(loose.code, 1);
  EXPECT_THAT(loose.out,
              AllOf(StartsWith("atol=3.00, rtol=1.00: "), HasSubstr("faults that pass this tolerance (")));
  const auto tight = judge("atol=1e-6,rtol=1e-6");
  EXPECT_EQ(tight.code, 1);
  EXPECT_THAT(tight.out, AllOf(HasSubstr("rejects 12 of 12 honest implementations, and may reject others"),
                               HasSubstr("rejected, though honest:\n")));
}

TEST_F(ToleranceCommand, RefusesWhatItCannotBound) {
  for (const std::string word :
       {"", "atol", "atol=", "atol=-1", "atol=1,atol=2", "atol=nan", "1e-2", "rtol=1;atol=1"}) {
    EXPECT_THAT(run(with(vectors, {"--judge=" + word})).refusal + (word.empty() ? "--judge" : ""),
                HasSubstr("--judge"))
        << word;
  }
  EXPECT_THAT(run({"--positions", "0:64", "--math", "bfloat16"}).refusal,
              HasSubstr("--math: found bfloat16, expected a format no narrower than --dtype float32"));
  EXPECT_THAT(run({"--positions", "0:64", "--math", "float8"}).refusal,
              HasSubstr("--math: found \"float8\""));
  EXPECT_THAT(run({"--positions", "0:64", "--contract", "exact"}).refusal,
              HasSubstr("--contract: found \"exact\""));
  EXPECT_THAT(run({"--positions", "0:64", "--recipe", "float32-pow", "--contract", "float32"}).refusal,
              HasSubstr("both --recipe and --contract"));
  EXPECT_THAT(run({"--positions", "0:64", "--dtype", "float16", "--input-bound", "65504"}).refusal,
              HasSubstr("--input-bound: found 65504, expected a bound for which every honest result"));
  EXPECT_THAT(run({"--positions", "0:64", "--input-bound", "4"}, "sines.json").refusal,
              HasSubstr("expected a rotary encoding"));
  EXPECT_THAT(run({"--positions", "0:64", "--against", "same-table"}).refusal,
              HasSubstr("expected rotated vectors"));
  EXPECT_THAT(run({"--positions", "0:64:2", "--judge", "atol=1"}).refusal, HasSubstr("found a step of 2"));
}

ToleranceQuestion small_question(Format stored) {
  ToleranceQuestion question;
  question.encoding = parsed(R"({"scheme": "rope", "head_dim": 16})");
  question.positions = {0, 1, 64};
  question.type = stored == Format::binary16 ? ElementType::float16 : ElementType::bfloat16;
  question.contract = contract_named("float32");
  return question;
}

TEST(JudgedTolerances, RejectNoHonestOneThatTheBoundHoldsOf) {
  for (const auto expected :
       {Expected::certified, Expected::rounded, Expected::another, Expected::same_table}) {
    for (const auto stored : {Format::binary16, Format::bfloat16}) {
      auto question = small_question(stored);
      question.expected = expected;
      const bool sees_tables = expected != Expected::same_table;
      for (const bool rotates : sees_tables ? std::vector{false, true} : std::vector{true}) {
        if (rotates) {
          question.rotation = RotationOrder{stored, stored, stored, true, 4};
        }
        const auto study = study_tolerance(question);
        const std::array tolerances{smallest_tolerance(study.whole(), stored, expected), Tolerance{8, 0}};
        EXPECT_TRUE(holds_of_all_honest(tolerances.front(), question, study));
        const auto judgement = judge_tolerances(question, tolerances, {.plantings = 1, .threads = 2});
        EXPECT_EQ(judgement.rejected(0).size(), 0U);
        EXPECT_GT(judgement.honest.size(), 4U);
        EXPECT_GT(judgement.faults.size(), 20U);
        EXPECT_EQ(judgement.slipping(0).size() < judgement.faults.size() / 2, sees_tables);
        EXPECT_GE(judgement.slipping(1).size(), judgement.slipping(0).size());
      }
    }
  }
}

TEST(JudgedTolerances, AreTriedOfEverySpecOfOneTable) {
  for (const auto* spec : {R"({"scheme": "sinusoidal", "d_model": 8})",
                           R"({"scheme": "sinusoidal", "d_model": 8, "padding_idx": 3})"}) {
    auto question = small_question(Format::bfloat16);
    question.encoding = parsed(spec);
    const std::array tolerances{Tolerance{8, 0}};
    EXPECT_GT(judge_tolerances(question, tolerances, {.plantings = 1, .threads = 2}).faults.size(), 10U)
        << spec;
  }
}

TEST(TolerancesInUse, AreManyAndJudgedOneByOne) {
  const auto worths = judge_tolerances_in_use(32, {.plantings = 1, .honest = 8, .threads = 2});
  ASSERT_EQ(worths.size(), tolerances_in_use().size());
  EXPECT_GE(worths.size(), 20U);
  for (const auto& worth : worths) {
    ASSERT_NE(worth.in_use, nullptr);
    EXPECT_GT(worth.honest, 4U) << worth.in_use->project;
    EXPECT_GT(worth.faults, 20U) << worth.in_use->project;
    EXPECT_TRUE(worth.in_use->tolerance.absolute < worth.needed_absolute || worth.rejected == 0)
        << worth.in_use->project;
  }
}

}  // namespace
}  // namespace vernier
