// Rotary tables along the axes of a grid, in float32: honest ones conform; frequencies of another width and
// coordinates that end elsewhere are named.

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/tensors/tensor_of.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/told_findings.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

/// Rows of a table of cosines.
struct Cosines {
  std::vector<double> values;
  std::size_t width = 0;

  void add(float position, const std::vector<float>& frequencies) {
    for (const float w : frequencies) {
      values.push_back(static_cast<double>(std::cos(position * w)));
    }
  }
};

/// base^(-(first + j)/divisor), j = 0 .. pairs-1
std::vector<float> powers(int pairs, int divisor, int first = 0, float base = 10000) {
  std::vector<float> result;
  for (int j = first; j < first + pairs; ++j) {
    result.push_back(1 / std::pow(base, static_cast<float>(j) / static_cast<float>(divisor)));
  }
  return result;
}

Case case_of(const std::string& spec, const Cosines& made,
             const std::optional<Tensor>& positions = std::nullopt) {
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  parts.tensors.emplace(
      "cos", NamedTensor{"cos", tensor_of(Format::binary32, {made.values.size() / made.width, made.width},
                                          made.values)});
  if (positions) {
    parts.tensors.emplace("positions", NamedTensor{"positions", *positions});
  }
  return assemble_case(parts, parsed(spec));
}

/// "conforms", or what is named.
std::string told_of_grid(const Case& subject) {
  const auto report = audit_elements(subject.tensors.all<TableTensor>().at(0), subject.rows());
  EXPECT_GT(report.judged, report.elements / 2);
  if (report.failing == 0) {
    return "conforms";
  }
  const auto diagnosis = diagnose(subject, 1).at(0);
  return diagnosis.is_explained() ? likeliest_with_ids(diagnosis) : "unexplained";
}

/// Where a crop of a grid begins and how far one of n points is from the next: get_3d_rotary_pos_embed of
/// diffusers, linspace(start, stop (n - 1)/n, n), and what NumPy's linspace(start, stop, n, endpoint=False)
/// was.
enum class Crop { numpy, slip, whole };

float coordinate(Crop crop, float start, float stop, int n, int i) {
  const auto count = static_cast<float>(n);
  const float last = crop == Crop::slip ? stop * (count - 1) / count : stop;
  return start + static_cast<float>(i) * ((last - start) / (crop == Crop::numpy ? count : count - 1));
}

/// 3 frames of 6 rows and 10 columns, of which rows are those from 1.5 to 7.5 and columns from -2 to 18.
std::string told_of_crop(Crop crop, const std::array<std::vector<float>, 3>& frequencies) {
  Cosines made{{}, 32};
  for (int i = 0; i < 3 * 6 * 10; ++i) {
    const int frame = i / 60;
    made.add(static_cast<float>(frame), frequencies[0]);
    made.add(coordinate(crop, 1.5F, 7.5F, 6, i / 10 % 6), frequencies[1]);
    made.add(coordinate(crop, -2, 18, 10, i % 10), frequencies[2]);
  }
  return told_of_grid(
      case_of(R"({"scheme": "axial_rope", "head_dim": 64, "grid": [6, 10], "axes": [{"dims": 16},
      {"dims": 24, "position_offset": "3/2"}, {"dims": 24, "position_scale": 2, "position_offset": -2}]})",
              made));
}

TEST(GridDiagnosis, CropsOfAGridThatEndElsewhereAreNamed) {
  const std::array own{powers(8, 8), powers(12, 12), powers(12, 12)};
  EXPECT_EQ(told_of_crop(Crop::numpy, own), "conforms");
  EXPECT_EQ(told_of_crop(Crop::slip, own),
            "position/endpoint coordinates are those of linspace(a, b (n - 1)/n, n), a the first of n and b "
            "the end: their step is "
            "not (b - a)/n");
  EXPECT_EQ(told_of_crop(Crop::whole, own),
            "position/endpoint coordinates reach the end: their step is (b - a)/(n - 1), not (b - a)/n");
}

TEST(GridDiagnosis, FrequenciesOfTheWholeWidthAreNamed) {
  EXPECT_EQ(told_of_crop(Crop::numpy, {powers(8, 32), powers(12, 32), powers(12, 32)}),
            "frequency/axes the exponents are i/32, of the whole width, although i restarts with each axis");
  EXPECT_EQ(told_of_crop(Crop::numpy, {powers(8, 32), powers(12, 32, 8), powers(12, 32, 20)}),
            "frequency/axes the exponents are i/32, of the whole width, and i runs over all axes");
}

TEST(GridDiagnosis, BasesOfListedAxesAreNamed) {
  const auto told_of = [](const std::string& axes, const std::array<float, 2>& bases) {
    Cosines made{{}, 32};
    for (int i = 0; i < 14 * 14; ++i) {
      const int row = i / 14;
      made.add(static_cast<float>(row), powers(16, 16, 0, bases[0]));
      made.add(static_cast<float>(i % 14), powers(16, 16, 0, bases[1]));
    }
    return told_of_grid(case_of(
        R"({"scheme": "axial_rope", "head_dim": 64, "layout": "half", "grid": [14], "axes": )" + axes + "}",
        made));
  };
  const std::string plain = R"([{"dims": 32}, {"dims": 32}])";
  EXPECT_EQ(told_of(plain, {10000, 10000}), "conforms");
  EXPECT_EQ(told_of(plain, {5000, 5000}), "frequency/base the base is 5000, not 10000");
  EXPECT_EQ(told_of(plain, {10000, 5000}), "frequency/base axes.1.rope_theta is 5000, not 10000");
  const std::string different = R"([{"dims": 32}, {"dims": 32, "rope_theta": 100}])";
  EXPECT_EQ(told_of(different, {10000, 10000}), "frequency/base axes.1.rope_theta is 10000, not 100");
}

/// M-RoPE shares the frequencies of the head.
TEST(GridDiagnosis, FrequenciesOfEachSectionAreNamedWhereTheyAreShared) {
  const auto made = [](bool are_shared) {
    Cosines result{{}, 16};
    std::vector<std::int64_t> positions;
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < 60; ++i) {
        positions.push_back(axis == 0 ? i / 20 : axis == 1 ? i / 5 % 4 : i % 5);
      }
    }
    for (std::size_t i = 0; i < 60; ++i) {
      result.add(static_cast<float>(positions[i]), are_shared ? powers(4, 16) : powers(4, 4));
      result.add(static_cast<float>(positions[60 + i]), are_shared ? powers(6, 16, 4) : powers(6, 6));
      result.add(static_cast<float>(positions[120 + i]), are_shared ? powers(6, 16, 10) : powers(6, 6));
    }
    return told_of_grid(case_of(R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": "default",
        "mrope_section": [4, 6, 6]}})",
                                result, integer_tensor({3, 60}, positions)));
  };
  EXPECT_EQ(made(true), "conforms");
  EXPECT_EQ(made(false),
            "frequency/axes each axis has frequencies of its own, those of a head as wide as its section");
}

/// precompute_freqs_cis of LTX-Video: frequencies of time, height and width in turn, dim % 6 columns of
/// cosine 1 in front.
TEST(GridDiagnosis, DimensionsOfIdentityStandInFront) {
  const auto made = [](bool in_front, bool exchanged = false) {
    Cosines result{{}, 20};
    std::vector<double> positions(3 * 24);
    for (std::size_t i = 0; i < 24; ++i) {
      const std::size_t frame = i / 12;
      const std::array x{static_cast<float>(frame) / 20, static_cast<float>(i / 4 % 3) / 64,
                         static_cast<float>(i % 4) / 64};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        positions[24 * axis + i] = static_cast<double>(x[axis]);
      }
      if (in_front) {
        result.values.insert(result.values.end(), {1, 1});
      }
      for (int j = 0; j < 3; ++j) {
        const float w = std::pow(10000.0F, static_cast<float>(j) / 2) * std::numbers::pi_v<float> / 2;
        for (const std::size_t axis : {0U, exchanged ? 2U : 1U, exchanged ? 1U : 2U}) {
          const float phase = (2 * x[axis] - 1) * w;
          result.values.insert(result.values.end(), 2, static_cast<double>(std::cos(phase)));
        }
      }
      if (!in_front) {
        result.values.insert(result.values.end(), {1, 1});
      }
    }
    const std::string axis = R"({"dims": 6, "frequency": "geometric", "first": "pi/2", "last": "10000pi/2"})";
    return told_of_grid(case_of(R"({"scheme": "axial_rope", "head_dim": 20, "arrangement": "alternating",
        "identity_front": 2, "position_scale": 2, "position_offset": -1, "axes": [)" +
                                    axis + ", " + axis + ", " + axis + "]}",
                                result, tensor_of(Format::binary32, {3, 24}, positions)));
  };
  EXPECT_EQ(made(true), "conforms");
  EXPECT_EQ(made(true, true), "mapping/axes axes 1 and 2 are exchanged");
  EXPECT_EQ(
      made(false),
      "mapping/identity identity_front (2) is left out, and identity_back is 2, where the spec has none");
}

/// Halves of each axis' block, of neighbours and of the head are told apart.
TEST(GridDiagnosis, LayoutsOfBlocksAreNamed) {
  Cosines made{{}, 16};
  const auto w = powers(4, 4);
  for (int i = 0; i < 5 * 6; ++i) {
    for (const int position : {i / 6, i / 6, i % 6, i % 6}) {
      made.add(static_cast<float>(position), w);
    }
  }
  const auto declared = [&](const std::string& layout) {
    return told_of_grid(
        case_of(R"({"scheme": "axial_rope", "head_dim": 16, "grid": [6], "axes": [{"dims": 8}, {"dims": 8}],
        "layout": ")" +
                    layout + "\"}",
                made));
  };
  EXPECT_EQ(declared("half_per_axis"), "conforms");
  EXPECT_EQ(declared("half"), "mapping/blocks layout is half_per_axis, not half");
  EXPECT_EQ(declared("interleaved"), "mapping/blocks layout is half_per_axis, not interleaved");
}

/// rotate_queries_or_keys of V-JEPA 2, src/models/utils/modules.py, of a head of 20: 8 dimensions a axis,
/// whose sines and cosines are tiled while neighbours are paired; or repeated, as a rotation has them.
/// \param columns what the spec says of the table, after its layout
Case case_of_vjepa(bool is_tiled, const std::string& columns) {
  constexpr std::size_t rows = 12;
  const auto w = powers(4, 4);
  std::vector<double> input;
  std::vector<double> rotated;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<float> x;
    for (std::size_t i = 0; i < 20; ++i) {
      x.push_back(static_cast<float>(0.25 + static_cast<double>((7 * row + 3 * i) % 11) / 16));
    }
    for (std::size_t i = 0; i < 20; ++i) {
      const auto column = is_tiled ? i % 4 : i % 8 / 2;
      const float phase = static_cast<float>(i < 8 ? row / 4 : row % 4) * w[column];
      const float other = i % 2 == 0 ? -x[i + 1] : x[i - 1];
      input.push_back(static_cast<double>(x[i]));
      rotated.push_back(
          static_cast<double>(i < 16 ? x[i] * std::cos(phase) + other * std::sin(phase) : x[i]));
    }
  }
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  parts.tensors.emplace("input", NamedTensor{"input", tensor_of(Format::binary32, {rows, 20}, input)});
  parts.tensors.emplace("rotated", NamedTensor{"rotated", tensor_of(Format::binary32, {rows, 20}, rotated)});
  return assemble_case(
      parts, parsed(R"({"scheme": "axial_rope", "head_dim": 20, "grid": [4], "layout": "interleaved")" +
                    columns + R"(, "axes": [{"dims": 8}, {"dims": 8}]})"));
}

/// "conforms", or what is named.
std::string told_of_vjepa(bool is_tiled, const std::string& columns) {
  const auto subject = case_of_vjepa(is_tiled, columns);
  const auto& vectors = subject.tensors.all<RotatedTensor>().at(0);
  if (audit_rotated(vectors).elements.failing == 0) {
    return "conforms";
  }
  const auto diagnosis = diagnose_vectors(*subject.encoding, vectors, 1);
  return diagnosis.is_explained() ? likeliest_with_ids(diagnosis) : "unexplained";
}

constexpr auto tiled = R"(, "table_layout": "half_per_axis")";

TEST(TableLayout, IsJudgedAsItIsComputedThoughItIsNoRotation) {
  const auto subject = case_of_vjepa(true, tiled);
  const auto report = audit_rotated(subject.tensors.all<RotatedTensor>().at(0));
  EXPECT_EQ(report.elements.judged, 12U * 16);
  EXPECT_EQ(report.elements.failing, 0U);
  EXPECT_EQ(report.norms.elements, 0U) << "no norm is kept";
  EXPECT_EQ(report.copies, 12U * 4);
}

TEST(TableLayout, IsNamedWhereItIsNotTheDeclaredOne) {
  EXPECT_EQ(told_of_vjepa(true, tiled), "conforms");
  EXPECT_EQ(told_of_vjepa(false, tiled), "mapping/blocks table_layout (half_per_axis) is left out");
  EXPECT_EQ(told_of_vjepa(false, ""), "conforms");
  EXPECT_EQ(told_of_vjepa(true, ""), "mapping/blocks table_layout is half_per_axis, where the spec has none");
}

}  // namespace
}  // namespace vernier
