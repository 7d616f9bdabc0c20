// Scales of queries, decays of linear attention, biases by the distance and indices of windows as people
// compute them in float32, honest and with known faults, judged as the command judges stored tensors and
// implementations that it asks.

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/implementations/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/live/validate_live.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/validate.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Encoding> encoding_of(const std::string& spec) {
  return parse_spec(ObjectReader(parse_json(spec, "case.json"), "case.json", "spec"));
}

/// A tensor of the role and shape, with positions from 0.
Verdict judged(const std::string& spec, const std::string& role, std::size_t rows, const Tensor& tensor) {
  const auto positions = positions_from(0, rows);
  CaseInput parts{"made", "made", "a test", {{role, {role, tensor}}}, std::nullopt};
  if (role != "slopes") {
    parts.tensors.insert({"positions", {"positions", integer_tensor({rows}, positions)}});
  }
  return validate(assemble_case(parts, encoding_of(spec)), "");
}

/// What an implementation gives by position, or by head.
using Code = std::function<float(std::int64_t)>;

Tensor made(Format format, Shape shape, const Code& code) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(shape.front()); ++i) {
    values.push_back(round_to(format, static_cast<double>(code(i))));
  }
  return tensor_of(format, std::move(shape), values);
}

// Scales of queries
// -----------------------------------------------------------------------------------------------------

constexpr std::size_t many = 20000;
constexpr auto llama4 = R"({"scheme": "query_scale", "floor_scale": 8192, "position_offset": 1})";
constexpr auto ministral = R"({"scheme": "query_scale", "floor_scale": 8192})";

/// transformers, modeling_llama4 and modeling_ministral3.
Code by_floor(float offset, float length, float beta = 0.1F) {
  return [=](std::int64_t p) {
    return 1.0F + beta * std::log(1.0F + std::floor((static_cast<float>(p) + offset) / length));
  };
}

Verdict judged_scale(const std::string& spec, const Code& code, Format format = Format::binary32) {
  return judged(spec, "scale", many, made(format, {many, 1}, code));
}

TEST(QueryScaleVerdict, HonestScalesConform) {
  for (const auto format : {Format::binary32, Format::bfloat16}) {
    EXPECT_EQ(exit_code(judged_scale(llama4, by_floor(1, 8192), format)), 0);
    EXPECT_EQ(exit_code(judged_scale(ministral, by_floor(0, 8192), format)), 0);
  }
  const auto log1p = [](std::int64_t p) { return 1 + 0.1F * std::log1p(static_cast<float>(p / 8192)); };
  EXPECT_EQ(exit_code(judged_scale(ministral, log1p)), 0);
}

/// A division is right at every edge, whatever the length; the product with a rounded reciprocal is not.
TEST(QueryScaleVerdict, SeesAnEdgeThatARoundedReciprocalMisses) {
  const std::string spec = R"({"scheme": "query_scale", "floor_scale": 3000})";
  EXPECT_EQ(exit_code(judged_scale(spec, by_floor(0, 3000))), 0);
  const auto verdict = judged_scale(R"({"scheme": "query_scale", "floor_scale": 41})", [](std::int64_t p) {
    return 1.0F + 0.1F * std::log(1.0F + std::floor(static_cast<float>(p) * (1.0F / 41.0F)));
  });
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_LT(check_named(verdict.checks, "values/scale").counts.failing, 500U);
}

TEST(QueryScaleVerdict, SeesAStepThatComesOneEarly) {
  const auto verdict = judged_scale(ministral, by_floor(1, 8192));
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_EQ(check_named(verdict.checks, "values/scale").counts.failing, 2U) << "at p = kN - 1 alone";
  EXPECT_THAT(render_full_text(verdict), HasSubstr("1 is added to positions"));
}

TEST(QueryScaleVerdict, SeesAnotherLogarithmOrLengthOrNoFloor) {
  const auto in_bits = [](std::int64_t p) {
    return 1.0F + 0.1F * std::log2(1.0F + std::floor(static_cast<float>(p) / 8192));
  };
  EXPECT_EQ(exit_code(judged_scale(ministral, in_bits)), 1);
  const auto other = judged_scale(ministral, by_floor(0, 16384));
  EXPECT_EQ(exit_code(other), 1);
  EXPECT_THAT(render_full_text(other), HasSubstr("floor_scale is 16384, not 8192"));
  const auto smooth = [](std::int64_t p) {
    return 1.0F + 0.1F * std::log(1.0F + static_cast<float>(p) / 8192);
  };
  EXPECT_EQ(exit_code(judged_scale(ministral, smooth)), 1);
  EXPECT_EQ(exit_code(judged_scale(ministral, [](std::int64_t) { return 1.0F; })), 1);
}

TEST(QueryScaleVerdict, JudgesQwensByItsLength) {
  const std::string qwen = R"({"scheme": "query_scale", "rule": "log_n", "training_length": 2048})";
  const auto by_length = [](double first) {
    return [first](std::int64_t p) {
      const double count = static_cast<double>(p) + first;
      return count > 2048 ? static_cast<float>(std::log(count) / std::log(2048.0)) : 1.0F;
    };
  };
  EXPECT_EQ(exit_code(judged_scale(qwen, by_length(1))), 0);
  EXPECT_EQ(exit_code(judged_scale(qwen, by_length(0))), 1);
}

// Asked live
// -----------------------------------------------------------------------------------------------------

class Asked final : public LiveImplementation {
 public:
  using Answer = std::function<double(std::size_t index, const std::vector<std::int64_t>& positions)>;
  explicit Asked(Answer answer) : answer_(std::move(answer)) {}

  std::string description() const override { return "a fake"; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  Response ask(const Request& request) override {
    const auto positions = integers_of(request.positions);
    Response response;
    for (const auto& wanted : request.wanted) {
      if (wanted.shape.size() == 3) {
        return {ResponseStatus::unsupported, "one query"};
      }
      std::size_t elements = 1;
      for (const auto extent : wanted.shape) {
        elements *= extent;
      }
      std::vector<double> values;
      for (std::size_t i = 0; i < elements; ++i) {
        values.push_back(round_to(Format::binary32, answer_(i, positions)));
      }
      response.tensors.emplace(wanted.role, tensor_of(Format::binary32, wanted.shape, values));
    }
    return response;
  }

 private:
  Answer answer_;
};

int asked(const std::string& spec, const Asked::Answer& answer,
          const std::optional<PositionRange>& positions = std::nullopt) {
  Asked fake(answer);
  return exit_code(
      validate_live(fake, encoding_of(spec),
                    {.name = "fake", .source = "spec", .questions = {.positions = positions}, .cases = 2}));
}

TEST(ComputedSchemesLive, HonestOnesConformAndOthersDoNot) {
  const auto scales = [](const Code& code) {
    return [code](std::size_t i, const std::vector<std::int64_t>& positions) {
      return static_cast<double>(code(positions[i]));
    };
  };
  constexpr PositionRange some{0, 1, 20000};
  EXPECT_EQ(asked(ministral, scales(by_floor(0, 8192)), some), 0);
  EXPECT_EQ(asked(ministral, scales(by_floor(1, 8192)), some), 1);
}

}  // namespace
}  // namespace vernier
