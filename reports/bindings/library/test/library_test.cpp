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

#include "made.hpp"

namespace {

using namespace made;  // NOLINT(google-build-using-namespace)
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
              AllOf(HasSubstr("finite/cos"), testing::Not(HasSubstr("\n  reproduce:"))));
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
  const Made reversed(&backwards[std::size_t{63} * 9], float32, {64, 8}, {-9, 1});
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
  bad.tensor.dtype = {14, 8, 1};
  EXPECT_THAT(refused(small_rope, {{"cos", &bad.tensor}}), HasSubstr("type code 14"));
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
