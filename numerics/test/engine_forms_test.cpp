// Tensors in the forms in which engines hold them: a right one is judged as what it holds, a wrong one fails.

#include "numerics/tensors/engine_forms.hpp"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/recipes/under_test.hpp"
#include "numerics/tensors/spec_tensors.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/schemes/guessed_keys.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t engine_rows = 40;
constexpr auto half_rope = R"({"scheme": "rope", "head_dim": 16, "layout": "half"})";

/// Cosines and sines of every position, correctly rounded, each [rows, width].
std::vector<double> table_of(const Encoding& encoding, std::string_view role, std::size_t width) {
  for (const auto& table : encoding.plain_tables()) {
    if (table.role == role && table.columns.size() == width) {
      return values_of(RecipeTable(recipes().front(), table, Format::binary32),
                       positions_from(0, engine_rows));
    }
  }
  return {};
}

Case judged(std::map<std::string, NamedTensor, std::less<>> tensors, const std::string& spec,
            const std::optional<std::string>& contract = std::nullopt) {
  return assemble_case({"a test", "made", "", std::move(tensors), contract}, parsed(spec));
}

std::uint64_t failing_sines(const Case& subject) {
  std::uint64_t failing = 0;
  for (const auto& tensor : subject.tensors.all<TableTensor>()) {
    failing += audit_tensor(tensor, tensor.table.sines, subject.positions).failing;
  }
  return failing;
}

/// cos and sin of a width as the rows of one tensor: halves, or side by side.
std::vector<double> packed(std::size_t width, bool side_by_side) {
  const auto encoding = parsed(half_rope);
  const auto cos = table_of(*encoding, "cos", width);
  const auto sin = table_of(*encoding, "sin", width);
  std::vector<double> values(2 * cos.size());
  for (std::size_t i = 0; i < cos.size(); ++i) {
    const auto at = side_by_side ? 2 * i : i / width * 2 * width + i % width;
    values[at] = cos[i];
    values[side_by_side ? at + 1 : at + width] = sin[i];
  }
  return values;
}

TEST(EngineForms, CosSinCacheHoldsCosinesThenSines) {
  for (const std::size_t width : {8, 16}) {
    auto values = packed(width, false);
    const auto made = [&] {
      return judged(
          {{"cos_sin_cache", {"cache", tensor_of(Format::binary32, {engine_rows, 2 * width}, values)}}},
          half_rope);
    };
    EXPECT_EQ(made().tensors.all<TableTensor>().size(), 2U);
    EXPECT_EQ(failing_sines(made()), 0U) << width;
    values[3] += 0.01;
    EXPECT_EQ(failing_sines(made()), 1U) << width;
    std::swap_ranges(values.begin() + 5 * static_cast<std::ptrdiff_t>(width),
                     values.begin() + 6 * static_cast<std::ptrdiff_t>(width),
                     values.begin() + 6 * static_cast<std::ptrdiff_t>(width));
    EXPECT_GT(failing_sines(made()), 2U) << "cosines and sines of a row are exchanged";
  }
}

TEST(EngineForms, FreqsCisHoldsRealAndImaginaryParts) {
  auto values = packed(8, true);
  const auto made = [&] {
    return judged({{"freqs_cis", {"cis", tensor_of(Format::binary32, {engine_rows, 8, 2}, values)}}},
                  half_rope);
  };
  EXPECT_EQ(failing_sines(made()), 0U);
  values[2 * 8 * 7] = -values[2 * 8 * 7];
  EXPECT_EQ(failing_sines(made()), 1U);
}

/// Each of cos and sin stands twice in a matrix, and each is judged.
TEST(EngineForms, RotationMatricesHoldCosinesAndSinesTwice) {
  const auto encoding = parsed(half_rope);
  const auto cos = table_of(*encoding, "cos", 8);
  const auto sin = table_of(*encoding, "sin", 8);
  std::vector<double> values;
  for (std::size_t i = 0; i < cos.size(); ++i) {
    values.insert(values.end(), {cos[i], -sin[i], sin[i], cos[i]});
  }
  const auto made = [&](Shape leading = {}) {
    leading.insert(leading.end(), {engine_rows, 8, 2, 2});
    return judged({{"rotation_matrices", {"pe", tensor_of(Format::binary32, std::move(leading), values)}}},
                  half_rope);
  };
  EXPECT_EQ(failing_sines(made()), 0U);
  EXPECT_EQ(failing_sines(made({1, 1})), 0U);
  EXPECT_EQ(made().positions.size(), 2 * engine_rows) << "two copies of each row";
  for (std::size_t element = 0; element < 4; ++element) {
    auto& number = values[4 * (8 * 5 + 3) + element];
    number += 0.01;
    EXPECT_EQ(failing_sines(made()), 1U) << "element " << element << " of a matrix";
    number -= 0.01;
  }
}

TEST(EngineForms, RefusesWhatIsNoSuchForm) {
  const auto refused = [](const std::string& role, Shape shape) {
    std::size_t count = 1;
    for (const auto size : shape) {
      count *= size;
    }
    const std::vector<double> zeros(count);
    const NamedTensor cos{
        "c", tensor_of(Format::binary32, {engine_rows, 8}, std::vector<double>(engine_rows * 8))};
    return refusal_of([&] {
      judged({{role, {"x", tensor_of(Format::binary32, std::move(shape), zeros)}}, {"cos", cos}}, half_rope);
    });
  };
  EXPECT_THAT(refused("freqs_cis", {engine_rows, 8}), HasSubstr("freqs_cis: found the shape [40, 8]"));
  EXPECT_THAT(refused("rotation_matrices", {engine_rows, 8, 2}), HasSubstr("[..., T, pairs, 2, 2]"));
  EXPECT_THAT(refused("cos_sin_cache", {engine_rows, 15}), HasSubstr("cosines before sines"));
  EXPECT_THAT(refused("cos_sin_cache", {engine_rows, 16}), HasSubstr("found cos beside it"));
}

std::vector<double> frequencies_of(double base, std::size_t pairs) {
  std::vector<double> result(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    result[i] = std::pow(base, -static_cast<double>(i) / static_cast<double>(pairs));
  }
  return result;
}

std::uint64_t failing_frequencies(const std::vector<double>& values, Format stored, const std::string& spec,
                                  const std::optional<std::string>& contract = std::nullopt) {
  const auto made = judged({{"inv_freq", {"f", tensor_of(stored, {values.size()}, values)}}}, spec, contract);
  return audit_elements(made.tensors.all<BiasTensor>().front(), {}).failing;
}

TEST(EngineForms, InvFreqIsJudgedByItsContractWhateverItsType) {
  const auto right = frequencies_of(10000, 8);
  for (const auto stored : {Format::binary64, Format::binary32, Format::bfloat16, Format::binary16}) {
    const bool is_narrow = traits(stored).precision < traits(Format::binary32).precision;
    EXPECT_EQ(failing_frequencies(right, stored, half_rope) > 0, is_narrow) << traits(stored).name;
    EXPECT_EQ(failing_frequencies(right, stored, half_rope, "correctly-rounded"), 0U) << traits(stored).name;
    EXPECT_GE(failing_frequencies(frequencies_of(20000, 8), stored, half_rope), 6U) << traits(stored).name;
  }
  auto rounded = right;
  std::ranges::transform(rounded, rounded.begin(), [](double x) { return round_to(Format::bfloat16, x); });
  EXPECT_GE(failing_frequencies(rounded, Format::binary32, half_rope), 4U);
  const auto scaled =
      R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "linear", "factor": 4}})";
  EXPECT_EQ(failing_frequencies(right, Format::binary32, scaled), 8U);
  auto divided = right;
  std::ranges::transform(divided, divided.begin(), [](double x) { return x / 4; });
  EXPECT_EQ(failing_frequencies(divided, Format::binary32, scaled), 0U);
  EXPECT_THAT(refusal_of([&] { failing_frequencies(frequencies_of(10000, 4), Format::binary32, half_rope); }),
              HasSubstr("inv_freq: found the shape [4], expected [8]"));
}

/// What a wrong buffer is found to hold.
TEST(EngineForms, FaultsOfInvFreqAreNamed) {
  const auto named = [](const std::vector<double>& values) {
    const auto made =
        judged({{"inv_freq", {"f", tensor_of(Format::binary32, {values.size()}, values)}}}, half_rope);
    const auto found = diagnose(made, 1);
    return found.empty() || found.front().explanations.empty()
               ? std::string()
               : found.front().explanations.front().findings.front().sentence;
  };
  auto values = frequencies_of(10000, 8);
  EXPECT_EQ(named(values), "");
  EXPECT_THAT(named(frequencies_of(500000, 8)), HasSubstr("500000, not 10000"));
  for (const auto format : {Format::bfloat16, Format::binary16}) {
    auto rounded = values;
    std::ranges::transform(rounded, rounded.begin(), [&](double x) { return round_to(format, x); });
    EXPECT_EQ(named(rounded), "the frequencies are rounded to " + std::string(traits(format).name));
  }
}

TEST(EngineForms, AScaleOfOneColumnMayHaveOneDimension) {
  const auto spec = R"({"scheme": "query_scale", "rule": "floor_log", "floor_scale": 8192})";
  const std::vector<double> ones(engine_rows, 1);
  const auto made = judged({{"scale", {"s", tensor_of(Format::binary32, {engine_rows}, ones)}}}, spec);
  EXPECT_EQ(made.tensors.all<ExactTensor>().front().rows(), engine_rows);
}

TEST(EngineForms, TablesOfHeadsAreReadAsRowsOfAllHeads) {
  const auto spec = R"({"scheme": "axial_rope", "arrangement": "mixed", "head_dim": 4,
                        "frequencies": [[[1, 0.5], [0.25, 2]], [[0.5, 1], [3, 0.125]]]})";
  const std::vector<std::vector<double>> frequencies{{1, 0.5, 0.25, 2}, {0.5, 1, 3, 0.125}};
  constexpr std::size_t count = 6;
  std::vector<double> by_head(2 * count * 2);
  std::vector<double> positions(2 * count);
  for (std::size_t row = 0; row < count; ++row) {
    positions[row] = static_cast<double>(row);
    positions[count + row] = static_cast<double>(2 * row + 1);
    for (std::size_t pair = 0; pair < 4; ++pair) {
      const auto phase =
          positions[row] * frequencies[0][pair] + positions[count + row] * frequencies[1][pair];
      by_head[(pair / 2 * count + row) * 2 + pair % 2] = std::cos(phase);
    }
  }
  const auto failing = [&] {
    const auto made = judged({{"cos", {"c", tensor_of(Format::binary32, {2, count, 2}, by_head)}},
                              {"positions", {"p", tensor_of(Format::binary64, {2, count}, positions)}}},
                             spec);
    return audit_elements(made.tensors.all<TableTensor>().front(), made.rows()).failing;
  };
  EXPECT_EQ(failing(), 0U);
  by_head[7] += 0.1;
  EXPECT_EQ(failing(), 1U);
}

TEST(EngineForms, PositionsMayLeaveOutTheRowsOfZeros) {
  const auto spec = R"({"scheme": "sinusoidal", "base": 100, "zero_prefix": 2, "grid": [3],
                        "axes": [{"dims": 2}, {"dims": 2}]})";
  constexpr std::size_t count = 6;
  std::vector<double> values(4 * (count + 2));
  std::vector<double> positions(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    positions[i] = static_cast<double>(i / 3);
    positions[count + i] = static_cast<double>(i % 3);
    for (std::size_t column = 0; column < 4; ++column) {
      const auto p = positions[column / 2 * count + i];
      values[4 * (i + 2) + column] = column % 2 == 0 ? std::sin(p) : std::cos(p);
    }
  }
  const auto failing = [&] {
    const auto made = judged({{"encoding", {"e", tensor_of(Format::binary32, {count + 2, 4}, values)}},
                              {"positions", {"p", tensor_of(Format::binary64, {2, count}, positions)}}},
                             spec);
    return audit_elements(made.tensors.all<TableTensor>().front(), made.rows()).failing;
  };
  EXPECT_EQ(failing(), 0U);
  values[1] = 0.5;
  EXPECT_EQ(failing(), 1U);
}

TEST(SpecTensors, StandForTheirNumbers) {
  const TemporaryFolder folder;
  const std::vector<double> values{0.1, 2, -0.5, 3e-7};
  folder.write("f.npy", npy_bytes(tensor_of(Format::binary32, {2, 2}, values)));
  const auto read = [&](const std::string& name) {
    return with_tensors_read(
        parse_json(R"({"scheme": "fourier_features", "frequencies": ")" + name + "\"}", "spec"),
        folder.path(), "spec");
  };
  const auto spec = read("f.npy");
  const auto encoding = parse_spec(ObjectReader(spec, "spec", ""));
  const auto tables = encoding->all<TurnedTable>();
  ASSERT_FALSE(tables.empty());
  for (int pair = 0; pair < 2; ++pair) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto wanted =
          exact_rational(round_to(Format::binary32, values[2 * axis + static_cast<std::size_t>(pair)]));
      const auto& of_all = tables.front().sines.frequencies;
      EXPECT_EQ(of_all.exact(static_cast<int>(2 * axis) + pair)->factor, wanted);
    }
  }
  EXPECT_THAT(refusal_of([&] { read("missing.npy"); }), HasSubstr("missing.npy"));
}

}  // namespace
}  // namespace vernier
