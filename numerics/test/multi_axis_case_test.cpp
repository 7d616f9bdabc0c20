// Cases whose rows have several positions: how they are read, and that tables computed in float32 pass while
// those with the faults that text never shows fail.

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/tensors/case_file.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t axis_rows = 48;
constexpr int axis_pairs = 16;

constexpr auto sections = R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": "default",
    "mrope_section": [4, 6, 6]}})";
constexpr auto interleaved_axes =
    R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": "default",
    "mrope_section": [6, 5, 5], "mrope_interleaved": true}})";
constexpr auto ggml = R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": "default",
    "mrope_section": [8, 4, 4], "mrope_interleaved": true, "mrope_reading": "ggml"}})";

/// Positions of three axes that differ: those of an image behind some text, in rows of seven patches.
std::vector<std::int64_t> image_positions() {
  std::vector<std::int64_t> result(3 * axis_rows);
  for (std::size_t row = 0; row < axis_rows; ++row) {
    result[row] = 20;
    result[axis_rows + row] = 20 + static_cast<std::int64_t>(row / 7);
    result[2 * axis_rows + row] = 20 + static_cast<std::int64_t>(row % 7);
  }
  return result;
}

/// cos(p w_i) as float32 code computes it.
float cosine(std::int64_t position, int pair, int dimensions) {
  const float exponent = static_cast<float>(2 * pair) / static_cast<float>(dimensions);
  return std::cos(static_cast<float>(position) / std::pow(10000.0F, exponent));
}

/// The position that an implementation takes for a pair of a row.
using PositionOf = std::function<std::int64_t(std::size_t row, int pair)>;

Tensor made(const PositionOf& position_of) {
  std::vector<double> values;
  for (std::size_t row = 0; row < axis_rows; ++row) {
    for (int pair = 0; pair < axis_pairs; ++pair) {
      values.push_back(static_cast<double>(cosine(position_of(row, pair), pair, 2 * axis_pairs)));
    }
  }
  return tensor_of(Format::binary32, {axis_rows, axis_pairs}, values);
}

/// Pairs turn by the axes that `axis_of` says.
PositionOf by_axis(const std::function<std::size_t(int pair)>& axis_of) {
  return [=, positions = image_positions()](std::size_t row, int pair) {
    return positions[axis_of(pair) * axis_rows + row];
  };
}

class MultiAxisCases : public ::testing::Test {
 protected:
  Case read(const std::string& spec, const Tensor& cosines, const Tensor* positions) const {
    folder_.write("cos.npy", npy_bytes(cosines));
    std::string tensors = R"("cos": "cos.npy")";
    if (positions != nullptr) {
      folder_.write("positions.npy", npy_bytes(*positions));
      tensors += R"(, "positions": "positions.npy")";
    }
    return read_case(
        folder_.write("case.json", R"({"spec": )" + spec + R"(, "tensors": {)" + tensors + "}}"));
  }
  Case read_image(const std::string& spec, const Tensor& cosines) const {
    const auto positions = integer_tensor({3, axis_rows}, image_positions());
    return read(spec, cosines, &positions);
  }
  std::uint64_t failing(const Case& subject) const {
    const auto report = audit_elements(subject.tensors.all<TableTensor>().at(0), subject.rows());
    EXPECT_EQ(report.elements, subject.tensors.all<TableTensor>()[0].tensor.elements());
    EXPECT_EQ(report.inconclusive, 0U);
    return report.failing;
  }
  std::string refusal(const std::string& spec, const Tensor& positions) const {
    return refusal_of([&] { read(spec, made([](std::size_t, int) { return 0; }), &positions); });
  }

  TemporaryFolder folder_;
};

std::size_t axis_of_section(int pair) {
  return pair < 4 ? 0 : pair < 10 ? 1 : 2;
}

/// For sections 6, 5, 5: all threes are whole but the last, pair 15, which is of time.
std::size_t axis_interleaved(int pair) {
  return static_cast<std::size_t>(pair % 3);
}

TEST_F(MultiAxisCases, TakeAPositionForEachAxis) {
  const auto subject = read_image(sections, made(by_axis(axis_of_section)));
  ASSERT_EQ(subject.tensors.all<TableTensor>().size(), 1U);
  EXPECT_TRUE(subject.tensors.plain_tables().empty());
  ASSERT_EQ(subject.positions_by_axis.size(), 3U);
  EXPECT_EQ(subject.positions_by_axis[1][8], 21);
  EXPECT_EQ(subject.positions_by_axis[2][8], 21);
  EXPECT_EQ(subject.positions_by_axis[2][9], 22);
  EXPECT_EQ(subject.positions, subject.positions_by_axis[0]);
}

TEST_F(MultiAxisCases, PassAsFloat32ComputesThemAndFailByAnotherOrder) {
  EXPECT_EQ(failing(read_image(sections, made(by_axis(axis_of_section)))), 0U);
  EXPECT_EQ(failing(read_image(interleaved_axes, made(by_axis(axis_interleaved)))), 0U);
  EXPECT_GT(failing(read_image(sections, made(by_axis(axis_interleaved)))), 0U);
  EXPECT_GT(failing(read_image(interleaved_axes, made(by_axis(axis_of_section)))), 0U);
}

/// One table after the other: [2, rows, pairs].
Tensor together(const Tensor& first, const Tensor& second) {
  std::vector<std::byte> bytes(first.bytes().begin(), first.bytes().end());
  bytes.insert(bytes.end(), second.bytes().begin(), second.bytes().end());
  return {first.type(), {2, axis_rows, axis_pairs}, std::move(bytes)};
}

TEST_F(MultiAxisCases, JudgeEveryCopy) {
  const auto right = made(by_axis(axis_of_section));
  const auto wrong = made(by_axis(axis_interleaved));
  const auto copies = read_image(sections, together(right, right));
  EXPECT_EQ(copies.positions_by_axis[1].size(), 2 * axis_rows);
  EXPECT_EQ(failing(copies), 0U);
  EXPECT_GT(failing(read_image(sections, together(right, wrong))), 0U);
}

TEST_F(MultiAxisCases, FailWhereHeightAndWidthAreExchanged) {
  EXPECT_GT(failing(read_image(sections, made(by_axis([](int pair) -> std::size_t {
                                 const auto axis = axis_of_section(pair);
                                 return axis == 0 ? 0 : 3 - axis;
                               })))),
            0U);
}

TEST_F(MultiAxisCases, OfTextAreJudgedAsRope) {
  const auto position = [](std::size_t row, int) { return static_cast<std::int64_t>(row); };
  const auto subject = read(sections, made(position), nullptr);
  EXPECT_EQ(subject.tensors.all<TableTensor>().size(), 1U);
  EXPECT_FALSE(subject.tensors.plain_tables().empty());
}

/// Sections 8, 4, 4 leave pairs 13 and 14 over: llama.cpp's fourth position of text is zero.
TEST_F(MultiAxisCases, OfTextHaveAFourthPositionOfZeroByGgmlsReading) {
  const auto text = [](std::size_t row, int pair) {
    return pair == 13 || pair == 14 ? 0 : static_cast<std::int64_t>(row);
  };
  EXPECT_EQ(failing(read(ggml, made(text), nullptr)), 0U);
  const auto as_rope = [](std::size_t row, int) { return static_cast<std::int64_t>(row); };
  EXPECT_GT(failing(read(ggml, made(as_rope), nullptr)), 0U);
}

/// Rows of five patches; the first half of the pairs turns by the row with frequencies of its own.
TEST_F(MultiAxisCases, OfAxialRopeHaveTheCoordinatesOfTheirPatch) {
  const std::string spec =
      R"({"scheme": "axial_rope", "head_dim": 32, "grid_width": 5, "reading": "ggml_vision"})";
  const auto table = [](bool width_first) {
    std::vector<double> values;
    for (std::size_t patch = 0; patch < axis_rows; ++patch) {
      const std::array<std::int64_t, 2> place{static_cast<std::int64_t>(patch / 5),
                                              static_cast<std::int64_t>(patch % 5)};
      for (int pair = 0; pair < axis_pairs; ++pair) {
        const std::size_t axis = (pair < axis_pairs / 2) == width_first ? 1 : 0;
        values.push_back(static_cast<double>(cosine(place[axis], pair % (axis_pairs / 2), axis_pairs)));
      }
    }
    return tensor_of(Format::binary32, {axis_rows, axis_pairs}, values);
  };
  EXPECT_EQ(failing(read(spec, table(false), nullptr)), 0U);
  EXPECT_GT(failing(read(spec, table(true), nullptr)), 0U);
}

/// Text: one position, which without a grid is that on every axis.
TEST_F(MultiAxisCases, OfListedAxesMayGiveOnePositionForAll) {
  const std::string spec =
      R"({"scheme": "axial_rope", "head_dim": 32, "axes": [{"dims": 16}, {"dims": 16}]})";
  const auto table = [](int width) {
    std::vector<double> values;
    for (std::size_t row = 0; row < axis_rows; ++row) {
      for (int pair = 0; pair < axis_pairs; ++pair) {
        values.push_back(
            static_cast<double>(cosine(static_cast<std::int64_t>(row), pair % (axis_pairs / 2), width)));
      }
    }
    return tensor_of(Format::binary32, {axis_rows, axis_pairs}, values);
  };
  EXPECT_EQ(failing(read(spec, table(axis_pairs), nullptr)), 0U);
  EXPECT_GT(failing(read(spec, table(2 * axis_pairs), nullptr)), 0U);
}

TEST_F(MultiAxisCases, RefusePositionsOfAnotherShape) {
  EXPECT_THAT(refusal(sections, integer_tensor({2, axis_rows}, std::vector<std::int64_t>(2 * axis_rows))),
              HasSubstr("positions.npy: positions: found the shape [2, 48], expected [T] or [3, T]"));
  EXPECT_THAT(refusal(ggml, integer_tensor({3, axis_rows}, std::vector<std::int64_t>(3 * axis_rows))),
              HasSubstr("expected [T] or [4, T]"));
  EXPECT_THAT(refusal(sections, integer_tensor({3, 5}, std::vector<std::int64_t>(15))),
              HasSubstr("cos.npy: cos: found 48 rows, expected 5, as many as positions"));
  EXPECT_THAT(refusal(R"({"scheme": "rope", "head_dim": 32})",
                      integer_tensor({3, axis_rows}, std::vector<std::int64_t>(3 * axis_rows))),
              HasSubstr("found rows of the shape [48], expected that of the positions, [3, 48]"));
  EXPECT_THAT(refusal(R"({"scheme": "axial_rope", "head_dim": 32, "grid_width": 5})",
                      integer_tensor({axis_rows}, std::vector<std::int64_t>(axis_rows, -1))),
              HasSubstr("case.json: positions: found the position -1, expected row * grid_width + column"));
}

}  // namespace
}  // namespace vernier
