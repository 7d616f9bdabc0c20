// Implementations that take real positions, and those that store eight bits: honest ones conform, and each
// fault fails and is named.

#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/rows.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Sines and cosines, and vectors turned by halves, in float32 from the position on; and what may be wrong.
class RealPositionEngine final : public LiveImplementation {
 public:
  std::string description() const override { return "an engine"; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  Takes takes() const override { return asked > 0 || !tells_late ? says : Takes{}; }
  Response ask(const Request& request) override {
    ++asked;
    types.push_back(request.positions.type());
    spec = request.spec;
    Response response;
    for (const auto& wanted : request.wanted) {
      const auto width = wanted.shape.back();
      std::vector<double> values(
          std::accumulate(wanted.shape.begin(), wanted.shape.end(), std::size_t{1}, std::multiplies{}));
      for (std::size_t row = 0; row < values.size() / width; ++row) {
        compute(request, wanted, row, std::span(values).subspan(row * width, width));
      }
      for (double& value : values) {
        value = store(*traits(wanted.type).format, value);
      }
      response.tensors.emplace(wanted.role, number_tensor(wanted.type, wanted.shape, values));
    }
    return response;
  }

  Takes says = {.float32_positions = true};
  bool tells_late = false;
  int pairs = 8;
  std::function<float(float)> position = [](float p) { return p; };
  std::function<double(Format, double)> store = round_to;

  int asked = 0;
  std::vector<ElementType> types;
  OrderedJson spec;

 private:
  void compute(const Request& request, const WantedTensor& wanted, std::size_t row,
               std::span<double> out) const {
    const auto at = row % rows_of(request);
    const auto given = request.positions.format() ? request.positions.number(at)
                                                  : static_cast<double>(*request.positions.integer(at));
    const float x = position(static_cast<float>(given));
    for (int pair = 0; pair < pairs; ++pair) {
      const auto exponent = static_cast<float>(pair) / static_cast<float>(pairs);
      const float phase = x * std::exp(-std::log(10000.0F) * exponent);
      const float c = std::cos(phase);
      const float s = std::sin(phase);
      auto& first = out[static_cast<std::size_t>(pair)];
      if (wanted.role == "cos" || wanted.role == "sin") {
        first = wanted.role == "cos" ? c : s;
        continue;
      }
      auto& second = out[static_cast<std::size_t>(pair) + static_cast<std::size_t>(pairs)];
      first = c;
      second = s;
      if (request.input) {
        const auto start = row * out.size() + static_cast<std::size_t>(pair);
        const auto a = static_cast<float>(request.input->number(start));
        const auto b = static_cast<float>(request.input->number(start + static_cast<std::size_t>(pairs)));
        first = a * c - b * s;
        second = a * s + b * c;
      }
    }
  }
};

/// \param keys further ones of the spec
Verdict judge(RealPositionEngine& engine, const std::string& scheme, const std::string& keys,
              LiveOptions options = {}) {
  const auto text = scheme == "sinusoidal"
                        ? R"({"scheme": "sinusoidal", "d_model": 16, "layout": "halves", "order": "cos_sin")"
                        : R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 1000)";
  options.name = options.source = "engine";
  options.cases = 1;
  options.questions.quick = true;
  options.questions.positions = options.questions.positions.value_or(PositionRange{0, 1, 1000});
  options.details = {.error_splits = false};
  return validate_live(engine, parsed(text + keys + "}"), options);
}

/// In sixteenths from 900 on, where bfloat16 holds every fourth number.
Verdict judge_timesteps(RealPositionEngine& engine, const std::string& keys = "") {
  return judge(engine, "sinusoidal", R"(, "position_unit": "1/16")" + keys,
               {.name = "", .source = "", .questions = {.positions = PositionRange{900, 1, 64}}});
}

std::string finding(const Verdict& verdict) {
  EXPECT_EQ(exit_code(verdict), 1);
  return first_line(verdict);
}

TEST(RealPositionsLive, TimestepsAreAskedForInSixteenths) {
  RealPositionEngine engine;
  const auto verdict = judge(engine, "sinusoidal", "");
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  EXPECT_THAT(engine.types, Each(ElementType::float32));
  EXPECT_FALSE(engine.spec.contains("position_unit"));
  EXPECT_THAT(verdict.asking.notes, Contains(HasSubstr("in float32, in steps of 0.0625")));
  for (const auto* id :
       {"accuracy/encoding", "use/order", "use/lengths", "state/history", "law/sinusoidal/offset-only"}) {
    EXPECT_EQ(check_named(verdict.checks, id).status, Status::pass) << id;
  }
}

TEST(RealPositionsLive, WhoeverTellsItWithTheFirstAnswerIsAskedAnew) {
  RealPositionEngine engine;
  engine.tells_late = true;
  const auto verdict = judge_timesteps(engine);
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  EXPECT_EQ(engine.types.front(), ElementType::int64);
  EXPECT_THAT(verdict.asking.notes, Contains(HasSubstr("in steps of 0.0625")));
}

TEST(RealPositionsLive, OneThatTakesIntegersOnlyIsAskedForThem) {
  RealPositionEngine engine;
  engine.says = {};
  engine.position = [](float p) { return p / 7 + 0.5F; };
  const auto verdict = judge(engine, "sinusoidal", R"(, "position_scale": "1/7", "position_offset": 0.5)");
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  EXPECT_THAT(engine.types, Each(ElementType::int64));
  EXPECT_THAT(verdict.asking.notes, Contains(HasSubstr("only integers were judged")));
  EXPECT_EQ(check_named(verdict.checks, "law/sinusoidal/laws").status, Status::skipped);
  EXPECT_EQ(check_named(verdict.checks, "effects/out-of-range").status, Status::pass);
}

TEST(RealPositionsLive, APositionRoundedToBfloat16IsNamed) {
  RealPositionEngine engine;
  engine.position = [](float p) { return static_cast<float>(round_to(Format::bfloat16, p)); };
  EXPECT_THAT(finding(judge_timesteps(engine)), HasSubstr("positions are rounded to bfloat16"));
  engine.position = [](float p) { return static_cast<float>(round_to(Format::bfloat16, p)) / 7; };
  EXPECT_THAT(finding(judge_timesteps(engine, R"(, "position_scale": "1/7")")),
              HasSubstr("positions are rounded to bfloat16 before they are scaled"));
}

TEST(RealPositionsLive, APositionCutToAnIntegerIsNamed) {
  RealPositionEngine engine;
  engine.position = [](float p) { return std::trunc(p); };
  EXPECT_THAT(finding(judge_timesteps(engine)), HasSubstr("positions are cut to integers"));
}

TEST(RealPositionsLive, AScaleThatIsDroppedIsNamed) {
  RealPositionEngine engine;
  EXPECT_THAT(finding(judge_timesteps(engine, R"(, "position_scale": 1000)")),
              HasSubstr("position_scale is left out"));
}

TEST(RealPositionsLive, RotationsOfAGridConformAndAnOffsetThatIsDroppedIsNamed) {
  const std::string keys =
      R"(, "position_scale": "2/7", "position_offset": "-13/14", "position_unit": "1/32")";
  const LiveOptions on_grid{.name = "", .source = "", .questions = {.positions = PositionRange{-8, 1, 16}}};
  RealPositionEngine engine;
  engine.position = [](float p) { return p * (2.0F / 7) - 13.0F / 14; };
  const auto verdict = judge(engine, "rope", keys, on_grid);
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  EXPECT_THAT(engine.types, Each(ElementType::float32));
  EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").status, Status::pass);
  engine.position = [](float p) { return p * (2.0F / 7); };
  EXPECT_THAT(finding(judge(engine, "rope", keys, on_grid)), HasSubstr("position_offset"));
}

LiveOptions in_eight_bits(Overflow overflow = Overflow::saturate) {
  return {.name = "",
          .source = "",
          .questions = {.type = ElementType::float8_e4m3fn,
                        .positions = PositionRange{0, 1, 40},
                        .quantization = Quantization{16, overflow},
                        .roles = {"rotated"}}};
}

/// Times the scale in float32, then to the nearest of eight bits.
double stored_in_eight_bits(Format format, double value) {
  return Quantization{16, Overflow::saturate}.stored_from_single(format, value);
}

TEST(Float8Live, VectorsThatAreRotatedInFloat32AndStoredConform) {
  RealPositionEngine engine;
  engine.store = stored_in_eight_bits;
  const auto verdict = judge(engine, "rope", "", in_eight_bits());
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "use/input-range").status, Status::pass);
}

TEST(Float8Live, TheSpecTellsHowTheyAreStored) {
  RealPositionEngine engine;
  engine.store = [&](Format format, double value) {
    return traits(format).is_storage_only() ? stored_in_eight_bits(format, value) : round_to(format, value);
  };
  judge(engine, "rope", "", in_eight_bits());
  EXPECT_EQ(engine.spec.value("quantization", OrderedJson()),
            OrderedJson({{"scale", 16}, {"direction", "multiply"}, {"overflow", "saturate"}}));
}

TEST(Float8Live, BitsOfAnotherFormatAreNamed) {
  RealPositionEngine engine;
  engine.store = [](Format format, double value) {
    const auto other = Format::float8_e4m3fnuz;
    return traits(format).is_storage_only()
               ? decode_bits(format, encode_bits(other, stored_in_eight_bits(other, value)))
               : round_to(format, value);
  };
  EXPECT_THAT(finding(judge(engine, "rope", "", in_eight_bits())), HasSubstr("float8_e4m3fnuz"));
}

TEST(Float8Live, AScaleThatIsDroppedIsNamed) {
  RealPositionEngine engine;
  EXPECT_THAT(finding(judge(engine, "rope", "", in_eight_bits())), HasSubstr("scale"));
}

}  // namespace
}  // namespace vernier
