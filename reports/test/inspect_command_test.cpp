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
#include "reference/json/json_tree.hpp"
#include "reference/readers/agreement.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/text_file.hpp"
#include "reference/test/refusal.hpp"
#include "reports/command/cli.hpp"
#include "reports/inspection/inspection.hpp"
#include "reports/inspection/llama_cpp_rope.hpp"

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

/// Real files of Phi-3.5 say no type, and llama.cpp loads both lists (src/models/phi3.cpp:54-55).
TEST_F(InspectCommand, ReadsTheFactorsOfPhiWhateverTheType) {
  const std::vector<float> short_factors{1.0F, 1.5F, 2.0F, 2.5F};
  std::vector<float> long_factors{1.0F, 4.0F, 16.0F, 64.0F};
  const std::string config =
      R"({"model_type": "phi3", "hidden_size": 32, "num_attention_heads": 4, "rope_theta": 10000.0,
    "max_position_embeddings": 131072, "original_max_position_embeddings": 4096, "rope_scaling": {"type": "longrope",
    "short_factor": [1.0, 1.5, 2.0, 2.5], "long_factor": [1.0, 4.0, 16.0, 64.0]}})";
  const Metadata phi{{"general.architecture", std::string("phi3")},
                     {"phi3.rope.dimension_count", std::uint32_t{8}},
                     {"phi3.rope.scaling.original_context_length", std::uint32_t{4096}},
                     {"phi3.rope.scaling.attn_factor",
                      static_cast<float>(std::sqrt(1 + std::log(32.0) / std::log(4096.0)))}};
  const auto of = [&](const Metadata& more) {
    return keys("phi.gguf",
                gguf_bytes(with(phi, more), {{"rope_factors_long.weight", long_factors},
                                             {"rope_factors_short.weight", short_factors}}),
                config);
  };
  EXPECT_THAT(of({}), IsEmpty());
  EXPECT_THAT(of({{"phi3.rope.scaling.type", std::string("longrope")}}), IsEmpty());
  long_factors[3] = 32;
  EXPECT_THAT(of({}), ElementsAre("rope_factors_long.weight"));
  EXPECT_THAT(keys("none.gguf", gguf_bytes(phi), config),
              ElementsAre("rope_factors_long.weight", "rope_factors_short.weight"));
}

/// ggml_rope_yarn_corr_dims rounds both ends of the ramp: ggml/src/ggml.c:4482-4490.
TEST_F(InspectCommand, SaysWhatNoKeyOfAGgufFileCanSay) {
  const auto yarn = [](const std::string& truncate) {
    return scaled_config(
        R"("rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096, "truncate": )" +
        truncate);
  };
  const auto bytes = gguf_bytes(with(plain_keys, yarn_keys));
  EXPECT_THAT(keys("a.gguf", bytes, yarn("true")), IsEmpty());
  EXPECT_THAT(keys("a.gguf", bytes, yarn("false")), ElementsAre("truncate"));
}

TEST_F(InspectCommand, ComparesTheOrderOfTheAxesOfMrope) {
  const std::string config = R"({"model_type": "qwen3_vl_text", "head_dim": 128, "rope_theta": 10000,
    "rope_scaling": {"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": true}})";
  for (const std::string architecture : {"qwen3vl", "qwen2vl"}) {
    const auto bytes =
        gguf_bytes({{"general.architecture", architecture},
                    {architecture + ".attention.key_length", std::uint32_t{128}},
                    {architecture + ".rope.dimension_sections", std::vector<std::int32_t>{24, 20, 20, 0}}});
    EXPECT_EQ(keys("vl.gguf", bytes, config).empty(), architecture == "qwen3vl");
  }
}

/// The GGUF file that llama.cpp's converter makes of a configuration, by its row of readers.json.
std::string converted(const Reading& reading, const std::string& architecture) {
  const auto rope =
      wanted_rope(OrderedJson::parse(json_text(reading.spec)), "config.json", architecture == "deepseek2");
  const auto key = [&architecture](const std::string& name) { return architecture + ".rope." + name; };
  const auto real = [&rope](std::string_view name) { return static_cast<float>(rope.at(name)); };
  Metadata keys{{"general.architecture", architecture},
                {key("dimension_count"), static_cast<std::uint32_t>(rope.at("width"))},
                {key("freq_base"), real("base")},
                {key("scaling.attn_factor"), real("attention")},
                {key("scaling.original_context_length"), static_cast<std::uint32_t>(rope.at("original"))}};
  if (rope.scaling_type == "linear" || rope.scaling_type == "yarn") {
    keys = with(keys, {{key("scaling.type"), rope.scaling_type}, {key("scaling.factor"), real("factor")}});
  }
  if (rope.scaling_type == "yarn") {
    keys = with(keys, {{key("scaling.yarn_beta_fast"), real("beta_fast")},
                       {key("scaling.yarn_beta_slow"), real("beta_slow")},
                       {key("scaling.yarn_log_multiplier"), real("log_multiplier")}});
  }
  if (!rope.sections.empty()) {
    keys = with(keys, {{key("dimension_sections"),
                        std::vector<std::int32_t>(rope.sections.begin(), rope.sections.end())}});
  }
  const auto floats = [](const std::vector<double>& all) {
    return std::vector<float>(all.begin(), all.end());
  };
  std::vector<std::pair<std::string, std::vector<float>>> tensors;
  if (!rope.long_factors.empty() && rope.by_length) {
    tensors = {{"rope_factors_long.weight", floats(rope.long_factors)},
               {"rope_factors_short.weight", floats(rope.short_factors)}};
  } else if (!rope.long_factors.empty()) {
    tensors = {{"rope_freqs.weight", floats(rope.long_factors)}};
  }
  return gguf_bytes(keys, tensors);
}

/// `vernier readers` and `vernier inspect --against` say one thing of llama.cpp, for real configurations and
/// for edits of them that llama.cpp cannot follow.
TEST_F(InspectCommand, AgreesWithWhatReadersSaysOfLlamaCpp) {
  const std::map<std::string, std::string> architectures{{"deepseek_v3", "deepseek2"},
                                                         {"exaone4", "exaone4"},
                                                         {"falcon", "falcon"},
                                                         {"gemma2", "gemma2"},
                                                         {"gemma3_text", "gemma3"},
                                                         {"gpt_neox", "gptneox"},
                                                         {"gpt_oss", "gpt-oss"},
                                                         {"kimi_k2", "deepseek2"},
                                                         {"lfm2", "lfm2"},
                                                         {"llama", "llama"},
                                                         {"mixtral", "llama"},
                                                         {"phi", "phi2"},
                                                         {"phi3", "phi3"},
                                                         {"qwen2", "qwen2"},
                                                         {"qwen2_vl", "qwen2vl"},
                                                         {"qwen3", "qwen3"},
                                                         {"qwen3_next", "qwen3next"},
                                                         {"qwen3_vl_text", "qwen3vl"}};
  const auto edits = {
      R"({})",
      R"({"partial_rotary_factor": 0.5})",
      R"({"rope_theta": 777000.0})",
      R"({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192, "truncate": false}})",
      R"({"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192, "attention_factor": 1.5}})",
      R"({"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192}})"};
  const auto& row = *std::ranges::find(readers(), "llama.cpp", &ReaderRow::name);
  int compared = 0;
  int parted = 0;
  for (const auto& file : std::filesystem::directory_iterator(VERNIER_REAL_CONFIGS)) {
    const auto configs = parse_python_json(read_text(file.path()), file.path().string());
    for (const auto& [name, entry] : std::get<JsonValue::Object>(configs.value())) {
      for (const std::string edit : edits) {
        const auto* config = value_at(entry, "config");
        const auto architecture =
            config == nullptr ? architectures.end() : architectures.find(model_type_of(*config));
        if (architecture == architectures.end()) {
          continue;
        }
        const auto where = language_model_of(*config);
        const auto patch = parse_json(where.empty() ? edit : "{\"" + where + "\": " + edit + "}", "edit");
        const auto document = merged(*config, patch);
        const auto parting =
            parting_of(read_as(row, document, name, ""), read_as(readers().front(), document, name, ""));
        const auto against = write("config.json", json_text(document));
        Expectation expected;
        if (!parting.reading.error.empty() ||
            !refusal_of([&] { expected = read_expectation(against); }).empty()) {
          continue;  // a class that the edit does not fit
        }
        if (expected.encodings.front().spec.value("scheme", "") == "alibi") {
          continue;  // readers are compared for RoPE only
        }
        const auto told =
            inspect(write("made.gguf", converted(parting.reading, architecture->second)), expected);
        EXPECT_EQ(told.findings.empty(), parting.rotation.is_none())
            << name << " with " << edit << ": "
            << (told.findings.empty() ? "agrees" : told.findings.front().sentence);
        ++compared;
        parted += parting.rotation.is_none() ? 0 : 1;
      }
    }
  }
  EXPECT_GE(compared, 60);
  EXPECT_GE(parted, 20);
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
