// Encodings whose frequencies depend on the length of the sequence, implemented as Hugging Face does: the
// length is read off each call, and what it makes of the frequencies is kept for the next (transformers,
// modeling_rope_utils.py, dynamic_rope_update). They conform for every length.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/live_implementation.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/test/fake.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier {
namespace {

constexpr std::size_t length_head_dim = 16;
constexpr std::size_t length_pairs = length_head_dim / 2;
constexpr std::int64_t trained = 64;

/// In float32, as there.
using PairFrequencies = std::array<float, length_pairs>;

/// 1 / (divisor base^(2i/d)). \param divisor of pair i: 1 + i times this
PairFrequencies powers_of(double base, float step = 0) {
  PairFrequencies result{};
  for (std::size_t i = 0; i < length_pairs; ++i) {
    const auto exponent = static_cast<float>(2 * i) / static_cast<float>(length_head_dim);
    result[i] = 1 / ((1 + step * static_cast<float>(i)) * std::pow(static_cast<float>(base), exponent));
  }
  return result;
}

/// Rotates by frequencies that a call may change.
class HuggingFace : public LiveImplementation {
 public:
  std::string description() const override { return "Hugging Face's rule"; }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return false; }

  Response ask(const Request& request) override {
    const auto positions = integers_of(request.positions);
    update(std::ranges::max(positions) + 1);
    return answer_by_elements(request, [&](const WantedTensor& wanted, std::size_t row, std::size_t column) {
      return element(request, wanted, row, column);
    });
  }

 protected:
  virtual void update(std::int64_t length) = 0;

  PairFrequencies inverse_frequencies{};
  double attention_scaling = 1;

 private:
  double element(const Request& request, const WantedTensor& wanted, std::size_t row,
                 std::size_t column) const {
    const float phase = static_cast<float>(*request.positions.integer(row % rows_of(request))) *
                        inverse_frequencies[column % length_pairs];
    const auto cosine = attention_scaling * std::cos(static_cast<double>(phase));
    const auto sine = attention_scaling * std::sin(static_cast<double>(phase));
    if (wanted.role != "rotated") {
      return wanted.role == "cos" ? cosine : sine;
    }
    const auto x = [&](std::size_t i) { return request.input->number(row * length_head_dim + i); };
    return column < length_pairs ? x(column) * cosine - x(column + length_pairs) * sine
                                 : x(column) * cosine + x(column - length_pairs) * sine;
  }
};

class DynamicFrequencies final : public HuggingFace {
 public:
  DynamicFrequencies() { inverse_frequencies = powers_of(base); }

 private:
  static constexpr double base = 10000;
  static constexpr double factor = 4;

  void update(std::int64_t length) override {
    if (length > max_length_cached_) {  // growth
      const auto stretch =
          factor * static_cast<double>(std::max(length, trained)) / static_cast<double>(trained) -
          (factor - 1);
      inverse_frequencies = powers_of(base * std::pow(stretch, static_cast<double>(length_head_dim) /
                                                                   static_cast<double>(length_head_dim - 2)));
      max_length_cached_ = length;
    }
    if (length < trained && max_length_cached_ > trained) {  // reset
      inverse_frequencies = powers_of(base);
      max_length_cached_ = trained;
    }
  }

  std::int64_t max_length_cached_ = trained;
};

class LongRope final : public HuggingFace {
 public:
  LongRope() { attention_scaling = std::sqrt(1 + std::log(4.0) / std::log(static_cast<double>(trained))); }

 private:
  void update(std::int64_t length) override {
    inverse_frequencies = powers_of(10000, length > trained ? 1.0F : 0.0F);
  }
};

constexpr std::string_view dynamic = R"("max_position_embeddings": 64,
    "rope_scaling": {"rope_type": "dynamic", "factor": 4}})";
constexpr std::string_view longrope = R"("max_position_embeddings": 256,
    "rope_scaling": {"rope_type": "longrope", "original_max_position_embeddings": 64,
                     "short_factor": [1, 1, 1, 1, 1, 1, 1, 1], "long_factor": [1, 2, 3, 4, 5, 6, 7, 8]}})";

Verdict judge(HuggingFace& implementation, std::string_view rest, const std::string& length) {
  const auto spec = R"({"scheme": "rope", "head_dim": 16, )" + length + std::string(rest);
  return validate_live(implementation, parsed(spec),
                       {.name = "Hugging Face", .source = "spec", .questions = {.quick = true}, .cases = 5});
}

template <class Implementation>
void expect_conforming(std::string_view rest, const std::string& length, std::int64_t last) {
  Implementation implementation;
  const auto verdict = judge(implementation, rest, length);
  EXPECT_EQ(exit_code(verdict), 0) << length << summary(verdict);
  EXPECT_EQ(verdict.greatest_position, last) << length;
  for (const auto& check : verdict.checks) {
    const bool is_law = (check.id.starts_with("property/") || check.id.starts_with("law/")) &&
                        check.id != "law/rope/pass-through";
    if (is_law || check.id.starts_with("effects/")) {
      EXPECT_EQ(check.status, Status::pass) << length << check.id << ": " << check.reason;
    }
  }
}

TEST(LengthDependent, DynamicNtkConformsForEveryLength) {
  expect_conforming<DynamicFrequencies>(dynamic, "", 63);
  for (const std::int64_t length : {1, 63, 64, 65, 200}) {
    expect_conforming<DynamicFrequencies>(dynamic, "\"sequence_length\": " + std::to_string(length) + ", ",
                                          length - 1);
  }
}

TEST(LengthDependent, LongRopeConformsForEveryLength) {
  expect_conforming<LongRope>(longrope, "", 255);
  for (const std::int64_t length : {2, 64, 65, 300}) {
    expect_conforming<LongRope>(longrope, "\"sequence_length\": " + std::to_string(length) + ", ",
                                length - 1);
  }
}

/// Without a length in the spec, both sides of every threshold are asked for.
TEST(LengthDependent, ThresholdsAreJudgedByDefault) {
  DynamicFrequencies honest_dynamic;
  EXPECT_EQ(check_named(judge(honest_dynamic, dynamic, "").checks, "use/thresholds").reason,
            "lengths judged: 63, 64, 65, 128 and 129");
  LongRope honest;
  const auto verdict = judge(honest, longrope, "");
  EXPECT_EQ(check_named(verdict.checks, "use/thresholds").reason,
            "lengths judged: 63, 64, 65, 128, 129 and 256");
  EXPECT_THAT(render_text(verdict),
              testing::HasSubstr("conforms\n  Lengths judged: 63, 64, 65, 128, 129 and 256. RoPE, "));
  const auto one_length = judge(honest, longrope, "\"sequence_length\": 256, ");
  EXPECT_EQ(std::ranges::count(one_length.checks, "use/thresholds", &Check::id), 0);
}

/// Long factors from another length on than the spec says.
class Switching final : public HuggingFace {
 public:
  explicit Switching(std::int64_t first_long) : first_long_(first_long) {
    attention_scaling = std::sqrt(1 + std::log(4.0) / std::log(static_cast<double>(trained)));
  }

 private:
  void update(std::int64_t length) override {
    inverse_frequencies = powers_of(10000, length >= first_long_ ? 1.0F : 0.0F);
  }

  std::int64_t first_long_;
};

TEST(LengthDependent, ASwitchAtAnotherLengthIsRefusedByDefault) {
  for (const std::int64_t first_long : {0, 64, 66}) {
    Switching implementation(first_long);
    const auto verdict = judge(implementation, longrope, "");
    EXPECT_EQ(exit_code(verdict), 1) << first_long << summary(verdict);
    EXPECT_THAT(ids(verdict.checks, Status::fail), testing::ElementsAre("use/thresholds")) << first_long;
  }
  Switching honest(65);
  EXPECT_EQ(exit_code(judge(honest, longrope, "")), 0);
}

/// Each question has the last position of a length. Whoever takes shorter ones refuses that, and is not at
/// fault; whoever throws at all of them is.
TEST(LengthDependent, AShorterTableRefusesNoMoreThanItsEnd) {
  class Short final : public HuggingFace {
   public:
    explicit Short(std::int64_t longest) : longest_(longest) {}
    Response ask(const Request& request) override {
      return std::ranges::max(integers_of(request.positions)) < longest_
                 ? HuggingFace::ask(request)
                 : failed(ResponseStatus::rejected, "beyond the table");
    }

   private:
    void update(std::int64_t) override { inverse_frequencies = powers_of(10000); }
    std::int64_t longest_;
  };
  Short table(32);
  EXPECT_EQ(exit_code(judge(table, longrope, "")), 4);
  Short nothing(0);
  EXPECT_EQ(exit_code(judge(nothing, longrope, "")), 1);
}

TEST(LengthDependent, FrequenciesOfAnotherLengthDoNotConform) {
  class Shorter final : public HuggingFace {
    void update(std::int64_t) override { inverse_frequencies = powers_of(10000); }
  } implementation;
  EXPECT_EQ(exit_code(judge(implementation, dynamic, "\"sequence_length\": 65, ")), 1);
}

}  // namespace
}  // namespace vernier
