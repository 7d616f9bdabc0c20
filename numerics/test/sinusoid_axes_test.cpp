// Tables of sines along several axes and of frequencies between bounds, computed here as the codes compute
// them: MAE, DETR, timm, V-JEPA, CogVideoX, LTX-Video. Honest ones conform, and what is known to go wrong
// does not.

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/tensors/table_tensor.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/told_findings.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

template <class Real>
using AxisRow = std::vector<Real>;

/// 1/10000^(j/n), as NumPy and PyTorch compute it.
template <class Real>
AxisRow<Real> paper(int pairs, int divisor = 0) {
  AxisRow<Real> result;
  for (int j = 0; j < pairs; ++j) {
    result.push_back(
        1 / std::pow(Real(10000), static_cast<Real>(j) / static_cast<Real>(divisor == 0 ? pairs : divisor)));
  }
  return result;
}

/// Appends sines of a position, then cosines, or the other way round.
template <class Real>
void append_halves(Real position, const AxisRow<Real>& frequencies, std::vector<double>& out,
                   bool sines_first = true) {
  for (const bool is_sine : {sines_first, !sines_first}) {
    for (const Real w : frequencies) {
      out.push_back(static_cast<double>(is_sine ? std::sin(position * w) : std::cos(position * w)));
    }
  }
}

/// How get_2d_sincos_pos_embed of MAE goes wrong; as it is by default.
struct Mae {
  int height = 5;
  int width = 7;
  int d = 32;  ///< of both axes
  bool row_first = false;
  bool column_major = false;
  bool whole_width = false;
  bool sines_first = true;
  bool zero_row = true;
};

template <class Real>
std::vector<double> computed_axes(const Mae& made) {
  std::vector<double> values;
  const auto frequencies = paper<Real>(made.d / 4, made.whole_width ? made.d / 2 : made.d / 4);
  if (made.zero_row) {
    values.resize(static_cast<std::size_t>(made.d));
  } else {
    append_halves<Real>(0, frequencies, values);
    append_halves<Real>(0, frequencies, values);
  }
  for (int i = 0; i < made.height * made.width; ++i) {
    const int row = made.column_major ? i % made.height : i / made.width;
    const int column = made.column_major ? i / made.height : i % made.width;
    for (const bool of_row : {made.row_first, !made.row_first}) {
      append_halves(static_cast<Real>(of_row ? row : column), frequencies, values, made.sines_first);
    }
  }
  return values;
}

constexpr auto mae_spec =
    R"({"scheme": "sinusoidal", "layout": "halves", "axes": [{"dims": 16}, {"dims": 16}],
    "block_order": [1, 0], "grid": [7], "zero_prefix": 1})";

Case made_case(const std::string& spec, Format format, std::size_t width, const std::vector<double>& values,
               const std::optional<Tensor>& positions = std::nullopt, const std::string& role = "encoding") {
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  std::vector<double> stored;
  for (const double value : values) {
    stored.push_back(round_to(format, value));
  }
  parts.tensors.emplace(role, NamedTensor{role, tensor_of(format, {values.size() / width, width}, stored)});
  if (positions) {
    parts.tensors.emplace("positions", NamedTensor{"positions", *positions});
  }
  return assemble_case(parts, parsed(spec));
}

bool conforms(const Case& subject) {
  std::uint64_t failing = 0;
  std::uint64_t judged = 0;
  for (const auto& tensor : subject.tensors.all<TableTensor>()) {
    const auto report = audit_elements(tensor, subject.rows());
    failing += report.failing;
    judged += report.judged;
  }
  for (const auto& tensor : subject.tensors.plain_tables()) {
    const auto report = audit_tensor(tensor, tensor.table.sines, subject.positions);
    failing += report.failing;
    judged += report.judged;
  }
  EXPECT_GT(judged, 0U);
  return failing == 0;
}

std::string told_of_axes(const Case& subject) {
  const auto diagnosis = diagnose(subject, 1).at(0);
  return diagnosis.is_explained() ? likeliest_with_ids(diagnosis) : "unexplained";
}

TEST(SinusoidAxes, TablesOfMaeConform) {
  EXPECT_TRUE(conforms(made_case(mae_spec, Format::binary64, 32, computed_axes<double>({}))));
  EXPECT_TRUE(conforms(made_case(mae_spec, Format::binary32, 32, computed_axes<double>({}))));
  EXPECT_TRUE(conforms(made_case(mae_spec, Format::binary32, 32, computed_axes<float>({}))));
  EXPECT_TRUE(conforms(made_case(mae_spec, Format::bfloat16, 32, computed_axes<float>({}))));
}

TEST(SinusoidAxes, FaultsInTablesOfMaeAreFound) {
  const auto refused = [](const Mae& made) {
    auto subject = made_case(mae_spec, Format::binary32, 32, computed_axes<float>(made));
    EXPECT_FALSE(conforms(subject));
    return subject;
  };
  EXPECT_EQ(told_of_axes(refused({.row_first = true})), "mapping/axes axes 0 and 1 are exchanged");
  EXPECT_EQ(told_of_axes(refused({.sines_first = false})),
            "mapping/components sine and cosine are exchanged");
  EXPECT_EQ(told_of_axes(refused({.zero_row = false})),
            "mapping/padding row 0 of encoding should be zero, as that of padding");
  auto two_rows = computed_axes<float>({.zero_row = false});
  two_rows.insert(two_rows.begin(), 32, 1.0);
  const auto spec_of_two = std::string(mae_spec).replace(std::string_view(mae_spec).rfind('1'), 1, "2");
  EXPECT_EQ(told_of_axes(made_case(spec_of_two, Format::binary32, 32, two_rows)),
            "mapping/padding rows 0 to 1 of encoding should be zero, as those of padding");
  refused({.column_major = true});
  EXPECT_EQ(told_of_axes(refused({.whole_width = true})),
            "frequency/axes the exponents are i/16, of the whole width, although i restarts with each axis");
  auto shifted = computed_axes<float>({});
  shifted.erase(shifted.begin(), shifted.begin() + 32);
  const auto without_zeros = made_case(mae_spec, Format::binary32, 32, shifted);
  EXPECT_FALSE(conforms(without_zeros)) << "no row for the class token";
  EXPECT_EQ(told_of_axes(without_zeros),
            "mapping/zero-prefix the row of zeros before the first position is missing");
}

TEST(SinusoidAxes, ABaseIsMeasured) {
  std::vector<float> frequencies;
  for (int j = 0; j < 8; ++j) {
    frequencies.push_back(1 / std::pow(1234.0F, static_cast<float>(j) / 8));
  }
  for (const int scale : {1, 2}) {
    std::vector<double> values;
    for (int i = 0; i < 14 * 14; ++i) {
      const int row = i / 14;
      append_halves(static_cast<float>(scale * row), frequencies, values);
      append_halves(static_cast<float>(scale * (i % 14)), frequencies, values);
    }
    const auto axis = R"({"dims": 16, "position_scale": )" + std::to_string(scale) + "}";
    const auto subject = made_case(
        R"({"scheme": "sinusoidal", "layout": "halves", "grid": [14], "axes": [)" + axis + ", " + axis + "]}",
        Format::binary32, 32, values);
    EXPECT_EQ(told_of_axes(subject), "frequency/base the base is 1234, not 10000") << scale;
  }
}

/// A spec that lists a single axis has tables of axes, as one of several has.
TEST(SinusoidAxes, AFaultAlongTheOnlyAxisIsNamed) {
  std::vector<double> values;
  for (int p = 0; p < 64; ++p) {
    append_halves(static_cast<float>(p), paper<float>(8), values, false);
  }
  EXPECT_EQ(told_of_axes(made_case(R"({"scheme": "sinusoidal", "layout": "halves", "axes": [{"dims": 16}]})",
                                   Format::binary32, 16, values)),
            "mapping/components sine and cosine are exchanged");
}

/// Frequencies that are in order are no memory that nobody wrote.
TEST(SinusoidAxes, SpacingsThatAreExchangedAreNamed) {
  std::vector<double> linear;
  for (int i = 0; i < 12 * 12; ++i) {
    for (const int position : {i / 12, i % 12}) {
      for (int j = 0; j < 8; ++j) {
        const double phase = position * (0.05 + j * (1.5 - 0.05) / 7);
        linear.push_back(std::sin(phase));
        linear.push_back(std::cos(phase));
      }
    }
  }
  const auto judged = [&](const std::string& last) {
    const auto axis = R"({"dims": 16, "frequency": "geometric", "first": 0.05, "last": )" + last + "}";
    return told_of_axes(
        made_case(R"({"scheme": "sinusoidal", "grid": [12], "axes": [)" + axis + ", " + axis + "]}",
                  Format::binary32, 32, linear));
  };
  EXPECT_EQ(judged("1.5"), "frequency/spacing axes[*].frequency is linear, not geometric");
  EXPECT_EQ(judged("1.4"), "unexplained");
}

/// 16 pairs of neighbouring sines and cosines, as DETR computes them.
void append_pairs(float x, std::vector<double>& values) {
  constexpr int pairs = 16;
  for (int c = 0; c < 2 * pairs; ++c) {
    const float by = std::pow(10000.0F, static_cast<float>(c - c % 2) / (2 * pairs));
    values.push_back(c % 2 == 0 ? std::sin(x / by) : std::cos(x / by));
  }
}

/// PositionEmbeddingSine of DETR, normalised, on 5 x 7 pixels; Deformable DETR takes half a pixel off.
std::vector<double> detr(int height, int width, float shift, bool is_normalised) {
  std::vector<double> values;
  const auto embed = [&](int count, int last) {
    float x = static_cast<float>(count) + shift;
    if (is_normalised) {
      x = x / (static_cast<float>(last) + 1e-6F) * (2 * std::numbers::pi_v<float>);
    }
    append_pairs(x, values);
  };
  for (int i = 0; i < height * width; ++i) {
    embed(i / width + 1, height);
    embed(i % width + 1, width);
  }
  return values;
}

TEST(SinusoidAxes, TablesOfDetrConform) {
  const auto spec = [](const std::string& height, const std::string& width) {
    return R"({"scheme": "sinusoidal", "grid": [7], "axes": [{"dims": 32)" + height + R"(}, {"dims": 32)" +
           width + "}]}";
  };
  const auto axis = [](const std::string& scale, const std::string& offset) {
    return R"(, "position_scale": ")" + scale + R"(", "position_offset": ")" + offset + "\"";
  };
  const auto judge = [&](const std::string& keys, float shift, bool is_normalised) {
    return conforms(made_case(keys, Format::binary32, 64, detr(5, 7, shift, is_normalised)));
  };
  const auto normalised = spec(axis("2pi/5.000001", "2pi/5.000001"), axis("2pi/7.000001", "2pi/7.000001"));
  EXPECT_TRUE(judge(normalised, 0, true));
  EXPECT_FALSE(judge(normalised, -1, true)) << "counted from 0";
  EXPECT_FALSE(judge(normalised, 0, false));
  const auto exchanged = spec(axis("2pi/7.000001", "2pi/7.000001"), axis("2pi/5.000001", "2pi/5.000001"));
  EXPECT_FALSE(judge(exchanged, 0, true)) << "height and width exchanged";
  EXPECT_TRUE(judge(spec(R"(, "position_offset": 1)", R"(, "position_offset": 1)"), 0, false));
  const auto deformable = spec(axis("2pi/5.000001", "pi/5.000001"), axis("2pi/7.000001", "pi/7.000001"));
  EXPECT_TRUE(judge(deformable, -0.5F, true));
  const auto judged = [&](const std::string& keys, float shift, bool is_normalised) {
    return told_of_axes(made_case(keys, Format::binary32, 64, detr(5, 7, shift, is_normalised)));
  };
  EXPECT_EQ(judged(deformable, 0, true), "position/offset positions are larger by 1/2");
  EXPECT_EQ(judged(normalised, -0.5F, true), "position/offset positions are smaller by 1/2");
  EXPECT_EQ(judged(normalised, -1, true), "position/offset positions are smaller by 1");
}

/// The middles of 5 x 7 pixels, from 0 to 1 or from -1 to 1.
TEST(SinusoidAxes, ARangeOfCoordinatesIsNamed) {
  std::vector<double> from_zero;
  std::vector<double> centred;
  for (int i = 0; i < 35; ++i) {
    const int row = i / 7;
    for (const float x : {(static_cast<float>(row) + 0.5F) / 5, (static_cast<float>(i % 7) + 0.5F) / 7}) {
      append_pairs(x, from_zero);
      append_pairs(2 * x - 1, centred);
    }
  }
  const auto spec = [](const std::string& height, const std::string& width) {
    return R"({"scheme": "sinusoidal", "grid": [7], "axes": [{"dims": 32, "position_scale": )" + height +
           R"(}, {"dims": 32, "position_scale": )" + width + "}]}";
  };
  const auto to_one = spec(R"("1/5", "position_offset": "1/10")", R"("1/7", "position_offset": "1/14")");
  const auto both = spec(R"("2/5", "position_offset": "-4/5")", R"("2/7", "position_offset": "-6/7")");
  EXPECT_TRUE(conforms(made_case(to_one, Format::binary32, 64, from_zero)));
  EXPECT_TRUE(conforms(made_case(both, Format::binary32, 64, centred)));
  EXPECT_EQ(told_of_axes(made_case(both, Format::binary32, 64, from_zero)),
            "position/scaled coordinates run from 0 to 1, not from -1 to 1");
  EXPECT_EQ(told_of_axes(made_case(to_one, Format::binary32, 64, centred)),
            "position/scaled coordinates run from -1 to 1, not from 0 to 1");
}

/// build_sincos2d_pos_embed of timm: sines of rows and of columns, then cosines.
TEST(SinusoidAxes, TablesOfTimmConform) {
  const auto table = [](bool across) {
    const auto frequencies = paper<float>(6);
    std::vector<double> values;
    for (int i = 0; i < 35; ++i) {
      const int row = i / 7;
      const std::array position{static_cast<float>(row), static_cast<float>(i % 7)};
      for (int block = 0; block < 4; ++block) {
        for (const float w : frequencies) {
          const auto axis = static_cast<std::size_t>(across ? block % 2 : block / 2);
          const bool is_sine = across ? block < 2 : block % 2 == 0;
          values.push_back(is_sine ? std::sin(position[axis] * w) : std::cos(position[axis] * w));
        }
      }
    }
    return values;
  };
  const std::string across =
      R"({"scheme": "sinusoidal", "axes": [{"dims": 12}, {"dims": 12}], "axes_layout": "across", "grid": [7]})";
  EXPECT_TRUE(conforms(made_case(across, Format::binary32, 24, table(true))));
  EXPECT_FALSE(conforms(made_case(across, Format::binary32, 24, table(false))));
}

/// V-JEPA with uniform_power: three axes as wide as the width over 6, rounded up, twice; cut to the width.
/// And CogVideoX 2B: time, column, row, positions divided by a scale.
TEST(SinusoidAxes, TablesOfVideosConform) {
  const auto table = [](int width, const std::array<int, 3>& pairs, const std::array<int, 3>& order,
                        float divisor) {
    std::vector<double> values;
    for (int i = 0; i < 3 * 4 * 5; ++i) {
      const std::array position{i / 20, i / 5 % 4, i % 5};
      std::vector<double> row;
      for (const int axis : order) {
        const auto a = static_cast<std::size_t>(axis);
        append_halves(static_cast<float>(position[a]) / (a == 0 ? 1 : divisor), paper<float>(pairs[a]), row);
      }
      values.insert(values.end(), row.begin(), row.begin() + width);
    }
    return values;
  };
  const std::string start = R"({"scheme": "sinusoidal", "layout": "halves", "grid": [4, 5], )";
  const auto vjepa = start + R"("d_model": 32, "axes": [{"dims": 12}, {"dims": 12}, {"dims": 12}]})";
  EXPECT_TRUE(conforms(made_case(vjepa, Format::binary32, 32, table(32, {6, 6, 6}, {0, 1, 2}, 1))));
  EXPECT_FALSE(conforms(made_case(vjepa, Format::binary32, 32, table(32, {6, 6, 6}, {0, 2, 1}, 1))));
  const auto cogvideo = start + R"("block_order": [0, 2, 1], "axes": [{"dims": 8},
      {"dims": 12, "position_scale": "1/1.875"}, {"dims": 12, "position_scale": "1/1.875"}]})";
  EXPECT_TRUE(conforms(made_case(cogvideo, Format::binary32, 32, table(32, {4, 6, 6}, {0, 2, 1}, 1.875F))));
  EXPECT_FALSE(conforms(made_case(cogvideo, Format::binary32, 32, table(32, {4, 6, 6}, {0, 2, 1}, 1))));
}

TEST(SinusoidAxes, PositionsMayBeGivenAlongEachAxis) {
  const auto values = computed_axes<float>({});
  std::vector<std::int64_t> positions{-1};
  for (int i = 0; i < 35; ++i) {
    positions.push_back(i / 7);
  }
  positions.push_back(-1);
  for (int i = 0; i < 35; ++i) {
    positions.push_back(i % 7);
  }
  EXPECT_TRUE(
      conforms(made_case(mae_spec, Format::binary32, 32, values, integer_tensor({2, 36}, positions))));
  positions[3] = 4;
  EXPECT_FALSE(
      conforms(made_case(mae_spec, Format::binary32, 32, values, integer_tensor({2, 36}, positions))));
}

/// Patches in the middles of quarters, of which the first stands at -1/4: the place of the row before it
/// along axis 0. The certified table conforms, and a row of zeros in place of a patch does not.
TEST(SinusoidAxes, APlaceIsNoRowOfZeros) {
  const std::string spec = R"({"scheme": "sinusoidal", "base": 100, "layout": "halves", "grid": [4],
      "zero_prefix": 1, "axes": [{"dims": 4},
      {"dims": 4, "position_scale": "2/4", "position_offset": "-1/4"}]})";
  std::vector<std::int64_t> positions(17);
  std::iota(positions.begin(), positions.end(), -1);
  const auto encoding = parsed(spec);
  std::vector<std::byte> bytes;
  const PlacedElements table(*encoding, encoding->tensors().front(), positions);
  append_rounded(*table, ElementType::float32, 0, table->elements(), bytes);
  std::vector<double> values(table->elements());
  Tensor(ElementType::float32, table->shape(), std::move(bytes)).numbers(0, values);
  EXPECT_NEAR(values[8 + 4], std::sin(-0.25), 0x1p-24);
  EXPECT_TRUE(conforms(made_case(spec, Format::binary32, 8, values)));
  // The same along each axis, where a position -1 along axis 1 alone is one like others.
  std::vector<std::int64_t> by_axis{-1};
  std::vector<std::int64_t> columns{-1};
  for (int patch = 0; patch < 16; ++patch) {
    by_axis.push_back(patch / 4);
    columns.push_back(patch % 4);
  }
  by_axis.insert(by_axis.end(), columns.begin(), columns.end());
  const auto along_axes = [&] {
    return conforms(made_case(spec, Format::binary32, 8, values, integer_tensor({2, 17}, by_axis)));
  };
  EXPECT_TRUE(along_axes());
  by_axis[17 + 3] = -1;
  EXPECT_FALSE(along_axes());
  for (const int column : {4, 5, 6, 7}) {
    const double phase = -0.75 / (column % 2 == 0 ? 1 : 10);
    values[static_cast<std::size_t>(3 * 8 + column)] = column < 6 ? std::sin(phase) : std::cos(phase);
  }
  EXPECT_TRUE(along_axes());
  std::fill_n(values.begin() + 3 * 8, 8, 0.0);
  EXPECT_FALSE(along_axes());
}

/// The row of position 1 is zero in whatever unit positions count: not that of the number 1, position 0.5.
TEST(Sinusoidal, PaddingIsAPositionInEveryUnit) {
  const std::string spec = R"({"scheme": "sinusoidal", "d_model": 4, "padding_idx": 1})";
  for (const double unit : {1.0, 0.5, 0x1p-40}) {
    std::vector<double> positions;
    std::vector<double> values;
    for (int row = 0; row < 5; ++row) {
      const double p = row == 2 ? 1 : row * unit;
      positions.push_back(p);
      for (const double phase : {p, p / 100}) {
        values.push_back(p == 1 ? 0 : std::sin(phase));
        values.push_back(p == 1 ? 0 : std::cos(phase));
      }
    }
    EXPECT_TRUE(
        conforms(made_case(spec, Format::binary32, 4, values, tensor_of(Format::binary64, {5}, positions))))
        << unit;
  }
  // A unit in which 64 bits do not count to 1.
  const std::vector<double> tiny{0, 0x1p-70, 0x1p-69};
  const std::vector<double> values{0, 1, 0, 1, 0x1p-70, 1, 0x1p-70 / 100, 1, 0x1p-69, 1, 0x1p-69 / 100, 1};
  EXPECT_TRUE(conforms(made_case(spec, Format::binary32, 4, values, tensor_of(Format::binary64, {3}, tiny))));
}

/// Frequencies from pi/2 to 5000 pi as code computes them.
struct Between {
  enum class Way { logarithms, power, power_of_base, linear };
  Way way = Way::logarithms;
  int steps = 15;      ///< n - 1 of n pairs
  float last = 10000;  ///< times pi/2

  std::vector<float> frequencies() const {
    constexpr auto half_pi = std::numbers::pi_v<float> / 2;
    std::vector<float> result;
    for (int j = 0; j < 16; ++j) {
      const float t = static_cast<float>(j) / static_cast<float>(steps);
      const float low = std::log(half_pi);
      const float high = std::log(last * half_pi);
      const float step = (high - low) / static_cast<float>(steps);
      result.push_back(way == Way::logarithms ? std::exp(low + step * static_cast<float>(j))
                       : way == Way::power    ? half_pi * std::pow(last, t)
                       : way == Way::power_of_base
                           ? std::pow(2.0F, std::log2(last) * t) * std::numbers::pi_v<float> / 2
                           : half_pi * (1 + (last - 1) * t));
    }
    return result;
  }

  std::vector<double> table(int rows) const {
    std::vector<double> values;
    for (int i = 0; i < rows; ++i) {
      append_halves(2 * (static_cast<float>(i) / 64) - 1, frequencies(), values);
    }
    return values;
  }
};

TEST(FrequenciesBetweenBounds, HonestOnesConformAndTheOthersDoNot) {
  const auto spec = [](const std::string& rule) {
    return R"({"scheme": "sinusoidal", "d_model": 32, "layout": "halves", "first": "pi/2", "last": "10000pi/2",
        "position_scale": "1/32", "position_offset": -1, "frequency": ")" +
           rule + "\"}";
  };
  const auto judge = [](const std::string& keys, const Between& made) {
    return conforms(made_case(keys, Format::binary32, 32, made.table(65)));
  };
  const auto geometric = spec("geometric");
  for (const auto way : {Between::Way::logarithms, Between::Way::power, Between::Way::power_of_base}) {
    EXPECT_TRUE(judge(geometric, {.way = way})) << static_cast<int>(way);
    EXPECT_FALSE(judge(geometric, {.way = way, .steps = 16})) << "the last excluded";
    EXPECT_FALSE(judge(geometric, {.way = way, .last = 9999}));
  }
  EXPECT_FALSE(judge(geometric, {.way = Between::Way::linear}));
  EXPECT_TRUE(judge(spec("linear"), {.way = Between::Way::linear}));
  EXPECT_FALSE(judge(spec("linear"), {.way = Between::Way::linear, .steps = 16}));
}

/// What the frequencies of a spec may be off by in float32, and whether they are used up by an error of so
/// much.
TEST(FrequenciesBetweenBounds, MayBeRotatedByToo) {
  const std::string spec = R"({"scheme": "axial_rope", "head_dim": 64, "grid": [4], "position_scale": "1/32",
      "position_offset": -1, "axes": [
      {"dims": 32, "frequency": "geometric", "first": "pi/2", "last": "10000pi/2"},
      {"dims": 32, "frequency": "geometric", "first": "pi/2", "last": "10000pi/2"}]})";
  const auto table = [](const Between& made) {
    std::vector<double> values;
    for (int i = 0; i < 24; ++i) {
      for (const int position : {i / 4, i % 4}) {
        for (const float w : made.frequencies()) {
          values.push_back(std::cos((2 * (static_cast<float>(position) / 64) - 1) * w));
        }
      }
    }
    return values;
  };
  const auto judge = [&](const Between& made) {
    return conforms(made_case(spec, Format::binary32, 32, table(made), std::nullopt, "cos"));
  };
  EXPECT_TRUE(judge({}));
  EXPECT_FALSE(judge({.steps = 16}));
}

}  // namespace
}  // namespace vernier
