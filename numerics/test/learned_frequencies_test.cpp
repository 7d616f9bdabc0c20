// Fourier features and mixed rotations, computed here as the codes of SAM, NCSN++ and Mochi compute them.
// Honest ones conform, and what is known to go wrong does not and is named.

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/tensors/tensor_of.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using Matrix = std::vector<std::vector<float>>;

Matrix random_matrix(std::size_t rows, std::size_t columns, float scale) {
  std::mt19937_64 engine(2305);
  Matrix result(rows);
  for (auto& row : result) {
    for (std::size_t i = 0; i < columns; ++i) {
      row.push_back(scale * static_cast<float>(std::ldexp(static_cast<double>(engine() >> 11), -52) - 1));
    }
  }
  return result;
}

/// \param heads by which rows are nested, if at all
std::string json(const Matrix& matrix, std::size_t heads = 0) {
  std::string text;
  for (const auto& row : matrix) {
    std::string numbers;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool begins = heads > 0 && i % (row.size() / heads) == 0;
      numbers += fmt::format("{}{:.9g}", i == 0 ? "" : begins ? "], [" : ", ", row[i]);
    }
    text += (text.empty() ? "[" : ", [") + (heads > 0 ? "[" + numbers + "]" : numbers) + "]";
  }
  return "[" + text + "]";
}

/// How _pe_encoding of SAM goes wrong; as it is by default.
struct Sam {
  int height = 5;
  int width = 7;
  bool x_first = true;  ///< the first row of the matrix multiplies x
  bool half_pixel = true;
  bool centred = true;
  bool two_pi = true;
  int x_sign = 1;
  int y_sign = 1;
  bool sines_first = true;
  bool single = true;  ///< phases and sines in float32, else in float64
};

const Matrix& sam_matrix() {
  static const auto matrix = random_matrix(2, 8, 2);
  return matrix;
}

template <class Real>
std::vector<double> computed_frequencies(const Sam& made) {
  std::vector<double> values;
  const auto& g = sam_matrix();
  for (int i = 0; i < made.height * made.width; ++i) {
    const Real half = made.half_pixel ? Real(0.5) : Real(0);
    const int row = i / made.width;
    const Real y = (static_cast<Real>(row) + half) / static_cast<Real>(made.height);
    const Real x = (static_cast<Real>(i % made.width) + half) / static_cast<Real>(made.width);
    std::array<Real, 2> c{made.x_first ? x : y, made.x_first ? y : x};
    for (Real& one : c) {
      one = made.centred ? 2 * one - 1 : one;
    }
    c[0] *= static_cast<Real>(made.x_sign);
    c[1] *= static_cast<Real>(made.y_sign);
    for (const bool is_sine : {made.sines_first, !made.sines_first}) {
      for (std::size_t j = 0; j < g[0].size(); ++j) {
        const Real sum = c[0] * static_cast<Real>(g[0][j]) + c[1] * static_cast<Real>(g[1][j]);
        const Real phase = made.two_pi ? static_cast<Real>(2 * std::numbers::pi) * sum : sum;
        values.push_back(static_cast<double>(is_sine ? std::sin(phase) : std::cos(phase)));
      }
    }
  }
  return values;
}

/// Its grid counts rows before columns, so that y's row of the matrix comes first here.
std::string sam_spec() {
  return fmt::format(
      R"({{"scheme": "fourier_features", "frequencies_dtype": "float32", "frequency_scale": "2pi", "grid": [7],
          "axes": [{{"position_scale": "2/5", "position_offset": "-4/5"}},
                   {{"position_scale": "2/7", "position_offset": "-6/7"}}], "frequencies": {}}})",
      json({sam_matrix()[1], sam_matrix()[0]}));
}

Case made_case(const std::string& spec, const std::map<std::string, Tensor>& tensors) {
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  for (const auto& [role, tensor] : tensors) {
    parts.tensors.emplace(role, NamedTensor{role, tensor});
  }
  return assemble_case(parts, parsed(spec));
}

Tensor stored(Format format, std::size_t width, const std::vector<double>& values) {
  return tensor_of(format, {values.size() / width, width}, values);
}

Case sam_case(const Sam& made, Format format = Format::binary32) {
  return made_case(sam_spec(), {{"encoding", stored(format, 16,
                                                    made.single ? computed_frequencies<float>(made)
                                                                : computed_frequencies<double>(made))}});
}

/// The greatest share of a budget that an element uses.
double share(const Case& subject) {
  double result = 0;
  for (const auto& tensor : subject.tensors.all<TableTensor>()) {
    const auto report = audit_elements(tensor, subject.rows());
    EXPECT_GT(report.judged, report.elements / 2);
    result = std::max(result, report.worst ? report.worst->budget_ratio : 0);
  }
  for (const auto& vectors : subject.tensors.all<RotatedTensor>()) {
    const auto report = audit_rotated(vectors);
    EXPECT_GT(report.elements.judged, report.elements.elements / 2);
    result = std::max(result, report.elements.worst ? report.elements.worst->budget_ratio : 0);
  }
  EXPECT_GT(result, 0);
  return result;
}

std::string first_of(const Diagnosis& diagnosis) {
  return diagnosis.is_explained() ? sentence_of(diagnosis.explanations.front()) : "unexplained";
}

std::string told_of_frequencies(const Case& subject) {
  EXPECT_GT(share(subject), 1);
  return first_of(diagnose(subject, 1).front());
}

std::string told_of_vectors(const Case& subject) {
  EXPECT_GT(share(subject), 1);
  return told_of_frequencies(subject);
}

TEST(FourierFeatures, OfSamConform) {
  EXPECT_LE(share(sam_case({})), 1);
  EXPECT_LE(share(sam_case({.single = false})), 1);
  EXPECT_LE(share(sam_case({.single = false}, Format::binary64)), 1);
  EXPECT_LE(share(sam_case({}, Format::bfloat16)), 1);
}

TEST(FourierFeatures, FaultsInThoseOfSamAreNamed) {
  EXPECT_EQ(told_of_frequencies(sam_case({.x_first = false})), "axes 0 and 1 are exchanged");
  EXPECT_EQ(told_of_frequencies(sam_case({.half_pixel = false})), "positions are smaller by 1/2");
  EXPECT_EQ(told_of_frequencies(sam_case({.centred = false})),
            "coordinates run from 0 to 1, not from -1 to 1");
  EXPECT_EQ(told_of_frequencies(sam_case({.two_pi = false})), "axes[*].frequency_scale (2pi) is left out");
  EXPECT_EQ(told_of_frequencies(sam_case({.x_sign = -1, .y_sign = -1})), "frequencies are negated");
  EXPECT_EQ(told_of_frequencies(sam_case({.y_sign = -1})), "frequencies of axis 0 are negated");
  EXPECT_EQ(told_of_frequencies(sam_case({.sines_first = false})), "order is cos_sin, not sin_cos");
  EXPECT_EQ(told_of_frequencies(sam_case({.two_pi = false, .sines_first = false})),
            "order is cos_sin, not sin_cos, and axes[*].frequency_scale (2pi) is left out");
  auto values = computed_frequencies<float>({});
  values[100] = -values[100];
  EXPECT_EQ(told_of_frequencies(made_case(sam_spec(), {{"encoding", stored(Format::binary32, 16, values)}})),
            "row 6, positions 0, 6, column 4 of encoding is 0.873079836, not -0.873079719");
}

/// Points of an image of 1024 by 768 pixels, x before y, as they are given: half a pixel is added.
TEST(FourierFeatures, OfPointsConform) {
  const std::vector<double> points{10, 500.25, 1023.75, 0, 3, 767.5, 384, 12.125};
  std::vector<double> values;
  const auto& g = sam_matrix();
  for (std::size_t i = 0; i < 4; ++i) {
    const float x = 2 * ((static_cast<float>(points[i]) + 0.5F) / 1024) - 1;
    const float y = 2 * ((static_cast<float>(points[4 + i]) + 0.5F) / 768) - 1;
    for (const bool is_sine : {true, false}) {
      for (std::size_t j = 0; j < 8; ++j) {
        const float phase = static_cast<float>(2 * std::numbers::pi) * (x * g[0][j] + y * g[1][j]);
        values.push_back(static_cast<double>(is_sine ? std::sin(phase) : std::cos(phase)));
      }
    }
  }
  const auto spec = fmt::format(
      R"({{"scheme": "fourier_features", "frequencies_dtype": "float32", "frequency_scale": "2pi",
          "axes": [{{"position_scale": "2/1024", "position_offset": "-1023/1024"}},
                   {{"position_scale": "2/768", "position_offset": "-767/768"}}], "frequencies": {}}})",
      json(g));
  const auto positions = tensor_of(Format::binary32, {2, 4}, points);
  EXPECT_LE(
      share(made_case(spec, {{"encoding", stored(Format::binary32, 16, values)}, {"positions", positions}})),
      1);
}

/// GaussianFourierProjection of NCSN++: log sigma times 16 times random numbers, times 2 pi.
TEST(FourierFeatures, OfNoiseLevelsConform) {
  const auto w = random_matrix(1, 16, 16);
  std::vector<double> levels;
  std::vector<double> values;
  for (const float sigma : {0.01F, 0.5F, 3.7F, 50.0F, 378.0F}) {
    const float level = std::log(sigma);
    levels.push_back(static_cast<double>(level));
    for (const bool is_sine : {true, false}) {
      for (const float one : w[0]) {
        const float phase = level * one * 2 * static_cast<float>(std::numbers::pi);
        values.push_back(static_cast<double>(is_sine ? std::sin(phase) : std::cos(phase)));
      }
    }
  }
  const auto spec = fmt::format(R"({{"scheme": "fourier_features", "frequencies_dtype": "float32",
                                     "frequency_scale": "2pi", "frequencies": {}}})",
                                json(w));
  const auto positions = tensor_of(Format::binary32, {5}, levels);
  EXPECT_LE(
      share(made_case(spec, {{"encoding", stored(Format::binary32, 32, values)}, {"positions", positions}})),
      1);
}

/// Mochi: two heads of three pairs, by time, row and column.
Case mochi_case(const std::array<std::size_t, 3>& axes, bool with_vectors, float sign = 1) {
  const auto w = random_matrix(3, 6, 1);
  const std::size_t rows = 12;
  std::vector<double> positions(3 * rows);
  std::vector<double> cosines;
  std::vector<double> input;
  std::vector<double> rotated;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::array<float, 3> p{static_cast<float>(row % 3), static_cast<float>(row % 4) * 1.37F - 2,
                                 static_cast<float>(row) * 0.61F - 3};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      positions[axis * rows + row] = static_cast<double>(p[axis]);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      float phase = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        phase += p[axes[axis]] * w[axis][i];
      }
      const float c = std::cos(phase);
      const float s = sign * std::sin(phase);
      const auto a = static_cast<float>(0.25 + static_cast<double>((7 * row + 3 * i) % 11) / 16);
      const auto b = static_cast<float>(1 - static_cast<double>((5 * row + 4 * i) % 13) / 16);
      cosines.push_back(static_cast<double>(c));
      input.insert(input.end(), {static_cast<double>(a), static_cast<double>(b)});
      rotated.insert(rotated.end(), {static_cast<double>(a * c - b * s), static_cast<double>(a * s + b * c)});
    }
  }
  std::map<std::string, Tensor> tensors{{"cos", stored(Format::binary32, 6, cosines)},
                                        {"positions", tensor_of(Format::binary32, {3, rows}, positions)}};
  if (with_vectors) {
    tensors.emplace("input", stored(Format::binary32, 12, input));
    tensors.emplace("rotated", stored(Format::binary32, 12, rotated));
    tensors.erase("cos");
  }
  return made_case(fmt::format(R"({{"scheme": "axial_rope", "head_dim": 6, "arrangement": "mixed",
                                    "frequencies_dtype": "float32", "frequencies": {}}})",
                               json(w, 2)),
                   tensors);
}

TEST(MixedRope, OfMochiConforms) {
  EXPECT_LE(share(mochi_case({0, 1, 2}, false)), 1);
  EXPECT_LE(share(mochi_case({0, 1, 2}, true)), 1);
}

TEST(MixedRope, AxesThatAreExchangedAreNamed) {
  EXPECT_EQ(told_of_frequencies(mochi_case({0, 2, 1}, false)), "axes 1 and 2 are exchanged");
  EXPECT_EQ(told_of_vectors(mochi_case({2, 1, 0}, true)), "axes 0 and 2 are exchanged");
}

TEST(MixedRope, ATurnTheOtherWayIsNamed) {
  EXPECT_EQ(told_of_vectors(mochi_case({0, 1, 2}, true, -1)), "frequencies are negated");
}

}  // namespace
}  // namespace vernier
