// What programs make of one configuration, against the figures of public threads.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "reference/configs/family.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/readers/agreement.hpp"
#include "reference/support/text_file.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

JsonValue parsed_json(std::string_view text) {
  return parse_json(text, "config.json");
}

double number(const JsonValue& value) {
  return std::stod(std::get<JsonValue::Number>(value.value()).text);
}

struct Thread {
  std::string name;
  std::string reader;
  JsonValue config;
  JsonValue expect;

  /// What the thread says of a figure, if it does.
  const JsonValue* figure(std::string_view key) const { return value_at(expect, key); }
};

/// The readers of the threads, after those of readers.json.
std::vector<ReaderRow> all_readers(const JsonValue& document) {
  std::vector<ReaderRow> rows(readers().begin(), readers().end());
  const JsonValue own(JsonValue::Object{{"readers", *value_at(document, "readers")}});
  for (auto& row : parse_readers(own, "reader_threads.json", readers())) {
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Thread> threads_of(const JsonValue& document) {
  std::vector<Thread> threads;
  for (const auto& one : std::get<JsonValue::Array>(value_at(document, "threads")->value())) {
    threads.push_back({std::get<std::string>(value_at(one, "thread")->value()),
                       std::get<std::string>(value_at(one, "reader")->value()), *value_at(one, "config"),
                       *value_at(one, "expect")});
  }
  return threads;
}

Parting parting_in(const Thread& thread, std::span<const ReaderRow> rows) {
  const auto row = std::ranges::find(rows, thread.reader, &ReaderRow::name);
  EXPECT_NE(row, rows.end()) << thread.reader;
  return parting_of(read_as(*row, thread.config, "config.json", ""),
                    read_as(rows.front(), thread.config, "config.json", ""));
}

void expect_quantities(const Thread& thread, const Parting& parting) {
  const auto* read = thread.figure("read");
  for (const auto& [quantity, value] :
       read == nullptr ? JsonValue::Object() : std::get<JsonValue::Object>(read->value())) {
    const auto* found = parting.reading.quantity(quantity);
    ASSERT_NE(found, nullptr) << quantity;
    EXPECT_TRUE(same_value(found->value, value)) << quantity << " is " << json_text(found->value);
    EXPECT_THAT(parting.quantities, Contains(Field(&QuantityDifference::quantity, quantity)));
  }
}

void expect_rotation(const Thread& thread, const RotationDifference& rotation) {
  if (const auto* ratio = thread.figure("ratio")) {
    EXPECT_EQ(std::round(rotation.ratio), number(*ratio)) << rotation.ratio;
  }
  if (const auto* pair = thread.figure("pair")) {
    EXPECT_EQ(rotation.pair, number(*pair));
    EXPECT_TRUE(rotation.is_faster);
  }
  if (const auto* position = thread.figure("first_position")) {
    EXPECT_EQ(rotation.first_position, static_cast<std::int64_t>(number(*position)));
  }
  if (const auto* pairs = thread.figure("pairs")) {
    const auto& both = std::get<JsonValue::Array>(pairs->value());
    EXPECT_EQ(rotation.pairs, number(both[0]));
    EXPECT_EQ(rotation.other_pairs, number(both[1]));
  }
  if (const auto* softer = thread.figure("softer")) {
    EXPECT_NEAR(1 / (rotation.amplitude * rotation.amplitude), number(*softer), 0.005);
  }
  if (const auto* cosines = thread.figure("cosines")) {
    // The thread's are of single vectors, these the mean over all.
    for (const auto& [position, cosine] : std::get<JsonValue::Object>(cosines->value())) {
      double sum = 0;
      for (const double angle : rotation.angles) {
        sum += std::cos(std::stod(position) * angle);
      }
      EXPECT_NEAR(sum / static_cast<double>(rotation.angles.size()), number(cosine), 0.04) << position;
    }
  }
}

TEST(Readers, ReproduceTheFiguresOfPublicThreads) {
  const auto document = read_json(VERNIER_REAL_CONFIGS "/../reader_threads.json");
  const auto rows = all_readers(document);
  const auto threads = threads_of(document);
  EXPECT_GE(threads.size(), 12U);
  for (const auto& thread : threads) {
    SCOPED_TRACE(thread.name);
    const auto parting = parting_in(thread, rows);
    ASSERT_EQ(parting.reading.error, "");
    ASSERT_EQ(parting.compared.error, "");
    EXPECT_FALSE(parting.agrees());
    expect_quantities(thread, parting);
    expect_rotation(thread, parting.rotation);
    if (const auto* key = thread.figure("key")) {
      EXPECT_THAT(parting.reading.ignored,
                  Contains(Field(&IgnoredKey::key, std::get<std::string>(key->value()))));
    }
  }
}

constexpr std::string_view migrated = R"({
  "model_type": "llama", "head_dim": 64, "hidden_size": 2048, "num_attention_heads": 32, "max_position_embeddings": 131072,
  "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000, "factor": 8.0, "low_freq_factor": 1.0,
                      "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})";

/// marin-community/marin #7801 makes the same edit when it exports a model.
TEST(Readers, AgreeAfterTheEdit) {
  const auto config = parsed_json(migrated);
  const auto edit = agreeing_edit(config, "config.json", readers());
  EXPECT_THAT(edit.remaining, IsEmpty());
  ASSERT_NE(value_at(edit.patch, "rope_theta"), nullptr);
  EXPECT_EQ(json_text(*value_at(edit.patch, "rope_theta")), "500000");
  EXPECT_EQ(json_text(*value_at(edit.patch, "rope_scaling.factor")), "8.0");
  const auto after = partings(merged(config, edit.patch), "config.json", readers());
  EXPECT_TRUE(std::ranges::all_of(after, &Parting::agrees));
  const auto before = partings(config, "config.json", readers());
  EXPECT_FALSE(std::ranges::all_of(before, &Parting::agrees));
}

/// Megatron-LM takes its factor from no key.
TEST(Readers, NamesWhomNoEditReaches) {
  const auto config =
      parsed_json(R"({"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0, "rope_scaling":
    {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})");
  EXPECT_THAT(agreeing_edit(config, "config.json", readers()).remaining,
              ::testing::ElementsAre("Megatron-LM"));
}

TEST(Readers, AgreeOnAPlainRope) {
  const auto config = parsed_json(
      R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 10000.0,
                                 "max_position_embeddings": 4096})");
  const auto all = partings(config, "config.json", readers());
  EXPECT_THAT(all, SizeIs(readers().size() - 1));
  for (const auto& one : all) {
    EXPECT_TRUE(one.agrees()) << one.reading.reader << one.reading.error;
  }
  EXPECT_EQ(json_text(agreeing_edit(config, "config.json", readers()).patch), "{}");
}

TEST(Readers, CompareTwoConfigurations) {
  const auto target = parsed_json(migrated);
  const auto draft = parsed_json(
      R"({"model_type": "llama", "head_dim": 64, "rope_theta": 10000.0, "max_position_embeddings": 2048})");
  const auto parted = partings(target, "target.json", draft, "draft.json", readers());
  const auto four =
      std::ranges::find_if(parted, [](const auto& one) { return one.reading.reader == "transformers 4.57"; });
  const auto five =
      std::ranges::find_if(parted, [](const auto& one) { return one.reading.reader == "transformers 5"; });
  // Both are base 10000 without scaling to 4.57, which misreads the target; only the contexts differ.
  EXPECT_TRUE(four->rotation.is_none());
  EXPECT_EQ(std::round(five->rotation.ratio), 354);
  const auto same = partings(target, "a.json", target, "b.json", readers());
  EXPECT_TRUE(std::ranges::all_of(same, &Parting::agrees));
}

TEST(Readers, ReadEntriesOfKindsOfLayers) {
  const auto config = parsed_json(R"({"model_type": "gemma3_text", "head_dim": 256, "rope_parameters": {
    "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})");
  EXPECT_THAT(kinds_with_entries(config), ::testing::ElementsAre("full_attention", "sliding_attention"));
  const auto reader = std::ranges::find(readers(), "transformers 5", &ReaderRow::name);
  EXPECT_TRUE(same_value(read_as(*reader, config, "config.json", "full_attention").quantity("factor")->value,
                         parsed_json("8")));
  const auto old = std::ranges::find(readers(), "transformers 4.57", &ReaderRow::name);
  EXPECT_EQ(read_as(*old, config, "config.json", "full_attention").quantity("factor"), nullptr);
}

TEST(Readers, TellWhyTheyStop) {
  const auto config = parsed_json(
      R"({"model_type": "llama", "head_dim": 64, "rope_scaling": {"rope_type": "spiral", "factor": 2}})");
  const auto all = partings(config, "config.json", readers());
  const auto vllm = std::ranges::find_if(all, [](const auto& one) { return one.reading.reader == "vLLM"; });
  EXPECT_THAT(
      vllm->reading.error,
      HasSubstr(
          "config.json: rope_scaling.rope_type: found the string \"spiral\", which vLLM does not know"));
  const auto llama =
      std::ranges::find_if(all, [](const auto& one) { return one.reading.reader == "llama.cpp"; });
  EXPECT_EQ(llama->reading.error, "");
}

/// The model_types of all rows and of all families, and one that nobody knows.
std::vector<std::string> all_model_types() {
  std::vector<std::string> types{"spiralformer", ""};
  for (const auto& row : readers()) {
    types.insert(types.end(), row.model_types.begin(), row.model_types.end());
  }
  for (const auto& family : config_families()) {
    types.insert(types.end(), family.model_types.begin(), family.model_types.end());
  }
  return types;
}

/// A configuration that rows of every kind read differently.
JsonValue configuration_of(const std::string& model_type) {
  return parsed_json(
      fmt::format(R"({{"model_type": "{}", "head_dim": 64, "hidden_size": 2048, "rotary_dim": 16,
    "num_attention_heads": 32, "max_position_embeddings": 131072, "partial_rotary_factor": 0.5, "rope_parameters": {{
    "rope_type": "yarn", "rope_theta": 500000, "factor": 8.0, "original_max_position_embeddings": 8192,
    "truncate": false}}}})",
                  model_type));
}

bool lists(const ReaderRow& row, const std::string& model_type) {
  return std::ranges::find(row.model_types, model_type) != row.model_types.end();
}

RC_GTEST_PROP(Readers, SayNothingOfModelTypesThatTheirRowsWereNotReadFor, ()) {
  static const auto types = all_model_types();
  const auto word = rc::gen::container<std::string>(rc::gen::inRange('a', 'z'));
  const auto type = *rc::gen::oneOf(rc::gen::elementOf(types), word);
  for (const auto& parting : partings(configuration_of(type), "config.json", readers())) {
    const auto& reading = parting.reading;
    const auto row = std::ranges::find(readers(), reading.reader, &ReaderRow::name);
    RC_ASSERT(parting.is_known() == lists(*row, type));
    if (!parting.is_known()) {
      RC_ASSERT(!parting.differs() && !parting.agrees() && parting.quantities.empty());
      RC_ASSERT(reading.spec.is_null() && reading.error.empty());
      RC_ASSERT(reading.quantities.empty() && reading.ignored.empty());
    }
  }
}

TEST(Readers, AreNotInAnEditOfAModelTypeThatTheirRowsWereNotReadFor) {
  for (const std::string type : {"spiralformer", "gpt_oss", "mixtral"}) {
    for (const auto& name : agreeing_edit(configuration_of(type), "config.json", readers()).remaining) {
      EXPECT_TRUE(lists(*std::ranges::find(readers(), name, &ReaderRow::name), type)) << name << ": " << type;
    }
  }
}

/// What a reader makes of a configuration beside what the file says.
Parting parting_by(const std::string& reader, std::string_view config) {
  const auto document = parsed_json(config);
  const auto row = std::ranges::find(readers(), reader, &ReaderRow::name);
  return parting_of(read_as(*row, document, "config.json", ""),
                    read_as(readers().front(), document, "config.json", ""));
}

/// Gemma 3 states the context that its scaling reaches: vllm/config/model.py:2601-2603 of v0.33.0.
TEST(Readers, DoNotScaleTheContextOfGemma3Again) {
  constexpr auto scaling = R"("head_dim": 128, "rope_theta": 1000000.0, "max_position_embeddings": 131072,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0}})";
  for (const std::string reader : {"vLLM", "SGLang"}) {
    EXPECT_TRUE(parting_by(reader, std::string(R"({"model_type": "gemma3_text", )") + scaling).agrees())
        << reader;
    const auto llama = parting_by(reader, std::string(R"({"model_type": "llama", )") + scaling);
    EXPECT_TRUE(same_value(llama.reading.quantity("context")->value, parsed_json("1048576"))) << reader;
  }
}

/// Its type of rope is LLAMA_ROPE_TYPE_IMROPE: src/llama-model.cpp:3190-3196.
TEST(Readers, InterleaveTheAxesOfQwen3VlInLlamaCpp) {
  constexpr auto rest = R"("head_dim": 128, "rope_theta": 5000000, "rope_scaling": {"rope_type": "default",
    "mrope_section": [24, 20, 20], "mrope_interleaved": true}})";
  EXPECT_TRUE(parting_by("llama.cpp", std::string(R"({"model_type": "qwen3_vl_text", )") + rest).agrees());
  EXPECT_TRUE(parting_by("llama.cpp", std::string(R"({"model_type": "qwen2_vl", )") + rest).differs());
}

/// FalconModel.set_gguf_parameters writes no base (conversion/falcon.py:19-37), so llama.cpp assumes 10000.
TEST(Readers, TakeNoBaseOfFalconInLlamaCpp) {
  const auto at = [](const std::string& base) {
    return parting_by("llama.cpp", R"({"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71,
                                       "rope_theta": )" +
                                       base + "}");
  };
  EXPECT_TRUE(at("10000.0").agrees());
  EXPECT_TRUE(at("500000.0").differs());
  EXPECT_FALSE(parting_by("MLX-LM", R"({"model_type": "falcon", "head_dim": 64})").is_known());
}

/// The amplitude of Phi-3 is the converter's own (conversion/phi.py:194-202), that of the formula.
TEST(Readers, ReadPhi3WithoutItsFactor) {
  constexpr auto phi =
      R"({"model_type": "phi3", "hidden_size": 64, "num_attention_heads": 16, "rope_theta": 10000.0,
    "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
    "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.5], "long_factor": [1.0, 40.0]}})";
  for (const std::string reader : {"transformers 4.57", "transformers 5", "vLLM", "llama.cpp", "MLX-LM"}) {
    EXPECT_TRUE(parting_by(reader, phi).agrees()) << reader;
  }
  EXPECT_FALSE(parting_by("SGLang", phi).is_known());
}

/// Every quantity of a row is one that the reference has too: else nothing could be compared with it.
TEST(Readers, HaveTheQuantitiesOfTheReference) {
  ASSERT_TRUE(readers().front().is_reference);
  for (const auto& row : readers()) {
    EXPECT_NE(row.source, "");
    EXPECT_EQ(row.model_types.empty(), row.is_reference) << row.name;
    for (const auto& exception : row.exceptions) {
      for (const auto& type : exception.model_types) {
        EXPECT_TRUE(lists(row, type)) << row.name << " has an exception for " << type;
      }
    }
    for (const auto& [quantity, rule] : row.rules.quantities) {
      EXPECT_TRUE(readers().front().rules.quantities.contains(quantity)) << row.name << ": " << quantity;
    }
  }
}

}  // namespace
}  // namespace vernier
