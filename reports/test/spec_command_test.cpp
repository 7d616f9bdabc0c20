// `vernier spec`, and configurations where --spec goes.

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "numerics/test/made_tensors.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/text_file.hpp"
#include "reference/test/refusal.hpp"
#include "reports/command/cli.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StrEq;

constexpr auto llama =
    R"({"model_type": "llama", "hidden_size": 256, "num_attention_heads": 8, "num_hidden_layers": 2,
  "max_position_embeddings": 4096, "sliding_window": 128})";
constexpr auto gemma = R"({"model_type": "gemma3_text", "head_dim": 32, "num_hidden_layers": 6,
  "max_position_embeddings": 4096, "time_step_limit": [0.0, Infinity]})";

class SpecCommand : public ::testing::Test {
 protected:
  SpecCommand() {
    write("llama.json", llama);
    write("gemma.json", gemma);
    write("spec.json", R"({"scheme": "rope", "head_dim": 32})");
  }

  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  struct Conclusion {
    std::string out;
    std::string err;
  };

  /// What `vernier WORDS` writes; the sentence of an InputError stands in `err`.
  static Conclusion run(std::vector<std::string> words) {
    words.insert(words.begin(), "vernier");
    std::vector<const char*> arguments;
    for (const auto& word : words) {
      arguments.push_back(word.c_str());
    }
    std::ostringstream out;
    ::testing::internal::CaptureStderr();
    const auto sentence =
        refusal_of([&] { run_command_line(static_cast<int>(arguments.size()), arguments.data(), out); });
    return {out.str(), ::testing::internal::GetCapturedStderr() + sentence};
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SpecCommand, WritesTheSpecAndApartFromItWhatItRestsOn) {
  const auto [out, err] = run({"spec", path("llama.json")});
  EXPECT_EQ(nlohmann::json::parse(out), nlohmann::json::parse(R"({"scheme": "rope", "head_dim": 32,
    "rope_theta": 10000, "layout": "half", "max_position_embeddings": 4096})"));
  EXPECT_THAT(err, AllOf(HasSubstr("rope_theta absent: 10000, the class default of LlamaConfig"),
                         HasSubstr("head_dim absent: 32, hidden_size over the number of heads, 256/8"),
                         HasSubstr("sliding_window: 128 (a mask")));
}

TEST_F(SpecCommand, LayersThatDifferStandInGroups) {
  const auto groups = nlohmann::json::parse(run({"spec", path("gemma.json")}).out).at("groups");
  ASSERT_EQ(groups.size(), 2);
  EXPECT_EQ(groups[0].at("layers"), nlohmann::json::parse("[0, 1, 2, 3, 4]"));
  EXPECT_EQ(groups[0].at("spec").at("rope_theta"), 10000);
  EXPECT_EQ(groups[1].at("kind"), "full_attention");
  const auto one = nlohmann::json::parse(run({"spec", path("gemma.json"), "--layer", "5"}).out);
  EXPECT_EQ(one, groups[1].at("spec"));
}

TEST_F(SpecCommand, AConfigurationMayStandWhereASpecDoes) {
  const std::vector<std::string> table{"table", "--positions", "0:4", "--output"};
  const auto made = [&](const std::string& output, std::vector<std::string> which) {
    auto words = table;
    words.push_back(path(output));
    words.insert(words.end(), which.begin(), which.end());
    const auto err = run(words).err;
    std::ifstream stream(path(output), std::ios::binary);
    return std::pair(std::string(std::istreambuf_iterator<char>(stream), {}), err);
  };
  const auto [from_spec, no_error] = made("a.npy", {"--spec", path("spec.json")});
  EXPECT_THAT(no_error, IsEmpty());
  EXPECT_FALSE(from_spec.empty());
  EXPECT_EQ(made("b.npy", {"--spec", path("llama.json")}).first, from_spec);
  EXPECT_EQ(made("c.npy", {"--spec", path("gemma.json"), "--layer", "0"}).first, from_spec);
  EXPECT_THAT(
      made("d.npy", {"--spec", path("gemma.json")}).second,
      HasSubstr("expected --layer with a number from 0 to 5 or a kind: sliding_attention, full_attention"));
  EXPECT_THAT(
      made("e.npy", {"--spec", path("spec.json"), "--layer", "0"}).second,
      StrEq(path("spec.json") + ": found a spec, expected a model's configuration, as --layer is given"));
}

TEST_F(SpecCommand, ACaseMayHoldAConfiguration) {
  write("case.json", R"({"spec": )" + std::string(llama) + R"(, "tensors": {"cos": "cos.npy"}})");
  run({"table", "--spec", path("spec.json"), "--positions", "0:4", "--role", "cos", "-o", path("cos.npy")});
  EXPECT_THAT(run({"validate", path("case.json")}).out, HasSubstr("conforms"));
  write("case.json",
        R"({"spec": {"model_type": "gemma3_text", "num_hidden_layers": 6}, "tensors": {"cos": "cos.npy"}})");
  EXPECT_THAT(run({"validate", path("case.json")}).err,
              HasSubstr("case.json: spec: found several encodings"));
}

/// A token of text has a fourth position of 0 by ggml's reading: pairs 61 and 62 do not turn, in tables that
/// are written as in those that are judged.
TEST_F(SpecCommand, TablesOfGgmlsTextAreWhatIsJudged) {
  write("ggml.json", R"({"scheme": "rope", "head_dim": 128, "rope_scaling": {"rope_type": "default",
      "mrope_section": [24, 20, 20], "mrope_interleaved": true, "mrope_reading": "ggml"}})");
  for (const std::string columns : {"64", "128"}) {
    run({"table", "--spec", path("ggml.json"), "--positions", "0:4", "--role", "sin", "--columns", columns,
         "-o", path("sin.npy")});
    EXPECT_THAT(run({"validate", "--spec", path("ggml.json"), "--sin", path("sin.npy"), "--contract",
                     "correctly-rounded"})
                    .out,
                AllOf(HasSubstr("conforms"), ::testing::Not(HasSubstr("does not conform"))))
        << columns;
  }
}

TEST_F(SpecCommand, WhatIsNoConfigurationIsRefused) {
  write("odd.json", R"({"model_type": "bert"})");
  EXPECT_THAT(run({"spec", path("odd.json")}).err, HasSubstr("position table is trained"));
  EXPECT_THAT(run({"spec", path("none.json")}).err, StrEq(path("none.json") + ": no such file"));
  EXPECT_THAT(run({"spec"}).err, StrEq("spec: found neither, expected either a file or --model"));
}

TEST_F(SpecCommand, WritesASpecWithItsDefaults) {
  const auto spec = nlohmann::json::parse(run({"spec", path("spec.json")}).out);
  EXPECT_EQ(spec.at("head_dim"), 32);
  EXPECT_EQ(spec.at("rope_theta"), 10000);
  EXPECT_EQ(nlohmann::json::parse(run({"spec", "--model", "llama-2-7b-hf"}).out).at("head_dim"), 128);
}

/// The frequencies of LongRoPE depend on it: short ones up to 4096.
TEST_F(SpecCommand, TheLengthOfTheSequenceCanBeSaid) {
  const std::vector<std::string> model{"--model", "phi-3.5-moe-instruct"};
  const auto made = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words{"table", "--positions", "0:8", "--role", "cos", "-o", path(name)};
    words.insert(words.end(), model.begin(), model.end());
    words.insert(words.end(), more.begin(), more.end());
    return run(words).err;
  };
  made("long.npy", {});
  made("short.npy", {"--sequence-length", "4096"});
  EXPECT_NE(read_text(path("long.npy")), read_text(path("short.npy")));
  made("again.npy", {"--sequence-length", "4097"});
  EXPECT_EQ(read_text(path("long.npy")), read_text(path("again.npy")));
  EXPECT_EQ(nlohmann::json::parse(run({"spec", "--model", model[1], "--sequence-length", "4096"}).out)
                .at("sequence_length"),
            4096);
  EXPECT_THAT(made("none.npy", {"--sequence-length", "0x"}), HasSubstr("--sequence-length"));
  EXPECT_THAT(made("none.npy", {"--sequence-length", "-4"}),
              HasSubstr("--sequence-length: found \"-4\", expected a number from 1 to"));
  EXPECT_THAT(run({"spec", path("spec.json"), "--sequence-length", "4"}).err,
              StrEq("--sequence-length: found 4, expected none, as nothing in " + path("spec.json") +
                    " depends on it"));
}

}  // namespace
}  // namespace vernier
