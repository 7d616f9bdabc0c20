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

#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/live/validate_live.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

/// A tensor of the role and shape, with positions from 0.
Verdict judged(const std::string& spec, const std::string& role, std::size_t rows, const Tensor& tensor,
               const VerdictDetails& details = {}) {
  const auto positions = positions_from(0, rows);
  CaseInput parts{"made", "made", "a test", {{role, {role, tensor}}}, std::nullopt};
  if (role != "slopes") {
    parts.tensors.insert({"positions", {"positions", integer_tensor({rows}, positions)}});
  }
  return validate(assemble_case(parts, parsed(spec)), "", details);
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

constexpr std::size_t many_positions = 20000;
constexpr auto llama4_scale = R"({"scheme": "query_scale", "floor_scale": 8192, "position_offset": 1})";
constexpr auto ministral = R"({"scheme": "query_scale", "floor_scale": 8192})";

/// transformers, modeling_llama4 and modeling_ministral3.
Code by_floor(float offset, float length, float beta = 0.1F) {
  return [=](std::int64_t p) {
    return 1.0F + beta * std::log(1.0F + std::floor((static_cast<float>(p) + offset) / length));
  };
}

Verdict judged_scale(const std::string& spec, const Code& code, Format format = Format::binary32) {
  return judged(spec, "scale", many_positions, made(format, {many_positions, 1}, code));
}

TEST(QueryScaleVerdict, HonestScalesConform) {
  for (const auto format : {Format::binary32, Format::bfloat16}) {
    EXPECT_EQ(exit_code(judged_scale(llama4_scale, by_floor(1, 8192), format)), 0);
    EXPECT_EQ(exit_code(judged_scale(ministral, by_floor(0, 8192), format)), 0);
  }
  const auto log1p = [](std::int64_t p) {
    const std::int64_t steps = p / 8192;
    return 1 + 0.1F * std::log1p(static_cast<float>(steps));
  };
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
  EXPECT_THAT(render_full_text(verdict), HasSubstr("position_offset is 1, not 0"));
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

// Decays of linear attention
// -----------------------------------------------------------------------------------------------------

std::string decay(const std::string& keys, int heads) {
  return R"({"scheme": "decay", "num_heads": )" + std::to_string(heads) + ", " + keys + "}";
}

Verdict judged_decay(const std::string& spec, std::size_t heads, const Code& code) {
  return judged(spec, "slopes", heads, made(Format::binary32, {heads}, code),
                {.error_splits = false, .reasons = false});
}

std::string lightning(int heads, int layer, const std::string& variant) {
  return decay(R"("rule": "lightning", "num_layers": 80, "layer": )" + std::to_string(layer) +
                   R"(, "variant": ")" + variant + "\"",
               heads);
}

/// A float32 tensor times a Python number: transformers, modeling_minimax, and vllm, minimax_text_01.
Code by_layer(int heads, double factor) {
  return [=](std::int64_t head) {
    const auto base = static_cast<float>(1 / std::pow(2.0, 8.0 / heads));
    return std::pow(base, static_cast<float>(head + 1)) * static_cast<float>(factor);
  };
}

double original(int layer) {
  return 1 - layer / 79.0 + 1e-5;
}
double hugging_face(int layer) {
  return 1 - layer / (79 + 1e-5) + 1e-5;
}

TEST(DecayVerdict, HonestDecaysConform) {
  for (const int layer : {0, 1, 40, 78, 79}) {
    EXPECT_EQ(exit_code(judged_decay(lightning(64, layer, "original"), 64, by_layer(64, original(layer)))), 0)
        << layer;
    for (const int heads : {12, 64}) {
      EXPECT_EQ(
          exit_code(judged_decay(lightning(heads, layer, "huggingface"), static_cast<std::size_t>(heads),
                                 by_layer(heads, hugging_face(layer)))),
          0)
          << layer;
    }
  }
  // Beyond 20 heads float32 has no 1 - 2^(-5 - h), so its logarithm may be anything.
  for (const int heads : {20, 32}) {
    const auto verdict = judged_decay(
        decay(R"("rule": "retnet")", heads), static_cast<std::size_t>(heads),
        [](std::int64_t head) { return std::log(1 - std::exp2(static_cast<float>(-5 - head))); });
    EXPECT_EQ(exit_code(verdict), heads == 20 ? 0 : 4);
  }
  EXPECT_EQ(exit_code(judged_decay(
                decay(R"("rule": "transnormer", "num_layers": 24, "layer": 5, "as": "logarithm")", 40), 40,
                [](std::int64_t head) {
                  return static_cast<float>(-(8.0 / 40 * (1 - 5 / 24.0))) * static_cast<float>(head);
                })),
            0);
}

TEST(DecayVerdict, TellsTheVariantsOfLightningApart) {
  const auto last = judged_decay(lightning(64, 79, "original"), 64, by_layer(64, hugging_face(79)));
  EXPECT_EQ(exit_code(last), 1);
  EXPECT_EQ(check_named(last.checks, "accuracy/slopes").counts.failing, 64U);
  EXPECT_EQ(exit_code(judged_decay(lightning(12, 0, "original"), 12, by_layer(12, original(0)))), 1)
      << "12 heads, of which the original interpolates";
}

TEST(DecayVerdict, SeesAnotherLayerHeadOrSign) {
  EXPECT_EQ(exit_code(judged_decay(lightning(64, 5, "original"), 64, by_layer(64, original(6)))), 1);
  const auto honest = by_layer(64, original(5));
  EXPECT_EQ(exit_code(judged_decay(lightning(64, 5, "original"), 64,
                                   [&](std::int64_t head) { return honest(head + 1); })),
            1);
  EXPECT_EQ(exit_code(judged_decay(lightning(64, 5, "original"), 64,
                                   [&](std::int64_t head) { return -honest(head); })),
            1);
  EXPECT_EQ(exit_code(judged_decay(
                decay(R"("rule": "retnet")", 8), 8,
                [](std::int64_t head) { return std::log2(1 - std::exp2(static_cast<float>(-5 - head))); })),
            1);
}

// Biases by the distance
// -----------------------------------------------------------------------------------------------------

/// Biases [heads, queries, keys] of square shape.
Verdict judged_bias(const std::string& spec, std::size_t heads, std::size_t keys,
                    const std::function<float(std::size_t head, std::int64_t offset)>& code) {
  std::vector<double> values;
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t query = 0; query < keys; ++query) {
      for (std::size_t key = 0; key < keys; ++key) {
        values.push_back(static_cast<double>(
            code(head, static_cast<std::int64_t>(query) - static_cast<std::int64_t>(key))));
      }
    }
  }
  return judged(spec, "bias", keys, tensor_of(Format::binary32, {heads, keys, keys}, values));
}

constexpr auto kerple = R"({"scheme": "kerple", "scale": [0.5, 3], "a": [1, 0.125]})";
constexpr auto kerple_power = R"({"scheme": "kerple", "kind": "power", "scale": [0.5, 3], "p": [0.3, 1.5]})";

TEST(KerpleVerdict, HonestBiasesConformAndOthersDoNot) {
  const auto by = [](const std::function<float(float)>& logarithm) {
    return [=](std::size_t head, std::int64_t offset) {
      const float a = head == 0 ? 1.0F : 0.125F;
      return -(head == 0 ? 0.5F : 3.0F) * logarithm(1 + a * static_cast<float>(std::abs(offset)));
    };
  };
  const auto honest = by([](float x) { return std::log(x); });
  const auto verdict = judged_bias(kerple, 2, 90, honest);
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  EXPECT_EQ(check_named(verdict.checks, "property/kerple/decay").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "property/kerple/offset-only").status, Status::pass);
  EXPECT_EQ(exit_code(judged_bias(kerple, 2, 90, by([](float x) { return std::log2(x); }))), 1);
  EXPECT_EQ(exit_code(judged_bias(kerple, 2, 90,
                                  [&](std::size_t head, std::int64_t d) { return -honest(head, d); })),
            1);
  EXPECT_EQ(exit_code(judged_bias(kerple, 2, 90,
                                  [&](std::size_t head, std::int64_t d) { return honest(head, d + 1); })),
            1);
}

TEST(KerpleVerdict, HonestPowersConformAndOthersDoNot) {
  const auto by = [](float last) {
    return [=](std::size_t head, std::int64_t offset) {
      return -(head == 0 ? 0.5F : 3.0F) *
             std::pow(static_cast<float>(std::abs(offset)), head == 0 ? 0.3F : last);
    };
  };
  EXPECT_EQ(exit_code(judged_bias(kerple_power, 2, 90, by(1.5F))), 0);
  EXPECT_EQ(exit_code(judged_bias(kerple_power, 2, 90, by(1.501F))), 1);
}

/// NeMo's sum over j = first .. last of cos(d 10000^(-2j/D)).
std::function<float(std::size_t, std::int64_t)> sandwich(int first, int last) {
  return [=](std::size_t head, std::int64_t offset) {
    float sum = 0;
    for (int j = first; j <= last; ++j) {
      const float w = 1 / std::pow(10000.0F, static_cast<float>(2 * j) / 16);
      sum += std::cos(static_cast<float>(offset) * w);
    }
    return (sum - 8) / (static_cast<float>(head + 1) * 8 / 3);
  };
}

TEST(SandwichVerdict, HonestBiasesConformAndOthersDoNot) {
  const std::string spec = R"({"scheme": "sandwich", "num_heads": 3, "head_dim": 16})";
  EXPECT_EQ(exit_code(judged_bias(spec, 3, 90, sandwich(1, 8))), 0);
  EXPECT_EQ(exit_code(judged_bias(spec, 3, 90, sandwich(0, 7))), 1) << "the frequencies of RoPE";
  EXPECT_EQ(exit_code(judged_bias(spec, 3, 90, sandwich(1, 7))), 1);
}

// Indices of windows
// -----------------------------------------------------------------------------------------------------

Verdict judged_window(std::int64_t row_of_class, std::int64_t column_of_class, bool is_transposed = false) {
  constexpr std::int64_t side = 7;
  constexpr std::int64_t tokens = side * side + 1;
  constexpr std::int64_t rows = (2 * side - 1) * (2 * side - 1);
  std::vector<std::int64_t> table;
  for (std::int64_t q = 0; q < tokens; ++q) {
    for (std::int64_t k = 0; k < tokens; ++k) {
      const auto down = (q - 1) / side - (k - 1) / side;
      const auto across = (q - 1) % side - (k - 1) % side;
      const auto sign = is_transposed ? -1 : 1;
      table.push_back(q == 0 && k == 0 ? rows + 2
                      : q == 0         ? row_of_class
                      : k == 0         ? column_of_class
                               : (sign * down + side - 1) * (2 * side - 1) + sign * across + side - 1);
    }
  }
  return judged(R"({"scheme": "window_index", "window": [7, 7], "class_token": true})", "index", tokens,
                integer_tensor({tokens, tokens}, table));
}

TEST(WindowVerdict, IndicesAreExactAndCornersTold) {
  EXPECT_EQ(exit_code(judged_window(169, 170)), 0);
  EXPECT_EQ(exit_code(judged_window(170, 169)), 1) << "the rows of the class token are exchanged";
  EXPECT_EQ(exit_code(judged_window(169, 170, true)), 1) << "key less query";
}

// Clipped offsets
// -----------------------------------------------------------------------------------------------------

/// transformers, modeling_wav2vec2_bert: clamp(k - q, -left, right) + left.
Verdict judged_clip(std::int64_t left, std::int64_t right) {
  std::vector<std::int64_t> relative;
  std::vector<std::int64_t> buckets;
  for (std::int64_t r = -100; r <= 100; ++r) {
    relative.push_back(r);
    buckets.push_back(std::clamp(r, -left, right) + left);
  }
  const auto tensor = [](const std::vector<std::int64_t>& values) {
    return integer_tensor({values.size()}, values);
  };
  return validate(assemble_case({"made",
                                 "made",
                                 "a test",
                                 {{"buckets", {"buckets", tensor(buckets)}},
                                  {"relative_positions", {"relative_positions", tensor(relative)}}},
                                 std::nullopt},
                                parsed(R"({"scheme": "shaw", "left": 64, "right": 8})")),
                  "");
}

TEST(LopsidedShawVerdict, HonestOffsetsConformAndOthersDoNot) {
  EXPECT_EQ(exit_code(judged_clip(64, 8)), 0);
  const auto exchanged = judged_clip(8, 64);
  EXPECT_EQ(exit_code(exchanged), 1);
  EXPECT_THAT(render_full_text(exchanged), HasSubstr("left is 8, not 64, and right is 64, not 8"));
  const auto shorter = judged_clip(64, 7);
  EXPECT_EQ(exit_code(shorter), 1);
  EXPECT_THAT(render_full_text(shorter), HasSubstr("right is 7, not 8"));
  EXPECT_THAT(render_full_text(judged_clip(60, 8)), HasSubstr("left is 60, not 64"));
}

// What needs no scheme
// -----------------------------------------------------------------------------------------------------

/// transformers, modeling_parakeet: sines and cosines of the relative positions L - 1 .. -(L - 1).
TEST(ConformerVerdict, RelativeRowsAreSinusoidsAtDescendingPositions) {
  constexpr std::int64_t length = 40;
  constexpr std::size_t rows = 2 * length - 1;
  const auto judged_rows = [](std::int64_t sign) {
    std::vector<double> values;
    std::vector<std::int64_t> positions;
    for (std::int64_t p = length - 1; p > -length; --p) {
      positions.push_back(p);
      for (int column = 0; column < 16; ++column) {
        const float w = std::pow(10000.0F, static_cast<float>(-(column - column % 2)) / 16);
        const float phase = static_cast<float>(sign * p) * w;
        values.push_back(static_cast<double>(column % 2 == 0 ? std::sin(phase) : std::cos(phase)));
      }
    }
    return exit_code(
        validate(assemble_case({"made",
                                "made",
                                "a test",
                                {{"encoding", {"encoding", tensor_of(Format::binary32, {rows, 16}, values)}},
                                 {"positions", {"positions", integer_tensor({rows}, positions)}}},
                                std::nullopt},
                               parsed(R"({"scheme": "sinusoidal", "d_model": 16})")),
                 ""));
  };
  EXPECT_EQ(judged_rows(1), 0);
  EXPECT_EQ(judged_rows(-1), 1) << "rows ascend";
}

// Asked live
// -----------------------------------------------------------------------------------------------------

class AskedScheme final : public LiveImplementation {
 public:
  using Answer = std::function<double(std::size_t index, const std::vector<std::int64_t>& positions)>;
  explicit AskedScheme(Answer answer) : answer_(std::move(answer)) {}

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

int asked(const std::string& spec, const AskedScheme::Answer& answer,
          const std::optional<PositionRange>& positions = std::nullopt) {
  AskedScheme fake(answer);
  return exit_code(
      validate_live(fake, parsed(spec),
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
  const auto rates = [](double factor) {
    return [factor](std::size_t head, const std::vector<std::int64_t>&) {
      return static_cast<double>(by_layer(64, factor)(static_cast<std::int64_t>(head)));
    };
  };
  EXPECT_EQ(asked(lightning(64, 79, "original"), rates(original(79))), 0);
  EXPECT_EQ(asked(lightning(64, 79, "original"), rates(hugging_face(79))), 1);
  const auto kernels = [](double scale) {
    return [scale](std::size_t i, const std::vector<std::int64_t>& positions) {
      const auto d = std::abs(positions.back() - positions[i % positions.size()]);
      return -scale * std::log1p(static_cast<double>(d));
    };
  };
  EXPECT_EQ(asked(R"({"scheme": "kerple", "scale": [0.5]})", kernels(0.5), PositionRange{0, 1, 2000}), 0);
  EXPECT_EQ(
      asked(R"({"scheme": "kerple", "scale": [0.5]})", kernels(0.5 / std::log(2)), PositionRange{0, 1, 2000}),
      1);
  const auto window = [](std::size_t i, const std::vector<std::int64_t>& positions) {
    const auto q = positions[i / 6];
    const auto k = static_cast<std::int64_t>(i % 6);
    const std::int64_t index = (q / 3 - k / 3 + 1) * 5 + q % 3 - k % 3 + 2;
    return static_cast<double>(index);
  };
  EXPECT_EQ(asked(R"({"scheme": "window_index", "window": [2, 3]})", window), 0);
  EXPECT_EQ(asked(R"({"scheme": "window_index", "window": [3, 2]})", window), 1);
}

}  // namespace
}  // namespace vernier
