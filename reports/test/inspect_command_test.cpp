// `vernier inspect`: what files of models mean to their loaders, against a configuration.

#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "numerics/test/made_artefacts.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/refusal.hpp"
#include "reports/command/cli.hpp"
#include "reports/inspection/inspection.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Metadata = std::vector<std::pair<std::string, GgufValue>>;

constexpr auto plain_config = R"({"model_type": "llama", "hidden_size": 256, "num_attention_heads": 8,
  "rope_theta": 500000.0, "max_position_embeddings": 4096})";

/// A configuration with this scaling.
std::string scaled_config(const std::string& scaling) {
  return R"({"model_type": "llama", "hidden_size": 256, "num_attention_heads": 8,
    "max_position_embeddings": 131072, "rope_parameters": {"rope_theta": 500000.0, )" +
         scaling + "}}";
}

const Metadata plain_keys{{"general.architecture", std::string("llama")},
                          {"llama.rope.dimension_count", std::uint32_t{32}},
                          {"llama.rope.freq_base", 500000.0F}};

Metadata with(Metadata keys, const Metadata& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

const Metadata yarn_keys{{"llama.rope.scaling.type", std::string("yarn")},
                         {"llama.rope.scaling.factor", 32.0F},
                         {"llama.rope.scaling.original_context_length", std::uint32_t{4096}}};

/// Cosines or sines of 16 pairs at positions from 0 on.
std::vector<float> table_of(double base, bool is_sine) {
  std::vector<float> values;
  for (int position = 0; position < 64; ++position) {
    for (int pair = 0; pair < 16; ++pair) {
      const double angle = position * std::pow(base, -pair / 16.0);
      values.push_back(static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle)));
    }
  }
  return values;
}

std::vector<float> frequencies_of(double base) {
  std::vector<float> values;
  for (int pair = 0; pair < 16; ++pair) {
    values.push_back(static_cast<float>(std::pow(base, -pair / 16.0)));
  }
  return values;
}

class InspectCommand : public ::testing::Test {
 protected:
  struct Outcome {
    int exit_code = 2;
    std::string out;
    std::string refusal;
  };

  std::string write(const std::string& name, const std::string& bytes) const {
    folder_.write(name, bytes);
    return (folder_.path() / name).string();
  }

  static Outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), {"vernier", "inspect"});
    std::vector<const char*> arguments;
    for (const auto& word : words) {
      arguments.push_back(word.c_str());
    }
    Outcome outcome;
    std::ostringstream out;
    outcome.refusal = refusal_of([&] {
      outcome.exit_code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), out);
    });
    outcome.out = out.str();
    return outcome;
  }

  /// The keys of what is wrong with a file; whether it agrees is told by the exit code too.
  std::vector<std::string> keys(const std::string& name, const std::string& bytes,
                                const std::string& config) const {
    const auto outcome = run({write(name, bytes), "--against", write("against.json", config), "--json", "-"});
    EXPECT_EQ(outcome.refusal, "") << name;
    const auto file = nlohmann::json::parse(outcome.out).at("files").at(0);
    std::vector<std::string> found;
    for (const auto& finding : file.at("findings")) {
      EXPECT_THAT(finding.at("sentence").get<std::string>(), ::testing::Not(IsEmpty()));
      found.push_back(finding.at("key"));
    }
    EXPECT_EQ(outcome.exit_code, found.empty() ? 0 : 1);
    EXPECT_EQ(file.at("verdict"), found.empty() ? "agrees" : "differs");
    return found;
  }

  TemporaryFolder folder_;
};

TEST_F(InspectCommand, NamesTheKeyThatAGgufFileLacks) {
  const Metadata keys_without_base{{"general.architecture", std::string("qwen2")},
                                   {"qwen2.rope.dimension_count", std::uint32_t{32}}};
  const auto file = write("a.gguf", gguf_bytes(keys_without_base));
  const auto [code, out, refusal] = run({file, "--against", write("config.json", plain_config)});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(out,
              AllOf(HasSubstr("a.gguf: the base is 10000, not 500000: qwen2.rope.freq_base is missing, and "
                              "llama.cpp assumes 10000\n"),
                    HasSubstr("is GGUF 3, architecture qwen2"), HasSubstr("means RoPE, head_dim 32")));
  EXPECT_EQ(run({file}).exit_code, 0);
}

TEST_F(InspectCommand, ReadsAGgufFileAsLlamaCppDoes) {
  for (const std::uint32_t version : {2U, 3U}) {
    EXPECT_THAT(keys("a.gguf", gguf_bytes(plain_keys, {}, version), plain_config), IsEmpty());
  }
  const auto yarn =
      scaled_config(R"("rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096)");
  const auto of = [&](const Metadata& more) {
    return keys("b.gguf", gguf_bytes(with(plain_keys, more)), yarn);
  };
  EXPECT_THAT(of(yarn_keys), IsEmpty());
  EXPECT_THAT(of(with(yarn_keys, {{"llama.rope.scaling.yarn_ext_factor", 1.0F}})), IsEmpty());
  EXPECT_THAT(of(with(yarn_keys, {{"llama.rope.scaling.yarn_ext_factor", 32.0F}})),
              ElementsAre("llama.rope.scaling.yarn_ext_factor"));
  EXPECT_THAT(of(with(yarn_keys, {{"llama.rope.scaling.attn_factor", 2.0F}})),
              ElementsAre("llama.rope.scaling.attn_factor"));
  EXPECT_THAT(of({}), ElementsAre("llama.rope.scaling.*"));
  EXPECT_THAT(of({yarn_keys[0], yarn_keys[1]}), ElementsAre("llama.rope.scaling.original_context_length"));
  EXPECT_THAT(of({{"llama.rope.scaling.type", std::string("linear")}, yarn_keys[1], yarn_keys[2]}),
              ElementsAre("llama.rope.scaling.type"));
}

TEST_F(InspectCommand, NamesAScalingThatShouldNotBeThere) {
  EXPECT_THAT(keys("scaled.gguf", gguf_bytes(with(plain_keys, yarn_keys)), plain_config),
              ElementsAre("llama.rope.scaling.type"));
}

TEST_F(InspectCommand, WhatHoldsNothingToCompareIsInconclusive) {
  const std::vector<float> values(8, 1.0F);
  const auto file = write("other.pt", torch_bytes("norm", values));
  EXPECT_EQ(run({file, "--against", write("plain.json", plain_config)}).exit_code, 4);
  EXPECT_EQ(run({file}).exit_code, 0);
}

TEST_F(InspectCommand, ComparesTheFactorsOfEachPair) {
  const auto config = scaled_config(R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
    "high_freq_factor": 4.0, "original_max_position_embeddings": 8192)");
  std::vector<float> factors;
  for (int pair = 0; pair < 16; ++pair) {
    const double turns = 8192 * std::pow(500000.0, -pair / 16.0) / (2 * std::numbers::pi);
    const double kept = std::clamp((turns - 1) / 3, 0.0, 1.0);
    factors.push_back(static_cast<float>(1 / ((1 - kept) / 8 + kept)));
  }
  const auto of = [&](const std::vector<std::pair<std::string, std::vector<float>>>& tensors) {
    return keys("c.gguf", gguf_bytes(plain_keys, tensors), config);
  };
  EXPECT_THAT(of({{"rope_freqs.weight", factors}}), IsEmpty());
  EXPECT_THAT(of({}), ElementsAre("rope_freqs.weight"));
  factors[10] *= 2;
  EXPECT_THAT(of({{"rope_freqs.weight", factors}}), ElementsAre("rope_freqs.weight"));
}

TEST_F(InspectCommand, ComparesLayersWithAWindowApart) {
  const std::string config = R"({"model_type": "gemma3_text", "head_dim": 32, "num_hidden_layers": 6,
    "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0, "max_position_embeddings": 4096})";
  const Metadata gemma{{"general.architecture", std::string("gemma3")},
                       {"gemma3.attention.key_length", std::uint32_t{32}},
                       {"gemma3.rope.freq_base", 1000000.0F}};
  EXPECT_THAT(keys("d.gguf", gguf_bytes(gemma), config), IsEmpty());
  EXPECT_THAT(keys("d.gguf", gguf_bytes(with(gemma, {{"gemma3.rope.freq_base_swa", 1000000.0F}})), config),
              ElementsAre("gemma3.rope.freq_base_swa"));
}

TEST_F(InspectCommand, JudgesFrequenciesAndTablesOfCheckpoints) {
  const auto good = frequencies_of(500000);
  const auto bad = frequencies_of(10000);
  EXPECT_THAT(keys("a.pt", torch_bytes("rotary.inv_freq", good), plain_config), IsEmpty());
  EXPECT_THAT(keys("b.pt", torch_bytes("rotary.inv_freq", bad), plain_config),
              ElementsAre("rotary.inv_freq"));
  const auto npz = [](double base) {
    const auto member = [base](bool is_sine) {
      return npy_bytes(npy_header("<f4", "(64, 16)"), float_bytes(table_of(base, is_sine)));
    };
    return zip_bytes({{"cos.npy", member(false)}, {"sin.npy", member(true)}});
  };
  EXPECT_THAT(keys("a.npz", npz(500000), plain_config), IsEmpty());
  EXPECT_THAT(keys("b.npz", npz(10000), plain_config), ElementsAre("cos"));
}

TEST_F(InspectCommand, JudgesTheTablesAndTheAttributesOfOnnx) {
  const auto model = [](double base, std::uint64_t interleaved) {
    return onnx_bytes({onnx_tensor("cos_cache", {64, 16}, table_of(base, false)),
                       onnx_tensor("sin_cache", {64, 16}, table_of(base, true))},
                      {{"interleaved", interleaved}});
  };
  EXPECT_THAT(keys("a.onnx", model(500000, 0), plain_config), IsEmpty());
  EXPECT_THAT(keys("b.onnx", model(500000, 1), plain_config), ElementsAre("interleaved"));
  EXPECT_THAT(keys("c.onnx", model(10000, 0), plain_config), ElementsAre("cos_cache"));
}

TEST_F(InspectCommand, SaysThatDataBesideAModelAreMissing) {
  write("a.onnx", onnx_bytes({onnx_tensor_outside("a.data", 0, 8)}, {}));
  EXPECT_THAT(run({(folder_.path() / "a.onnx").string()}).out,
              HasSubstr("cos_cache is not read: its data are in \"a.data\", which is missing"));
}

TEST_F(InspectCommand, JudgesAFolderByItsOwnConfiguration) {
  std::filesystem::create_directory(folder_.path() / "model");
  write("model/config.json", plain_config);
  write("model/pytorch_model.bin", torch_bytes("rotary.inv_freq", frequencies_of(10000)));
  const auto folder = (folder_.path() / "model").string();
  EXPECT_THAT(run({folder}).out,
              HasSubstr("pytorch_model.bin: rotary.inv_freq: not what config.json means: the base is "
                        "10000, not 500000"));
  write("model/pytorch_model.bin", torch_bytes("rotary.inv_freq", frequencies_of(500000)));
  EXPECT_EQ(run({folder}).exit_code, 0);
  write("model/pytorch_model.bin.index.json", R"({"weight_map": {"a": "shard-2.bin"}})");
  EXPECT_THAT(run({folder}).out, HasSubstr("shard-2.bin is missing"));
}

TEST_F(InspectCommand, TellsTheOthersWhereAFileCannotBeRead) {
  const auto outcome = run({write("a.gguf", gguf_bytes(plain_keys)), write("b.xyz", "hello")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("a.gguf: nothing to compare it with"));
  EXPECT_THAT(outcome.refusal, HasSubstr("b.xyz: found a file of an unknown kind, expected a GGUF, ONNX"));
  EXPECT_THAT(run({write("c.bin", "\x80\x02}.")}).refusal, HasSubstr("python3 -c"));
}

TEST_F(InspectCommand, LooksAtNoWeights) {
  const auto file = write("large.gguf", gguf_bytes(plain_keys));
  std::filesystem::resize_file(file, std::uintmax_t{40} << 30);
  EXPECT_EQ(run({file, "--against", write("config.json", plain_config)}).exit_code, 0);
}

TEST_F(InspectCommand, ReadsOrRefusesMutatedMetadata) {
  const auto config = write("config.json", scaled_config(R"("rope_type": "yarn", "factor": 32.0,
    "original_max_position_embeddings": 4096)"));
  const auto expected = read_expectation(config);
  const auto whole = gguf_bytes(with(plain_keys, yarn_keys), {{"rope_freqs.weight", frequencies_of(10000)}});
  std::mt19937_64 random(51);
  for (int i = 0; i < 300; ++i) {
    auto bytes = whole;
    for (int change = 0; change < 3; ++change) {
      bytes[static_cast<std::size_t>(random() % bytes.size())] = static_cast<char>(random() % 256);
    }
    const auto file = write("mutated.gguf", bytes);
    const auto sentence = refusal_of([&] { inspect(file, expected); });
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
}

}  // namespace
}  // namespace vernier
