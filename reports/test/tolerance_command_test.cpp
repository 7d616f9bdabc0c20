// `vernier tolerance`: what it says, what it refuses, and that what it says is so.

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/json/json.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/refusal.hpp"
#include "reports/command/cli.hpp"
#include "reports/tolerances/sine_program.hpp"
#include "reports/tolerances/tolerance_judgement.hpp"

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
              HasSubstr("frequencies as the contract lets them be"));
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
        const auto& smallest = study.whole().smallest;
        EXPECT_TRUE(judge_tolerance(question, study, smallest, 1, 0).holds());
        const auto judgement = judge_tolerance(question, study, {8, 0}, 2, 1);
        EXPECT_EQ(judgement.smallest.absolute, smallest.absolute);
        EXPECT_TRUE(std::ranges::all_of(judgement.honest,
                                        [](const JudgedProgram& honest) { return honest.passes[1]; }));
        EXPECT_GT(judgement.honest.size(), 4U);
        EXPECT_GT(judgement.faults.size(), 20U);
        EXPECT_EQ(judgement.slipping(1) < judgement.faults.size() / 2, sees_tables);
        EXPECT_GE(judgement.slipping(0), judgement.slipping(1));
      }
    }
  }
}

TEST(JudgedTolerances, AreTriedOfEverySpecOfOneTable) {
  for (const auto* spec : {R"({"scheme": "sinusoidal", "d_model": 8})",
                           R"({"scheme": "sinusoidal", "d_model": 8, "padding_idx": 3})"}) {
    auto question = small_question(Format::bfloat16);
    question.encoding = parsed(spec);
    const auto study = study_tolerance(question);
    const auto judgement = judge_tolerance(question, study, {8, 0}, 2, 1);
    EXPECT_GT(judgement.faults.size(), 10U) << spec;
  }
}

TEST(ProgramFaults, HaveKnownKeysAlone) {
  const std::set<std::string> known{
      "id",    "what",         "why",  "like", "if",   "draw",  "variant",   "variants",  "words", "at",
      "place", "trigonometry", "turn", "read", "pair", "value", "frequency", "amplitude", "phase", "spec"};
  const std::function<void(const OrderedJson&)> require = [&](const OrderedJson& row) {
    for (const auto& [key, value] : row.items()) {
      EXPECT_TRUE(known.contains(key)) << key;
    }
    const auto variants = row.value("variants", OrderedJson::array());
    for (const auto& variant : variants) {
      require(variant);
    }
  };
  for (const auto& row : program_faults()) {
    require(row);
  }
}

/// What makes a row that no program can have: a name or a condition that is misspelt.
TEST(ProgramFaults, CanAllBePlanted) {
  struct Asked {
    std::string spec;
    ElementType type;
    bool rotates;
    std::int64_t positions = 320;
  };
  const auto rope = [](const std::string& more) {
    return R"({"scheme": "rope", "head_dim": 32)" + more + "}";
  };
  const auto scaled = [&](const std::string& scaling) {
    return rope(
        R"(, "rope_theta": 500, "max_position_embeddings": 8192, "rope_scaling": {"factor": 2, "original_max_position_embeddings": 4096, )" +
        scaling + "}");
  };
  const std::string list = "[1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 2.3, 2.4, 2.5]";
  const std::vector<Asked> all{
      {rope(R"(, "rope_theta": 500000)"), ElementType::float32, true},
      {rope(R"(, "partial_rotary_factor": 0.5)"), ElementType::float16, true},
      {rope(R"(, "rope_theta": 500000)"), ElementType::float32, false},
      {R"({"scheme": "sinusoidal", "d_model": 32, "padding_idx": 3})", ElementType::float16, false, 40},
      {R"({"scheme": "sinusoidal", "d_model": 512})", ElementType::float32, false, 400},
      {rope(R"(, "rope_theta": 1000000, "rope_scaling": {"rope_type": "linear", "factor": 4})"),
       ElementType::float16, false},
      {rope(R"(, "rope_scaling": {"rope_type": "ntk", "alpha": 4})"), ElementType::float32, false},
      {rope(R"(, "max_position_embeddings": 128, "sequence_length": 512,
               "rope_scaling": {"rope_type": "dynamic", "factor": 4})"),
       ElementType::float32, false},
      {scaled(R"("rope_type": "yarn")"), ElementType::float16, false},
      {scaled(R"("rope_type": "yarn", "truncate": false, "mscale": 1, "mscale_all_dim": 0.5)"),
       ElementType::float32, false},
      {scaled(R"("rope_type": "llama3", "low_freq_factor": 1, "high_freq_factor": 4)"), ElementType::float32,
       false},
      {scaled(R"("rope_type": "longrope", "short_factor": )" + list +
              R"(, "long_factor": [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2])"),
       ElementType::float32, false},
  };
  std::set<std::string> planted;
  for (const auto& asked : all) {
    auto question = small_question(Format::bfloat16);
    question.encoding = parsed(asked.spec);
    question.positions.count = asked.positions;
    question.type = asked.type;
    if (asked.rotates) {
      question.rotation = RotationOrder{Format::binary32, Format::binary32, question.stored(), false, 4};
    }
    const auto judgement = judge_tolerance(question, study_tolerance(question), {0, 0}, 2, 1);
    for (const auto& fault : judgement.faults) {
      planted.insert(fault.kind->at("id"));
    }
  }
  for (const auto& row : program_faults()) {
    EXPECT_TRUE(planted.contains(row.at("id"))) << row.at("id");
  }
}

}  // namespace
}  // namespace vernier
