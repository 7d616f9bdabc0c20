// libvernier as a program sees it: through vernier.h alone.
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vernier.h>

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* small_rope = R"({"scheme": "rope", "head_dim": 16})";

/// Text that the library handed out.
std::string taken(char* text) {
  std::string result = text == nullptr ? "" : text;
  vernier_free(text);
  return result;
}

/// A tensor and its shape, over somebody's elements.
struct Made {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  VernierTensor tensor;

  Made(void* data, VernierDataType type, std::vector<std::int64_t> of, std::vector<std::int64_t> apart = {})
      : shape(std::move(of)), strides(std::move(apart)), tensor{} {
    tensor = {data, {VERNIER_CPU, 0}, static_cast<std::int32_t>(shape.size()),
              type, shape.data(),     strides.empty() ? nullptr : strides.data(),
              0};
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
};

constexpr VernierDataType float32{VERNIER_FLOAT, 32, 1};
constexpr VernierDataType float64{VERNIER_FLOAT, 64, 1};
constexpr VernierDataType bfloat16{VERNIER_BFLOAT, 16, 1};
constexpr VernierDataType int64{VERNIER_INT, 64, 1};

std::vector<std::int64_t> first_positions(std::size_t count) {
  std::vector<std::int64_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

template <class Element>
std::vector<Element> certified(const char* spec, const char* role, std::vector<std::int64_t> positions,
                               std::int64_t columns, VernierDataType type) {
  std::vector<Element> result(positions.size() * static_cast<std::size_t>(columns));
  const auto rows = static_cast<std::int64_t>(positions.size());
  const Made at(positions.data(), int64, {rows});
  const Made out(result.data(), type, {rows, columns});
  char* error = nullptr;
  EXPECT_EQ(vernier_table(spec, nullptr, role, &at.tensor, &out.tensor, &error), VERNIER_OK) << error;
  vernier_free(error);
  return result;
}

/// What became of a call of vernier_judge.
struct Judged {
  std::int32_t code;
  std::string error;
  std::string text;
  std::int32_t exit_code = -1;
};

Judged judged(const char* spec, const std::vector<VernierNamedTensor>& tensors, const char* options = nullptr,
              const char* form = "text") {
  VernierVerdict* verdict = nullptr;
  char* error = nullptr;
  Judged result{vernier_judge(spec, options, tensors.data(), tensors.size(), &verdict, &error), taken(error),
                ""};
  EXPECT_EQ(result.code == VERNIER_OK, verdict != nullptr);
  if (verdict != nullptr) {
    char* text = nullptr;
    EXPECT_EQ(vernier_verdict_text(verdict, form, &text), VERNIER_OK);
    result.text = taken(text);
    result.exit_code = vernier_verdict_exit_code(verdict);
  }
  vernier_verdict_free(verdict);
  return result;
}

TEST(Library, JudgesWhatItWrote) {
  auto cosines = certified<float>(small_rope, "cos", first_positions(64), 8, float32);
  const Made tensor(cosines.data(), float32, {64, 8});
  const auto right = judged(small_rope, {{"cos", &tensor.tensor}});
  EXPECT_EQ(right.exit_code, 0) << right.error;
  EXPECT_THAT(right.text, StartsWith("rope: conforms"));

  const auto wrong = judged(R"({"scheme": "rope", "head_dim": 16, "rope_theta": 500000})",
                            {{"cos", &tensor.tensor}}, R"({"name": "mine", "reproduce": "once more"})");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.text, StartsWith("mine: does not conform: the base is 10000, not 500000"));
  EXPECT_THAT(wrong.text, HasSubstr("reproduce: once more"));
}

TEST(Library, TellsAVerdictInEveryForm) {
  auto cosines = certified<float>(small_rope, "cos", first_positions(64), 8, float32);
  cosines[100] = NAN;
  const Made tensor(cosines.data(), float32, {64, 8});
  const std::vector<VernierNamedTensor> tensors{{"cos", &tensor.tensor}};
  EXPECT_THAT(judged(small_rope, tensors, nullptr, "json").text,
              AllOf(StartsWith("{"), HasSubstr("\"exit_code\": 1"), HasSubstr("finite/cos")));
  EXPECT_THAT(judged(small_rope, tensors, nullptr, "full_text").text,
              AllOf(HasSubstr("finite/cos"), testing::Not(HasSubstr("reproduce"))));
  EXPECT_THAT(judged(small_rope, tensors, nullptr, "html").text, HasSubstr("<html"));
  EXPECT_THAT(judged(small_rope, tensors, nullptr, "junit").text, HasSubstr("<testsuite"));
  EXPECT_THAT(judged(small_rope, tensors, nullptr, "sarif").text, HasSubstr("\"runs\""));

  VernierVerdict* verdict = nullptr;
  ASSERT_EQ(vernier_judge(small_rope, nullptr, tensors.data(), 1, &verdict, nullptr), VERNIER_OK);
  char* text = nullptr;
  EXPECT_EQ(vernier_verdict_text(verdict, "jsn", &text), VERNIER_REJECTED);
  EXPECT_THAT(taken(text), AllOf(StartsWith("form: found \"jsn\""), HasSubstr("did you mean json")));
  EXPECT_EQ(vernier_verdict_text(nullptr, "json", nullptr), VERNIER_REJECTED);
  vernier_verdict_free(verdict);
}

TEST(Library, TakesAnyStrides) {
  const auto cosines = certified<float>(small_rope, "cos", first_positions(64), 8, float32);
  // Columns first; and rows backwards with a gap, from the last on.
  std::vector<float> columns_first(64 * 8);
  std::vector<float> backwards(64 * 9, -7);
  for (std::size_t row = 0; row < 64; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      columns_first[column * 64 + row] = cosines[row * 8 + column];
      backwards[(63 - row) * 9 + column] = cosines[row * 8 + column];
    }
  }
  const Made transposed(columns_first.data(), float32, {64, 8}, {1, 64});
  EXPECT_EQ(judged(small_rope, {{"cos", &transposed.tensor}}).exit_code, 0);
  const Made reversed(backwards.data() + 63 * 9, float32, {64, 8}, {-9, 1});
  EXPECT_EQ(judged(small_rope, {{"cos", &reversed.tensor}}).exit_code, 0);
  const Made read_as_dense(columns_first.data(), float32, {64, 8});
  EXPECT_EQ(judged(small_rope, {{"cos", &read_as_dense.tensor}}).exit_code, 1);
  // An offset in bytes.
  Made behind(backwards.data(), float32, {64, 8}, {-9, 1});
  behind.tensor.byte_offset = 63 * 9 * sizeof(float);
  EXPECT_EQ(judged(small_rope, {{"cos", &behind.tensor}}).exit_code, 0);
}

TEST(Library, WritesWhereverTheRowsLie) {
  const auto dense = certified<float>(small_rope, "sin", first_positions(16), 8, float32);
  std::vector<float> memory(8 * 20, -7);
  auto positions = first_positions(16);
  const Made at(positions.data(), int64, {16});
  const Made out(memory.data(), float32, {16, 8}, {1, 20});
  ASSERT_EQ(vernier_table(small_rope, nullptr, "sin", &at.tensor, &out.tensor, nullptr), VERNIER_OK);
  for (std::size_t column = 0; column < 8; ++column) {
    for (std::size_t row = 0; row < 20; ++row) {
      EXPECT_EQ(memory[column * 20 + row], row < 16 ? dense[row * 8 + column] : -7);
    }
  }
}

TEST(Library, WritesAnyPositionsInAnyOrder) {
  const std::vector<std::int64_t> positions{5, 7, 9, 2, 2, 2, -3, 1 << 20, 0, 1};
  const auto together = certified<double>(small_rope, "cos", positions, 8, float64);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const auto alone = certified<double>(small_rope, "cos", {positions[row]}, 8, float64);
    EXPECT_TRUE(std::ranges::equal(alone, std::span(together).subspan(row * 8, 8))) << positions[row];
  }
  EXPECT_EQ(together[8 * 8], 1);
  EXPECT_NEAR(together[0], std::cos(5.0), 1e-15);
}

TEST(Library, WritesBiasesSlopesAndBuckets) {
  const char* alibi = R"({"scheme": "alibi", "num_heads": 2})";
  auto key_positions = first_positions(3);
  const Made keys(key_positions.data(), int64, {3});
  std::vector<double> bias(6);
  const Made heads(bias.data(), float64, {2, 3});
  ASSERT_EQ(vernier_table(alibi, nullptr, "bias", &keys.tensor, &heads.tensor, nullptr), VERNIER_OK);
  EXPECT_THAT(bias, testing::ElementsAre(0, 0x1p-4, 0x1p-3, 0, 0x1p-8, 0x1p-7));
  const char* t5 =
      R"({"scheme": "t5_bucket", "num_buckets": 32, "max_distance": 128, "bidirectional": true})";
  auto positions = std::vector<std::int64_t>{-1, 0, 1};
  const Made at(positions.data(), int64, {3});
  std::vector<std::int64_t> buckets(3);
  const Made out(buckets.data(), int64, {3});
  char* error = nullptr;
  ASSERT_EQ(vernier_table(t5, nullptr, "buckets", &at.tensor, &out.tensor, &error), VERNIER_OK) << error;
  EXPECT_THAT(buckets, testing::ElementsAre(1, 0, 17));
  char* json = nullptr;
  ASSERT_EQ(vernier_tensors(t5, nullptr, &at.tensor, &json), VERNIER_OK);
  EXPECT_EQ(taken(json), R"([{"role":"buckets","shape":[3],"exact":true}])");
}

TEST(Library, SaysWhatAConfigurationMeans) {
  char* json = nullptr;
  const char* config =
      R"({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "rope_theta": 500000.0})";
  ASSERT_EQ(vernier_understand(config, nullptr, &json), VERNIER_OK);
  EXPECT_THAT(taken(json),
              AllOf(HasSubstr("\"scheme\": \"rope\""), HasSubstr("500000.0"), HasSubstr("\"assumed\"")));
  ASSERT_EQ(vernier_understand("{}", R"({"source": "config.json"})", &json), VERNIER_REJECTED);
  EXPECT_THAT(taken(json), StartsWith("config.json: model_type: missing"));
}

TEST(Library, RefusesWithASentence) {
  auto cosines = certified<float>(small_rope, "cos", first_positions(4), 8, float32);
  const Made good(cosines.data(), float32, {4, 8});
  const auto refused = [&](const char* spec, const std::vector<VernierNamedTensor>& tensors,
                           const char* options = nullptr) {
    const auto result = judged(spec, tensors, options);
    EXPECT_EQ(result.code, VERNIER_REJECTED) << result.text;
    return result.error;
  };
  EXPECT_THAT(refused("llama-2-7b-h", {{"cos", &good.tensor}}), HasSubstr("the nearest are llama-2-7b-hf"));
  EXPECT_THAT(refused("{", {{"cos", &good.tensor}}), StartsWith("spec, line 1"));
  EXPECT_THAT(
      refused(R"({"scheme": "rope", "head_dim": 15})", {{"cos", &good.tensor}}, R"({"source": "a.json"})"),
      StartsWith("a.json: head_dim: found 15"));
  EXPECT_THAT(refused(nullptr, {{"cos", &good.tensor}}), HasSubstr("null pointer"));
  EXPECT_THAT(refused(small_rope, {{"cos", &good.tensor}}, R"({"contrct": "float32"})"),
              HasSubstr("contrct"));
  EXPECT_THAT(refused(small_rope, {{"cos", &good.tensor}}, R"({"layer": "3"})"), HasSubstr("layer"));
  EXPECT_THAT(refused(small_rope, {{"cos", &good.tensor}}, R"({"date": "someday"})"),
              StartsWith("date: found"));
  EXPECT_THAT(refused(small_rope, {{"cos", &good.tensor}}, R"({"waivers": "/nowhere.json"})"),
              HasSubstr("/nowhere.json"));
  EXPECT_THAT(refused(small_rope, {{"cosine", &good.tensor}}),
              StartsWith("vernier_judge: found a tensor for \"cosine\""));
  EXPECT_THAT(refused(small_rope, {{"cos", &good.tensor}, {"cos", &good.tensor}}), HasSubstr("two tensors"));
  EXPECT_THAT(refused(small_rope, {{"cos", nullptr}}), HasSubstr("vernier_judge: cos: found a null pointer"));
  EXPECT_THAT(refused(small_rope, {{nullptr, &good.tensor}}), HasSubstr("without a role"));

  Made bad(cosines.data(), float32, {4, 8});
  bad.tensor.device.device_type = 2;
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("in the memory of a device"));
  bad.tensor.device.device_type = VERNIER_CPU;
  bad.tensor.dtype = {5, 64, 1};
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("found complex64, expected float64"));
  bad.tensor.dtype = {10, 8, 1};
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("type code 10"));
  bad.tensor.dtype = {VERNIER_FLOAT, 32, 4};
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("vectors of 4"));
  bad.tensor.dtype = float32;
  bad.shape = {4, -8};
  bad.tensor.shape = bad.shape.data();
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("a dimension of -8"));
  bad.shape = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  bad.tensor.shape = bad.shape.data();
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("fits into memory"));
  bad.shape = {8, 4};
  bad.tensor.shape = bad.shape.data();
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("found the shape [8, 4]"));
  bad.tensor.data = nullptr;
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("null pointer to its elements"));
}

TEST(Library, NoVerdictIsBadInput) {
  EXPECT_EQ(vernier_verdict_exit_code(nullptr), 2);
}

TEST(Library, RefusesToWriteWhatThereIsNot) {
  std::vector<float> memory(64);
  auto positions = first_positions(4);
  const Made at(positions.data(), int64, {4});
  const auto refused = [&](const char* role, const Made& out) {
    char* error = nullptr;
    EXPECT_EQ(vernier_table(small_rope, nullptr, role, &at.tensor, &out.tensor, &error), VERNIER_REJECTED);
    return taken(error);
  };
  EXPECT_THAT(refused("cosine", Made(memory.data(), float32, {4, 8})),
              HasSubstr("found no table \"cosine\" of 8 columns, expected cos of 8 columns"));
  EXPECT_THAT(refused("cos", Made(memory.data(), float32, {4, 9})), HasSubstr("of 9 columns"));
  EXPECT_THAT(refused("cos", Made(memory.data(), float32, {3, 8})),
              HasSubstr("out: found the shape [3, 8], expected [4, 8]"));
  EXPECT_THAT(refused("cos", Made(memory.data(), int64, {4, 8})), HasSubstr("out: found int64"));
  positions[2] = std::int64_t{1} << 40;
  EXPECT_THAT(refused("cos", Made(memory.data(), float32, {4, 8})), HasSubstr("positions"));
  EXPECT_EQ(vernier_table(small_rope, nullptr, "cos", nullptr, nullptr, nullptr), VERNIER_REJECTED);
}

TEST(Library, ReadsBfloat16) {
  auto cosines = certified<std::uint16_t>(small_rope, "cos", first_positions(64), 8, bfloat16);
  EXPECT_EQ(cosines[0], 0x3f80);
  const Made tensor(cosines.data(), bfloat16, {64, 8});
  EXPECT_EQ(judged(small_rope, {{"cos", &tensor.tensor}}).exit_code, 0);
  cosines[9] ^= 2;
  EXPECT_EQ(judged(small_rope, {{"cos", &tensor.tensor}}).exit_code, 1);
}

// What a library built with -ffast-math leaves behind, and what interval code sets.
TEST(Library, DoesNotDependOnTheCallersFloatingPointEnvironment) {
  auto cosines = certified<float>(small_rope, "cos", first_positions(64), 8, float32);
  const Made tensor(cosines.data(), float32, {64, 8});
  const auto as_ever = judged(small_rope, {{"cos", &tensor.tensor}}, nullptr, "json").text;
  std::fesetround(FE_UPWARD);
#ifdef __SSE2__
  constexpr unsigned flush_and_zero = 0x8040;
  _mm_setcsr(_mm_getcsr() | flush_and_zero);
#endif
  EXPECT_EQ(judged(small_rope, {{"cos", &tensor.tensor}}, nullptr, "json").text, as_ever);
  EXPECT_EQ(certified<float>(small_rope, "cos", first_positions(64), 8, float32), cosines);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
#ifdef __SSE2__
  EXPECT_EQ(_mm_getcsr() & flush_and_zero, flush_and_zero);
#endif
  std::fesetenv(FE_DFL_ENV);
}

TEST(Library, ServesThreadsAtOnce) {
  auto cosines = certified<float>(small_rope, "cos", first_positions(256), 8, float32);
  cosines[5] = 2;
  const Made tensor(cosines.data(), float32, {256, 8});
  const auto alone = judged(small_rope, {{"cos", &tensor.tensor}}, nullptr, "json").text;
  std::array<std::string, 4> together;
  std::vector<std::thread> threads;
  for (auto& text : together) {
    threads.emplace_back([&] {
      for (int time = 0; time < 3; ++time) {
        text = judged(small_rope, {{"cos", &tensor.tensor}}, nullptr, "json").text;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(together, testing::Each(alone));
}

// An implementation in this process
// -------------------------------------------------------------------------------------------------------------

/// RoPE of 16 dimensions in halves, and what happens to it.
struct Rope {
  std::int32_t asked = 0;
  std::int32_t stops_at = 0;  ///< which question ends the judging; 0: none
  std::int32_t code = VERNIER_OK;
  std::string reason;
  std::int64_t columns_too_many = 0;
  bool rounds_up = false;  ///< expects the rounding of the caller
  std::vector<std::string> roles;
};

std::vector<double> rope_values(const VernierQuestion& question, std::string_view role, std::int64_t width) {
  const auto* positions = static_cast<const std::int64_t*>(question.positions->data);
  const auto rows = question.positions->shape[0];
  const auto* input = question.input == nullptr ? nullptr : static_cast<const float*>(question.input->data);
  std::int64_t copies = 1;
  for (std::int32_t i = 0; input != nullptr && i + 2 < question.input->ndim; ++i) {
    copies *= question.input->shape[i];
  }
  std::vector<double> values;
  for (std::int64_t row = 0; row < copies * rows; ++row) {
    const auto x = [&](std::int64_t column) { return static_cast<double>(input[row * width + column]); };
    for (std::int64_t column = 0; column < width; ++column) {
      const auto phase = static_cast<double>(positions[row % rows]) *
                         std::pow(10000.0, -static_cast<double>(column % 8) / 8);
      const double c = std::cos(phase);
      const double s = std::sin(phase);
      values.push_back(role == "cos"   ? c
                       : role == "sin" ? s
                       : column < 8    ? x(column) * c - x(column + 8) * s
                                       : x(column) * c + x(column - 8) * s);
    }
  }
  return values;
}

std::int32_t answer_rope(void* user, const VernierQuestion* question, VernierAnswer* answer) {
  auto& rope = *static_cast<Rope*>(user);
  ++rope.asked;
  EXPECT_EQ(rope.rounds_up ? FE_UPWARD : FE_TONEAREST, std::fegetround());
  EXPECT_THAT(question->spec, StartsWith(R"({"scheme":"rope","head_dim":16,)"));
  if (rope.asked == rope.stops_at) {
    return 77;
  }
  rope.roles.emplace_back(question->wanted[0].role);
  if (rope.code != VERNIER_OK || question->wanted[0].tensor->dtype.bits != 32) {
    vernier_decline(answer, rope.reason.c_str());
    return rope.code == VERNIER_OK ? static_cast<std::int32_t>(VERNIER_UNSUPPORTED) : rope.code;
  }
  for (std::size_t i = 0; answer != nullptr && i < question->wanted_count; ++i) {
    const auto& wanted = question->wanted[i];
    EXPECT_EQ(wanted.tensor->data, nullptr);
    std::vector<std::int64_t> shape(wanted.tensor->shape, wanted.tensor->shape + wanted.tensor->ndim);
    shape.back() += rope.columns_too_many;
    const auto values = rope_values(*question, wanted.role, shape.back());
    std::vector<float> floats(values.begin(), values.end());
    const Made made(floats.data(), float32, shape);
    EXPECT_EQ(vernier_answer(answer, wanted.role, &made.tensor, nullptr), VERNIER_OK);
  }
  return VERNIER_OK;
}

Judged validated(Rope& rope, const char* options, const char* form = "full_text") {
  VernierVerdict* verdict = nullptr;
  char* error = nullptr;
  Judged result{vernier_validate(R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 256})",
                                 options, answer_rope, &rope, &verdict, &error),
                taken(error), ""};
  if (verdict != nullptr) {
    char* text = nullptr;
    EXPECT_EQ(vernier_verdict_text(verdict, form, &text), VERNIER_OK);
    result.text = taken(text);
    result.exit_code = vernier_verdict_exit_code(verdict);
  }
  vernier_verdict_free(verdict);
  return result;
}

TEST(InProcess, AnHonestFunctionConforms) {
  Rope rope;
  const auto judged = validated(rope, R"({"seed": 1, "cases": 5, "implementation": "mine"})", "json");
  EXPECT_EQ(judged.exit_code, 0) << judged.error << judged.text;
  EXPECT_THAT(judged.text, AllOf(HasSubstr(R"("producer": "mine")"), HasSubstr("needs a new process"),
                                 HasSubstr("It was asked in the caller's own process")));
  Rope chosen;
  EXPECT_EQ(
      validated(chosen, R"({"roles": ["sin"], "positions": "0:32", "cases": 1, "quick": true})").exit_code,
      0);
  EXPECT_LT(chosen.asked, rope.asked);
}

TEST(InProcess, RunsInTheCallersEnvironment) {
  Rope rope;
  rope.rounds_up = true;
  std::fesetround(FE_UPWARD);
  const auto judged = validated(rope, R"({"seed": 1, "cases": 1, "quick": true})");
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(judged.exit_code, 0) << judged.text;
}

TEST(InProcess, OtherAnswersAreTold) {
  const auto* const options = R"({"seed": 1, "cases": 1, "quick": true, "roles": ["cos", "sin"]})";
  Rope wide;
  wide.columns_too_many = 1;
  const auto judged = validated(wide, options);
  EXPECT_NE(judged.exit_code, 0);
  EXPECT_THAT(judged.text, HasSubstr("the response has cos of shape [8, 9], expected [8, 8]"));
  Rope refuses;
  refuses.code = VERNIER_REJECTED;
  refuses.reason = "IndexError: position 1";
  EXPECT_THAT(validated(refuses, options).text, HasSubstr("IndexError: position 1"));
  Rope stops;
  stops.stops_at = 3;
  const auto stopped = validated(stops, options);
  EXPECT_EQ(stopped.code, VERNIER_STOPPED);
  EXPECT_EQ(stopped.error, "the implementation ended the judging");
  EXPECT_EQ(stops.asked, 3);
}

TEST(InProcess, OptionsAreRead) {
  Rope rope;
  for (const auto& [options, told] :
       {std::pair(R"({"dtype": "int8"})", "dtype: found"),
        std::pair(R"({"positions": "4"})", "positions: found"),
        std::pair(R"({"roles": "cos"})", "options: roles: found"), std::pair(R"({"seed": -1})", "seed"),
        std::pair(R"({"takes": "one-length"})", "takes: found one-length"),
        std::pair(R"({"case": 1})", "case")}) {
    const auto judged = validated(rope, options);
    EXPECT_EQ(judged.code, VERNIER_REJECTED) << options;
    EXPECT_THAT(judged.error, HasSubstr(told));
  }
  EXPECT_EQ(rope.asked, 0);
  char* error = nullptr;
  EXPECT_EQ(vernier_validate(small_rope, nullptr, nullptr, nullptr, nullptr, &error), VERNIER_REJECTED);
  EXPECT_THAT(taken(error), HasSubstr("expected a function"));
  EXPECT_EQ(vernier_answer(nullptr, "cos", nullptr, nullptr), VERNIER_REJECTED);
}

TEST(InProcess, QuestionsCanBeListenedTo) {
  Rope rope;
  const auto* const spec = R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 256})";
  EXPECT_EQ(vernier_questions(spec, R"({"seed": 1, "cases": 1, "quick": true, "roles": ["cos", "sin"]})",
                              answer_rope, &rope, nullptr),
            VERNIER_STOPPED)
      << "of questions in other types it says that it does not do them";
  EXPECT_EQ(rope.roles.front(), "cos");
  EXPECT_GT(rope.roles.size(), 50U);
}

TEST(Library, MemoryThatIsReadAgainAndAgainHasALimit) {
  float zero = 0;
  const Made expanded(&zero, float32, {std::int64_t{1} << 40, 8}, {0, 0});
  const auto refused = judged(small_rope, {{"cos", &expanded.tensor}});
  EXPECT_EQ(refused.code, VERNIER_REJECTED);
  EXPECT_THAT(refused.error, HasSubstr("elements that share memory"));
  const Made small(&zero, float32, {4, 8}, {0, 0});
  EXPECT_EQ(judged(small_rope, {{"cos", &small.tensor}}).code, VERNIER_OK);
}

}  // namespace
