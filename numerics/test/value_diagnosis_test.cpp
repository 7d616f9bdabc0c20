// Faults of tables of values, made and named.

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/test/made_relative.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

using ValueCode = std::function<double(std::int64_t position, std::int64_t column)>;

struct MadeValues {
  std::unique_ptr<Encoding> encoding;
  ExactTensor tensor;
  std::vector<std::int64_t> positions;
};

MadeValues made_values(const std::string& spec, Format stored, std::size_t rows, const ValueCode& code) {
  auto encoding = parsed(spec);
  auto table = encoding->all<ExactTable>().at(0);
  std::vector<double> values;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < table.columns; ++column) {
      values.push_back(
          round_to(stored, code(static_cast<std::int64_t>(row), static_cast<std::int64_t>(column))));
    }
  }
  const Shape shape{rows, table.columns};
  return {std::move(encoding),
          {std::move(table), tensor_of(stored, shape, values), &default_contract(stored)},
          positions_from(0, rows)};
}

Diagnosis diagnosed(const MadeValues& made) {
  return diagnosed_alone(*made.encoding, made.tensor, made.positions);
}

constexpr std::int64_t learned_rows = 40;
constexpr std::int64_t learned_columns = 8;

/// What a learned table might hold, in decimals.
std::int64_t thousandths(std::int64_t position, std::int64_t column) {
  return (position * 7919 + column * 104729 + position * position * 31) % 1999 - 999;
}

double trained_value(std::int64_t position, std::int64_t column) {
  return static_cast<double>(thousandths(position, column)) / 1000;
}

std::string learned() {
  auto rows = OrderedJson::array();
  for (std::int64_t position = 0; position < learned_rows; ++position) {
    auto row = OrderedJson::array();
    for (std::int64_t column = 0; column < learned_columns; ++column) {
      row.push_back(std::to_string(thousandths(position, column)) + "/1000");
    }
    rows.push_back(std::move(row));
  }
  return OrderedJson{{"scheme", "learned"}, {"values", rows}}.dump();
}

const std::string one_hot = R"({"scheme": "one_hot", "num_positions": 30})";
const std::string binary_spec = R"({"scheme": "binary", "bits": 9})";
const std::string normalised_spec = R"({"scheme": "normalised", "length": 300})";
const std::string integer_index = R"({"scheme": "integer_index"})";

double digit(std::int64_t position, std::int64_t column) {
  return static_cast<double>((position >> (8 - column)) & 1);
}
double hot(std::int64_t position, std::int64_t column) {
  return position == column ? 1 : 0;
}

struct ValueFault {
  std::string_view kind;
  std::string spec;
  std::size_t rows;
  ValueCode code;
};

std::vector<ValueFault> value_faults() {
  using Index = std::int64_t;
  const auto all = learned();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {
      {"position/offset", all, 30, [](Index p, Index c) { return trained_value(p + 2, c); }},
      {"position/offset", all, 40,
       [](Index p, Index c) { return trained_value(std::min(p + 1, Index{39}), c); }},
      {"position/offset", all, 40, [](Index p, Index c) { return trained_value((p + 39) % 40, c); }},
      {"position/wrapped", all, 40, [](Index p, Index c) { return trained_value(p % 13, c); }},
      {"position/clamped", all, 40,
       [](Index p, Index c) { return trained_value(std::min(p, Index{25}), c); }},
      {"spec/key", all, 40, [](Index p, Index c) { return trained_value(39 - p, c); }},
      {"position/scaled", all, 20, [](Index p, Index c) { return trained_value(2 * p, c); }},
      {"position/format", integer_index, 600,
       [](Index p, Index) { return round_to(Format::bfloat16, static_cast<double>(p)); }},
      {"position/rows", all, 20, [](Index p, Index c) { return trained_value(p == 7 ? 33 : p, c); }},
      {"mapping/columns", all, 40, [](Index p, Index c) { return trained_value(p, 7 - c); }},
      {"mapping/columns", all, 40, [](Index p, Index c) { return trained_value(p, (c + 4) % 8); }},
      {"amplitude/factor", all, 40, [](Index p, Index c) { return 1.25 * trained_value(p, c); }},
      {"amplitude/factor", all, 40, [](Index p, Index c) { return std::sqrt(8.0) * trained_value(p, c); }},
      {"direction/value-sign", all, 40, [](Index p, Index c) { return -trained_value(p, c); }},
      {"storage/format", all, 40,
       [](Index p, Index c) { return round_to(Format::bfloat16, trained_value(p, c)); }},
      {"storage/truncated", all, 40,
       [](Index p, Index c) {
         const double rounded = round_to(Format::bfloat16, trained_value(p, c));
         return std::fabs(rounded) <= std::fabs(trained_value(p, c)) ? rounded
                : rounded > 0                                        ? next_down(Format::bfloat16, rounded)
                                                                     : next_up(Format::bfloat16, rounded);
       }},
      {"damage/element", all, 40,
       [](Index p, Index c) { return p == 7 && c == 3 ? 5 : trained_value(p, c); }},
      {"damage/non-finite", all, 40,
       [=](Index p, Index c) { return p == 7 && c == 3 ? nan : trained_value(p, c); }},
      {"damage/non-finite", all, 40, [=](Index p, Index c) { return p == 7 ? nan : trained_value(p, c); }},
      {"position/rows", all, 40, [](Index p, Index c) { return trained_value(p == 7 ? 6 : p, c); }},
      {"damage/row-zero", all, 40, [](Index p, Index c) { return p == 1 ? 0 : trained_value(p, c); }},
      {"position/rows", all, 40,
       [](Index p, Index c) {
         return trained_value(p == 7 ? 12 : p == 12 ? 7 : p, c);
       }},
      {"mapping/columns", all, 40, [](Index p, Index c) { return trained_value(p, c == 5 ? 2 : c); }},
      {"damage/column-zero", all, 40, [](Index p, Index c) { return c == 5 ? 0 : trained_value(p, c); }},
      {"mapping/columns", all, 40,
       [](Index p, Index c) {
         return trained_value(p, c == 5 ? 2 : c == 2 ? 5 : c);
       }},
      {"mapping/reading", binary_spec, 300, [](Index p, Index c) { return digit(p, 8 - c); }},
      {"amplitude/digits", binary_spec, 300, [](Index p, Index c) { return 1 - digit(p, c); }},
      {"amplitude/digits", binary_spec, 300, [](Index p, Index c) { return 2 * digit(p, c) - 1; }},
      {"mapping/gray-code", binary_spec, 300, [](Index p, Index c) { return digit(p ^ (p >> 1), c); }},
      {"position/offset", one_hot, 20, [](Index p, Index c) { return hot(p + 1, c); }},
      {"position/offset", one_hot, 30, [](Index p, Index c) { return hot((p + 29) % 30, c); }},
      {"mapping/reading", normalised_spec, 300, [](Index p, Index) { return static_cast<double>(p) / 300; }},
      {"mapping/parameter", normalised_spec, 300,
       [](Index p, Index) { return static_cast<double>(p) / 511; }},
      {"mapping/reading", integer_index, 300, [](Index p, Index) { return static_cast<double>(p + 1); }},
      {"storage/wrapped", integer_index, 300,
       [](Index p, Index) { return static_cast<double>(static_cast<std::int8_t>(p)); }},
  };
}

TEST(ValueDiagnosis, NamesFaults) {
  for (const auto& fault : value_faults()) {
    const auto found = diagnosed(made_values(fault.spec, Format::binary32, fault.rows, fault.code));
    EXPECT_TRUE(is_among(found, fault.kind)) << fault.kind << ", found " << told(found);
  }
}

TEST(ValueDiagnosis, NamesFaultsOfTablesWithSines) {
  const auto code = [](double divisor, std::int64_t offset) {
    return [=](std::int64_t p, std::int64_t c) {
      const auto position = static_cast<double>(p + offset);
      const double phase = position * std::pow(10000.0, -static_cast<double>(c - c % 2) / 16);
      return position / divisor * (c % 2 == 0 ? std::sin(phase) : std::cos(phase));
    };
  };
  const std::string spec = R"({"scheme": "scaled_sinusoid", "d_model": 16, "divisor": 100})";
  EXPECT_FALSE(diagnosed(made_values(spec, Format::binary32, 64, code(100, 0))).searched);
  EXPECT_EQ(named(diagnosed(made_values(spec, Format::binary32, 64, code(100, 1)))), "position/offset");
  EXPECT_EQ(named(diagnosed(made_values(spec, Format::binary32, 64, code(50, 0)))), "mapping/parameter");
  EXPECT_EQ(named(diagnosed(made_values(spec, Format::binary32, 64, code(81, 0)))), "mapping/parameter");
}

TEST(ValueDiagnosis, NamesFaultsOfLogarithmicCoordinates) {
  const std::string spec =
      R"({"scheme": "log_coordinates", "window": [16, 16], "pretrained_window": [8, 8]})";
  const auto found = [&](std::int64_t height, std::int64_t width, double divisor) {
    return diagnosed(made_values(spec, Format::binary32, 31 * 31, [=](std::int64_t p, std::int64_t c) {
      const auto offset = static_cast<double>(c == 0 ? p / 31 - 15 : p % 31 - 15);
      const double scaled = 8 * offset / static_cast<double>((c == 0 ? height : width) - 1);
      return std::copysign(std::log1p(std::fabs(scaled)) / divisor, scaled);
    }));
  };
  const double right = std::log(8.0);
  EXPECT_FALSE(found(8, 8, right).searched);
  EXPECT_EQ(named(found(16, 16, right)), "mapping/parameter");
  EXPECT_EQ(named(found(12, 12, right)), "mapping/parameter");
  EXPECT_EQ(named(found(8, 8, 3)), "amplitude/factor");
  EXPECT_EQ(named(found(8, 8, right * std::log(2.0))), "amplitude/factor");
  EXPECT_FALSE(found(9, 8, right).is_explained());
}

TEST(ValueDiagnosis, NamesTwoFaultsOfDifferentStages) {
  const auto found =
      diagnosed(made_values(learned(), Format::binary32, 30,
                            [](std::int64_t p, std::int64_t c) { return -trained_value(p + 1, c); }));
  EXPECT_EQ(named(found), "position/offset + direction/value-sign") << told(found);
}

TEST(ValueDiagnosis, NamesTheOneNumberOfATable) {
  const auto all = [](double value) { return [=](std::int64_t, std::int64_t) { return value; }; };
  for (const double value : {0.0, 1.0, -2.5}) {
    const auto found = diagnosed(made_values(learned(), Format::binary32, 40, all(value)));
    ASSERT_TRUE(found.is_explained()) << value;
    EXPECT_EQ(found.explanations.front().findings.front().kind->id, "damage/constant") << value;
  }
}

TEST(ValueDiagnosis, SaysWhatAnEditOfTheSpecIs) {
  const auto found = diagnosed(made_values(binary_spec, Format::binary32, 300,
                                           [](std::int64_t p, std::int64_t c) { return digit(p, 8 - c); }));
  ASSERT_EQ(named(found), "mapping/reading") << told(found);
  EXPECT_EQ(found.explanations.front().findings.front().edit.dump(),
            R"([{"op":"add","path":"/bit_order","value":"least_significant_first"}])");
  EXPECT_THAT(found.explanations.front().consequence, HasSubstr("correct is"));
}

TEST(ValueDiagnosis, SaysNothingOfHonestTensors) {
  for (const auto stored : all_formats()) {
    EXPECT_EQ(diagnosed(made_values(learned(), stored, 40, trained_value)).searched, 0U);
    EXPECT_EQ(diagnosed(made_values(binary_spec, stored, 300, digit)).searched, 0U);
    EXPECT_EQ(diagnosed(made_values(one_hot, stored, 30, hot)).searched, 0U);
    const auto share = [](std::int64_t p, std::int64_t) { return static_cast<double>(p) / 299; };
    EXPECT_EQ(diagnosed(made_values(normalised_spec, stored, 300, share)).searched, 0U);
  }
}

TEST(ValueDiagnosis, LeavesGarbageUnexplained) {
  std::mt19937 random(1);
  std::normal_distribution<double> value;
  for (const auto& spec : {learned(), binary_spec, one_hot, normalised_spec}) {
    const auto found = diagnosed(
        made_values(spec, Format::binary32, 30, [&](std::int64_t, std::int64_t) { return value(random); }));
    EXPECT_FALSE(found.is_explained()) << told(found);
    EXPECT_THAT(found.rest, HasSubstr("rows fail"));
  }
}

TEST(ValueDiagnosis, LeavesRowsOfAnotherTrainingUnexplained) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.01);
  const auto found =
      diagnosed(made_values(learned(), Format::binary32, 40, [&](std::int64_t p, std::int64_t c) {
        return trained_value(p, c) + noise(random);
      }));
  EXPECT_FALSE(found.is_explained()) << told(found);
}

RC_GTEST_PROP(ValueDiagnosis, FindsADrawnOffset, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(4, 20);
  const auto offset = *rc::gen::inRange<std::int64_t>(1, 20);
  const auto sign = *rc::gen::element(1, -1);
  const auto found =
      diagnosed(made_values(learned(), Format::binary32, rows, [&](std::int64_t p, std::int64_t c) {
        return sign * trained_value(p + offset, c);
      }));
  RC_LOG() << told(found);
  // Under a sign the rows of far positions are not recognised.
  if (sign == 1 || offset == 1) {
    RC_ASSERT(named(found).starts_with("position/offset"));
  }
}

}  // namespace
}  // namespace vernier
