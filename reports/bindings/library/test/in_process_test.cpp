// libvernier asks a function of the program.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vernier.h>

#include "made.hpp"

namespace {

using namespace made;  // NOLINT(google-build-using-namespace)
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
  EXPECT_THAT(judged.text,
              AllOf(HasSubstr(R"("producer": "mine")"), HasSubstr("asked in the caller's own process"),
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
  EXPECT_GT(rope.roles.size(), 10U);
}

}  // namespace
