// Tables that were resampled in float32, honestly and with known faults, held to their budget.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/tensors/tensor_of.hpp"
#include "numerics/test/made_relative.hpp"
#include "numerics/test/viewed_tensors.hpp"

namespace vernier {
namespace {

struct Code {
  float a = -0.75F;
  bool align_corners = false;
  bool columns_first = false;  ///< sums the columns of each row first, else the products of weights
};

constexpr int old_side = 7;

float cubic(float x, float a) {
  const float d = std::fabs(x);
  return d < 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

float source(int place, int to, const Code& code) {
  const auto at = static_cast<float>(place);
  const auto size = static_cast<float>(to);
  return code.align_corners ? at * (static_cast<float>(old_side - 1) / (size - 1))
                            : (at + 0.5F) * (static_cast<float>(old_side) / size) - 0.5F;
}

/// PyTorch's upsample_bicubic2d of a table of one column, in float32.
std::vector<double> upsampled(const std::vector<float>& table, int to, const Code& code) {
  std::vector<double> result;
  for (int i = 0; i < to; ++i) {
    for (int j = 0; j < to; ++j) {
      const float y = source(i, to, code);
      const float x = source(j, to, code);
      float sum = 0;
      for (int k = -1; k <= 2; ++k) {
        const int row = static_cast<int>(std::floor(y)) + k;
        const float down = cubic(y - static_cast<float>(row), code.a);
        float in_row = 0;
        for (int l = -1; l <= 2; ++l) {
          const int column = static_cast<int>(std::floor(x)) + l;
          const float across = cubic(x - static_cast<float>(column), code.a);
          const auto at = std::clamp(row, 0, old_side - 1) * old_side + std::clamp(column, 0, old_side - 1);
          const float value = table[static_cast<std::size_t>(at)];
          in_row += code.columns_first ? across * value : down * across * value;
        }
        sum += code.columns_first ? down * in_row : in_row;
      }
      result.push_back(static_cast<double>(sum));
    }
  }
  return result;
}

std::vector<float> trained() {
  std::vector<float> table;
  for (int i = 0; i < old_side * old_side; ++i) {
    table.push_back(static_cast<float>(i * i * 31 % 97 - 48) / 64);
  }
  return table;
}

std::unique_ptr<Encoding> encoding_to(int to, const std::string& keys) {
  OrderedJson spec = OrderedJson::parse(keys);
  spec["scheme"] = "resampled";
  spec["mode"] = "bicubic";
  spec["from"] = {old_side, old_side};
  spec["to"] = {to, to};
  for (const float value : trained()) {
    spec["values"].push_back(OrderedJson::array({value}));
  }
  return parsed(spec.dump());
}

struct Judged {
  std::unique_ptr<Encoding> encoding;
  ExactTensor tensor;
  std::vector<std::int64_t> positions;

  ElementwiseReport report() const { return audit_elements(tensor, {.positions = positions}); }
};

Judged judged(int to, const std::string& keys, const Code& code, Format stored = Format::binary32) {
  auto encoding = encoding_to(to, keys);
  auto values = upsampled(trained(), to, code);
  std::ranges::transform(values, values.begin(), [&](double x) { return round_to(stored, x); });
  const auto table = encoding->all<ExactTable>().at(0);
  const auto rows = values.size();
  return {std::move(encoding),
          {table, tensor_of(stored, {rows, 1}, values), &default_contract(stored)},
          positions_from(0, rows)};
}

TEST(ResampledValues, OfHonestCodeAreWithinTheirBudget) {
  for (const int to : {3, 12, 16}) {
    for (const bool columns_first : {false, true}) {
      for (const auto stored : {Format::binary32, Format::binary16, Format::bfloat16}) {
        const auto report = judged(to, "{}", {.columns_first = columns_first}, stored).report();
        EXPECT_EQ(report.failing + report.inconclusive, 0U) << to;
        const auto aligned = judged(to, R"({"align_corners": true})",
                                    {.align_corners = true, .columns_first = columns_first}, stored)
                                 .report();
        EXPECT_EQ(aligned.failing + aligned.inconclusive, 0U) << to;
      }
    }
  }
}

TEST(ResampledValues, OfAnotherKernelOrOtherCornersFailAndAreNamed) {
  const auto edit = [](const Judged& one) {
    EXPECT_GT(one.report().failing, one.report().judged / 2);
    const auto found = diagnose_values(one.tensor, one.positions, *one.encoding);
    return found.is_explained() ? found.explanations.front().findings.front().edit.dump() : told(found);
  };
  EXPECT_EQ(edit(judged(12, "{}", {.a = -0.5F})), R"([{"op":"add","path":"/a","value":-0.5}])");
  EXPECT_EQ(edit(judged(12, "{}", {.align_corners = true})),
            R"([{"op":"add","path":"/align_corners","value":true}])");
  EXPECT_EQ(edit(judged(12, R"({"align_corners": true})", {})),
            R"([{"op":"add","path":"/align_corners","value":false}])");
}

/// The values of the table by other keys.
Judged with_values_of(Judged one, const std::string& keys) {
  const auto encoding = encoding_to(12, keys);
  const auto table = encoding->all<ExactTable>().at(0);
  std::vector<double> values(one.tensor.rows());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = round_to(Format::binary32, table.computed_entry(static_cast<std::int64_t>(i), 0).estimate);
  }
  one.tensor.tensor = tensor_of(Format::binary32, {values.size(), 1}, values);
  return one;
}

/// With antialias a kernel has another default of a: it is not one key that says so.
TEST(ResampledValues, AnEditThatChangesADefaultSaysWhatStays) {
  const auto one = with_values_of(judged(12, "{}", {}), R"({"border": "left_out"})");
  const auto found = diagnose_values(one.tensor, one.positions, *one.encoding);
  ASSERT_EQ(found.explanations.size(), 2U);
  EXPECT_EQ(sentence_of(found.explanations[0]), "border is left_out, where the spec has none");
  EXPECT_EQ(sentence_of(found.explanations[1]), "antialias is true, not false, and a stays -0.75");
  EXPECT_EQ(found.explanations[1].findings.front().edit.back().dump(),
            R"({"op":"add","path":"/a","value":-0.75})");
}

TEST(ResampledValues, OfRoundedWeightsAreNamed) {
  const auto one = with_values_of(judged(12, "{}", {}), R"({"weights_dtype": "bfloat16"})");
  EXPECT_THAT(told(diagnose_values(one.tensor, one.positions, *one.encoding)),
              testing::HasSubstr("weights_dtype is bfloat16, where the spec has none"));
}

/// A kernel that is a little off puts few elements just beyond their budget: none was overwritten.
TEST(ResampledValues, OfAKernelThatIsALittleOffAreNotDamaged) {
  for (int binade = 8; binade < 20; ++binade) {
    const float a = -0.75F * (1 + std::ldexp(1.0F, -binade));
    for (const int to : {3, 12, 16}) {
      const auto one = judged(to, "{}", {.a = a});
      const auto found = diagnose_values(one.tensor, one.positions, *one.encoding);
      EXPECT_THAT(told(found), testing::Not(testing::HasSubstr("all else is right"))) << a << " " << to;
    }
  }
}

TEST(ResampledValues, ThatAreOffByAShareFail) {
  auto one = judged(12, "{}", {});
  std::vector<double> values(one.tensor.rows());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = one.tensor.tensor.number(i) * (1 + 0x1p-9);
  }
  one.tensor.tensor = tensor_of(Format::binary32, {values.size(), 1}, values);
  EXPECT_GT(one.report().failing, 0U);
}

}  // namespace
}  // namespace vernier
