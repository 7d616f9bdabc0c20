// Head vectors of tokens that have several positions: rotated in float32 by the position of each pair's own
// axis they keep their contract, and by another axis's they do not.

#include <cmath>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

constexpr std::size_t vector_heads = 2;
constexpr std::size_t vector_rows = 40;
constexpr std::size_t vector_head_dim = 32;
constexpr int vector_pairs = 16;

constexpr auto vector_sections =
    R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": "default",
    "mrope_section": [4, 6, 6]}})";
constexpr auto ggml_vectors = R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": "default",
    "mrope_section": [8, 4, 4], "mrope_interleaved": true, "mrope_reading": "ggml"}})";

std::string axial(const std::string& reading) {
  return R"({"scheme": "axial_rope", "head_dim": 32, "grid_width": 5, "reading": ")" + reading + "\"}";
}

constexpr auto blocks_spec = R"({"scheme": "axial_rope", "head_dim": 32, "layout": "interleaved",
    "axes": [{"dims": 8}, {"dims": 12}, {"dims": 12}]})";
constexpr auto in_turns = R"({"scheme": "axial_rope", "head_dim": 32, "layout": "half",
    "arrangement": "alternating", "axes": [{"dims": 16}, {"dims": 16}]})";

/// What an implementation takes for a pair: the axis, and the exponent of its frequency.
struct AxisTurn {
  std::size_t axis;
  float exponent;
};
using TurnOf = std::function<AxisTurn(int pair)>;

std::size_t vector_axis(int pair) {
  return pair < 4 ? 0 : pair < 10 ? 1 : 2;
}

/// Sections 8, 4, 4 leave pairs 13 and 14 over, which turn by a fourth position.
std::size_t axis_of_ggml(int pair) {
  const auto wanted = static_cast<std::size_t>(pair % 3);
  return wanted == 0 || pair < 12 ? wanted : 3;
}

float of_head(int pair) {
  return static_cast<float>(pair) / vector_pairs;
}
float of_half_a_head(int pair) {
  return static_cast<float>(pair % (vector_pairs / 2)) / (static_cast<float>(vector_pairs) / 2);
}

AxisTurn by_section(int pair) {
  return {vector_axis(pair), of_head(pair)};
}
AxisTurn by_ggml(int pair) {
  return {axis_of_ggml(pair), of_head(pair)};
}
AxisTurn by_pixtral(int pair) {
  const int index = pair % (vector_pairs / 2);
  return pair < vector_pairs / 2 ? AxisTurn{0, of_head(2 * index)} : AxisTurn{1, of_head(2 * index + 1)};
}
AxisTurn by_ggml_vision(int pair) {
  return {pair < vector_pairs / 2 ? 0U : 1U, of_half_a_head(pair)};
}
AxisTurn by_llama(int pair) {
  return {pair < vector_pairs / 2 ? 1U : 0U, of_half_a_head(pair)};
}

/// Axes of 4, 6 and 6 pairs, each with frequencies from 1 on.
AxisTurn by_block(int pair) {
  const auto axis = vector_axis(pair);
  const int first = axis == 0 ? 0 : axis == 1 ? 4 : 10;
  return {axis, static_cast<float>(pair - first) / (axis == 0 ? 4.0F : 6.0F)};
}
AxisTurn by_turns(int pair) {
  return {static_cast<std::size_t>(pair % 2), static_cast<float>(pair - pair % 2) / 16.0F};
}

/// The same with two axes exchanged.
TurnOf exchanged(AxisTurn (*turn)(int pair), std::size_t one, std::size_t other) {
  return [=](int pair) {
    auto result = turn(pair);
    result.axis = result.axis == one ? other : result.axis == other ? one : result.axis;
    return result;
  };
}

/// Positions of each axis, all different and in no order.
std::vector<std::vector<std::int64_t>> made_positions(std::size_t count) {
  std::mt19937_64 bits(7);
  std::vector<std::vector<std::int64_t>> result(count);
  for (auto& axis : result) {
    for (std::size_t row = 0; row < vector_rows; ++row) {
      axis.push_back(static_cast<std::int64_t>(bits() % 5000));
    }
  }
  return result;
}

std::vector<double> made_input() {
  std::mt19937_64 bits(3);
  std::vector<double> result(vector_heads * vector_rows * vector_head_dim);
  for (auto& x : result) {
    x = static_cast<double>(bits() >> 40) * 0x1p-22 - 2;
  }
  return result;
}

std::vector<double> rotated(const std::vector<std::vector<std::int64_t>>& axes, const TurnOf& turn_of,
                            bool is_interleaved) {
  const auto input = made_input();
  std::vector<double> result(input.size());
  for (std::size_t row = 0; row < vector_heads * vector_rows; ++row) {
    for (int pair = 0; pair < vector_pairs; ++pair) {
      const auto turn = turn_of(pair);
      const auto first = row * vector_head_dim + static_cast<std::size_t>(is_interleaved ? 2 * pair : pair);
      const auto second = first + (is_interleaved ? 1 : static_cast<std::size_t>(vector_pairs));
      const float phase =
          static_cast<float>(axes[turn.axis][row % vector_rows]) * (1 / std::pow(10000.0F, turn.exponent));
      const auto a = static_cast<float>(input[first]);
      const auto b = static_cast<float>(input[second]);
      result[first] = static_cast<double>(a * std::cos(phase) - b * std::sin(phase));
      result[second] = static_cast<double>(a * std::sin(phase) + b * std::cos(phase));
    }
  }
  return result;
}

/// Vectors [heads, rows, head_dim] with positions [axes, rows], as a case has them.
Case case_of(const std::string& spec, std::size_t axes, const TurnOf& turn_of) {
  const auto positions = made_positions(axes);
  std::vector<std::int64_t> all;
  for (const auto& axis : positions) {
    all.insert(all.end(), axis.begin(), axis.end());
  }
  const bool is_interleaved =
      spec.find("llama4") != std::string::npos || spec.find("interleaved\",") != std::string::npos;
  const Shape shape{vector_heads, vector_rows, vector_head_dim};
  const CaseInput parts{
      "a test",
      "made",
      "",
      {{"positions", {"made", integer_tensor({axes, vector_rows}, all)}},
       {"input", {"made", tensor_of(Format::binary32, shape, made_input())}},
       {"rotated",
        {"made", tensor_of(Format::binary32, shape, rotated(positions, turn_of, is_interleaved))}}},
      std::nullopt};
  return assemble_case(parts, parsed(spec));
}

std::uint64_t failing_elements(const Case& subject) {
  const auto report = audit_rotated(subject.tensors.all<RotatedTensor>().at(0));
  EXPECT_EQ(report.elements.elements, vector_heads * vector_rows * vector_head_dim);
  EXPECT_EQ(report.elements.inconclusive, 0U);
  EXPECT_EQ(report.norms.failing, 0U) << "a turn by another angle is a turn";
  if (report.elements.failing == 0) {
    EXPECT_GT(report.elements.worst->budget_ratio, 0.02);
  }
  return report.elements.failing;
}

TEST(MultiAxisVectors, KeepTheirContractInEveryReading) {
  EXPECT_EQ(failing_elements(case_of(vector_sections, 3, by_section)), 0U);
  EXPECT_EQ(failing_elements(case_of(ggml_vectors, 4, by_ggml)), 0U);
  EXPECT_EQ(failing_elements(case_of(axial("pixtral"), 2, by_pixtral)), 0U);
  EXPECT_EQ(failing_elements(case_of(axial("ggml_vision"), 2, by_ggml_vision)), 0U);
  EXPECT_EQ(failing_elements(case_of(axial("llama4_vision"), 2, by_llama)), 0U);
  EXPECT_EQ(failing_elements(case_of(blocks_spec, 3, by_block)), 0U);
  EXPECT_EQ(failing_elements(case_of(in_turns, 2, by_turns)), 0U);
}

TEST(MultiAxisVectors, FailWhereAxesAreExchanged) {
  EXPECT_GT(failing_elements(case_of(vector_sections, 3, exchanged(by_section, 1, 2))), 0U);
  EXPECT_GT(failing_elements(case_of(vector_sections, 3, exchanged(by_section, 0, 2))), 0U);
  EXPECT_GT(failing_elements(case_of(ggml_vectors, 4, exchanged(by_ggml, 0, 3))), 0U);
  EXPECT_GT(failing_elements(case_of(axial("pixtral"), 2, exchanged(by_pixtral, 0, 1))), 0U);
  EXPECT_GT(failing_elements(case_of(axial("ggml_vision"), 2, by_llama)), 0U);
  EXPECT_GT(failing_elements(case_of(blocks_spec, 3, exchanged(by_block, 1, 2))), 0U);
  EXPECT_GT(failing_elements(case_of(in_turns, 2, exchanged(by_turns, 0, 1))), 0U);
}

/// Frequencies of the whole head, and blocks where axes take turns.
TEST(MultiAxisVectors, FailWhereListedAxesAreReadAnotherWay) {
  EXPECT_GT(failing_elements(case_of(blocks_spec, 3, by_section)), 0U);
  EXPECT_GT(failing_elements(case_of(in_turns, 2, by_ggml_vision)), 0U);
}

TEST(MultiAxisVectors, FailByTextsPositionAndByAnotherOrderOfFrequencies) {
  EXPECT_GT(failing_elements(case_of(vector_sections, 3,
                                     [](int pair) {
                                       return AxisTurn{0, of_head(pair)};
                                     })),
            0U);
  EXPECT_GT(failing_elements(case_of(axial("pixtral"), 2, by_ggml_vision)), 0U);
}

/// Pairs 13 and 14 stay as they are in text, which llama.cpp gives a fourth position of 0.
TEST(MultiAxisVectors, OfTextHaveTheFourthPositionOfGgmlsReading) {
  const auto of_text = [](const TurnOf& turn_of) {
    std::vector<std::vector<std::int64_t>> axes(4, positions_from(0, vector_rows));
    axes[3].assign(vector_rows, 0);
    const Shape shape{vector_heads, vector_rows, vector_head_dim};
    const CaseInput parts{
        "a test",
        "made",
        "",
        {{"input", {"made", tensor_of(Format::binary32, shape, made_input())}},
         {"rotated", {"made", tensor_of(Format::binary32, shape, rotated(axes, turn_of, false))}}},
        std::nullopt};
    return failing_elements(assemble_case(parts, parsed(ggml_vectors)));
  };
  EXPECT_EQ(of_text(by_ggml), 0U);
  EXPECT_GT(of_text([](int pair) { return AxisTurn{0, of_head(pair)}; }), 0U);
}

}  // namespace
}  // namespace vernier
