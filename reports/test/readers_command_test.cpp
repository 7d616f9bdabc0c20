// `vernier readers`: what it says of one configuration and of two, and when it fails.

#include <algorithm>

#include <nlohmann/json.hpp>

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ReadersCommand : public Program {
 protected:
  ReadersCommand() {
    folder_.write(
        "migrated.json",
        R"({"model_type": "llama", "head_dim": 64, "max_position_embeddings": 131072, "rope_parameters": {
                        "rope_type": "llama3", "rope_theta": 500000, "factor": 8.0, "low_freq_factor": 1.0,
                        "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})");
    folder_.write("plain.json", R"({"model_type": "llama", "head_dim": 64, "rope_theta": 10000.0,
                                    "max_position_embeddings": 131072})");
    folder_.write("bert.json",
                  R"({"model_type": "some_encoder", "hidden_size": 768, "num_attention_heads": 12})");
  }
};

TEST_F(ReadersCommand, SaysWhoPartsAndWhy) {
  const auto outcome = run("readers migrated.json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("migrated.json: 3 of 8 readers do not read what the file says\n"),
                    HasSubstr("rope_theta is 10000 by default, not 500000 of rope_parameters.rope_theta"),
                    HasSubstr("the frequency of pair 31 is 354 times too large"),
                    HasSubstr("angles differ by more than 2^-8 rad from position 1 on"),
                    HasSubstr("After this edit (a JSON merge patch) no known reader differs:\n"),
                    HasSubstr("\"rope_theta\": 500000")));
}

/// ggml rounds both ends of YaRN's ramp, and no key of config.json reaches it.
TEST_F(ReadersCommand, SaysThatNoEditHelps) {
  folder_.write("gptoss.json", R"({"model_type": "gpt_oss", "head_dim": 64, "rope_theta": 150000,
    "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "yarn", "factor": 32.0,
    "original_max_position_embeddings": 4096, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false}})");
  EXPECT_THAT(run("readers gptoss.json").out,
              AllOf(StartsWith("gptoss.json: 2 of 6 readers do not read what the file says\n"),
                    HasSubstr("not known for model_type \"gpt_oss\": Megatron-Bridge, Megatron-LM\n"),
                    HasSubstr("llama.cpp: truncate is true by default (ggml_rope_yarn_corr_dims rounds"),
                    HasSubstr("No edit is offered: none that was tried lets one more reader agree.\n")));
}

TEST_F(ReadersCommand, ClaimsNothingOfAModelTypeThatNoRowCovers) {
  folder_.write("new.json", R"({"model_type": "spiralformer", "head_dim": 64, "rope_theta": 500000.0})");
  folder_.write("bare.json", R"({"head_dim": 64, "rope_theta": 500000.0})");
  const auto outcome = run("readers new.json");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.out, StartsWith("new.json: not known: no row of readers.json covers model_type "
                                      "\"spiralformer\"\n  as written: RoPE, head_dim 64, base 500000"));
  EXPECT_EQ(run("readers new.json new.json").exit_code, 4);
  EXPECT_THAT(run("readers bare.json").out, StartsWith("bare.json: not known: the file has no model_type"));
  const auto document = nlohmann::json::parse(run("readers new.json --json -").out);
  EXPECT_TRUE(document.at("agrees").is_null());
  for (const auto& reader : document.at("readers")) {
    EXPECT_TRUE(reader.at("agrees").is_null());
    EXPECT_TRUE(reader.at("spec").is_null());
  }
}

/// `vernier spec` says the same of these files.
TEST_F(ReadersCommand, SaysWhatAFileWithoutARotationSays) {
  for (
      const auto& [config, said] :
      {std::pair(R"({"model_type": "falcon", "alibi": true, "hidden_size": 4544, "num_attention_heads": 71})",
                 "ALiBi, 71 heads"),
       {R"({"model_type": "falcon", "alibi": true, "hidden_size": 64, "num_attention_heads": 8, "rope_theta": 1e4})",
        "ALiBi, 8 heads"},
       {R"({"model_type": "falcon", "alibi": true, "hidden_size": 64, "num_attention_heads": 8,
             "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0}})",
        "ALiBi, 8 heads"},
       {R"({"model_type": "baichuan", "hidden_size": 5120, "num_attention_heads": 40})", "ALiBi, 40 heads"},
       {R"({"model_type": "bloom", "n_head": 32, "hidden_size": 4096})", "ALiBi, 32 heads"},
       {R"({"model_type": "mpt", "n_heads": 16, "d_model": 2048, "attn_config": {"alibi": true}})",
        "ALiBi, 16 heads"},
       {R"({"model_type": "t5", "num_heads": 8})", "T5 relative position buckets"}}) {
    folder_.write("other.json", config);
    const auto outcome = run("readers other.json");
    EXPECT_EQ(outcome.exit_code, 4) << config;
    EXPECT_THAT(outcome.out, AllOf(StartsWith(std::string("other.json: ") + said),
                                   ::testing::EndsWith("; readers are compared for RoPE only\n")));
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1);
    EXPECT_EQ(run("readers plain.json other.json").out, outcome.out);
    const auto document = nlohmann::json::parse(run("readers other.json --json -").out);
    EXPECT_THAT(document.at("encoding").get<std::string>(), StartsWith(said));
    EXPECT_TRUE(document.at("readers").empty());
  }
}

TEST_F(ReadersCommand, SaysThatAllAgree) {
  const auto outcome = run("readers plain.json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, StartsWith("plain.json: all 8 readers read what the file says\n"));
}

TEST_F(ReadersCommand, ComparesTwo) {
  EXPECT_EQ(run("readers plain.json plain.json").exit_code, 0);
  const auto outcome = run("readers migrated.json plain.json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("5 of 8 readers read something else out of each"),
                                 HasSubstr("rope_theta is 10000.0 of rope_theta in plain.json, 500000 of "
                                           "rope_parameters.rope_theta in migrated.json")));
}

TEST_F(ReadersCommand, WritesJson) {
  const auto document = nlohmann::json::parse(run("readers migrated.json --json -").out);
  EXPECT_EQ(document.at("agrees"), false);
  EXPECT_EQ(document.at("edit").at("rope_theta"), 500000);
  const auto& finding = document.at("findings").at(0);
  EXPECT_EQ(finding.at("key"), "rope_parameters.rope_type");
  const auto& old = document.at("readers").at(0);
  EXPECT_EQ(old.at("reader"), "transformers 4.57");
  EXPECT_EQ(old.at("spec").at("rope_theta"), 10000);
  EXPECT_EQ(old.at("ignored").size(), 6);
}

/// Where no row covers the model_type, what `vernier spec` refuses is refused in its words.
TEST_F(ReadersCommand, RefusesWhatHoldsNoRotation) {
  for (const std::string command : {"readers", "spec"}) {
    const auto outcome = run(command + " bert.json");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, run("spec bert.json").err);
  }
  EXPECT_EQ(run("readers absent.json").exit_code, 2);
}

TEST_F(ReadersCommand, RefusesWhatSaysNoRotationThoughEveryKeyCounts) {
  for (const auto& [keys, said] :
       {std::pair(R"("rope_theta": NaN)", "rope_theta"),
        {R"("rope_theta": -1)", "rope_theta"},
        {R"("rope_scaling": "yarn")", "rope_scaling: found the string \"yarn\", expected an object"},
        {R"("rope_scaling": {"factor": 2})", "rope_scaling.rope_type: missing"}}) {
    folder_.write("broken.json", std::string(R"({"model_type": "llama", "head_dim": 64, )") + keys + "}");
    const auto outcome = run("readers broken.json");
    EXPECT_EQ(outcome.exit_code, 2) << keys;
    EXPECT_THAT(outcome.err, HasSubstr(said));
    EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("as written")));
  }
}

TEST_F(ReadersCommand, TellsKeysThatNobodyReads) {
  folder_.write("misspelt.json", R"({"model_type": "llama", "head_dim": 64, "rope_tetha": 500000.0})");
  const auto outcome = run("readers misspelt.json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(
      outcome.out,
      AllOf(StartsWith("misspelt.json: all 8 readers read the same, but vernier spec refuses the file"),
            HasSubstr("the file does not say rope_theta; 10000"), HasSubstr("rope_tetha")));
}

/// A type that is missing is what `vernier spec` takes it to be.
TEST_F(ReadersCommand, ReadsATypeThatIsMissingAsTheSpecDoes) {
  folder_.write("untyped.json",
                R"({"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0, "rope_scaling":
    {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})");
  EXPECT_THAT(run("readers untyped.json").out, HasSubstr("Llama 3 scaling by 8 of 8192"));
}

}  // namespace
}  // namespace vernier
