// What somebody types first is answered with a sentence and the command to use.

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr auto small_llama = R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})";

TEST_F(Program, TellsWhatAFileIsAndWhichCommandTakesIt) {
  folder_.write("config.json", small_llama);
  std::filesystem::create_directory(folder_.path() / "model");
  folder_.write("model/config.json", small_llama);
  folder_.write("model.gguf", std::string("GGUF\x03\0\0\0", 8));
  folder_.write("model.onnx", std::string("\x08\x07", 2));
  folder_.write("model.pt", std::string("PK\x03\x04", 4));
  expect_refused("validate config.json",
                 "a model's configuration, expected a case file: `vernier validate --spec config.json");
  expect_refused("validate spec.json",
                 "found a spec, expected a case file: `vernier validate --spec spec.json");
  expect_refused("validate model", "found a folder, expected a case file: `vernier spec model/config.json`");
  for (const std::string file : {"model.gguf", "model.onnx", "model.pt"}) {
    const auto advice = "`vernier inspect " + file + "` reads it";
    expect_refused("validate " + file, advice);
    expect_refused("validate --spec " + file + " --cos good.npy", advice);
    expect_refused("spec " + file, advice);
  }
  expect_refused("validate good.npy", "found a tensor, expected a case file");
  expect_refused("validate --spec spec.json", "`vernier validate --spec spec.json --encoding encoding.npy`");
  expect_refused("validate --spec config.json", "--cos cos.npy --sin sin.npy`");
}

TEST_F(Program, KnowsModelsByTheNamesOfTheirPublishers) {
  EXPECT_EQ(run("spec --model meta-llama/Llama-3.1-8B").out, run("spec --model llama-3.1-8b").out);
  EXPECT_EQ(run("spec --model Meta-Llama-3.1-8B").out, run("spec --model llama-3.1-8b").out);
  expect_refused("spec --model meta-llama/Llama-3.1-9B", "llama-3.1-8b");
}

TEST_F(Program, HelpsAsItsOptionsDo) {
  EXPECT_EQ(run("help").out, run("--help").out);
  EXPECT_EQ(run("help validate").out, run("validate --help").out);
  expect_refused("help valdate", "did you mean validate?");
  expect_refused("--verison", "did you mean --version?");
  expect_refused("valdate", "did you mean validate?");
}

TEST_F(Program, ExplainsEveryKindOfWord) {
  EXPECT_THAT(explained("phase"), AllOf(StartsWith("phase (glossary): "), HasSubstr("\n  vernier report")));
  EXPECT_THAT(explained("Theta"), HasSubstr("theta (glossary): base of the frequencies"));
  EXPECT_THAT(explained("float32"), HasSubstr("vernier explain contract/float32"));
  EXPECT_THAT(explained("float32-pow"), HasSubstr("float32-pow (recipe): "));
  EXPECT_THAT(explained("cos_sin_cache"),
              AllOf(HasSubstr("(role of a tensor): [rows, 2 pairs]"), HasSubstr("--cos-sin-cache FILE")));
  EXPECT_THAT(explained("rope_theta"), HasSubstr("rope_theta (key of rope): b, the base"));
  EXPECT_THAT(explained("beta_fast"), HasSubstr("rope_scaling.beta_fast (key of rope): "));
  EXPECT_THAT(explained("llama-2-7b-hf"), HasSubstr("vernier spec --model llama-2-7b-hf"));
  EXPECT_THAT(explained("hardest"), HasSubstr("vernier help hardest"));
  EXPECT_THAT(explained("sequence length"), HasSubstr("(option of vernier "));
  expect_refused("explain phasse", "phase");
}

}  // namespace
}  // namespace vernier
