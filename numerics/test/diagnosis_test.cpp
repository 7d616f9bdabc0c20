// Tables made by an honest recipe for one spec, or with a fault, and declared as another: the diagnosis must
// name the difference, and only then.

#include "numerics/diagnosis/diagnosis.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/told_findings.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using Rows = std::vector<std::vector<double>>;

/// What was asked for, and what was done.
struct TableMaking {
  std::string declared;
  std::string done = "";  ///< else what is declared
  std::vector<std::int64_t> positions = positions_from(0, 500);
  /// The position that a row is computed at.
  std::function<std::int64_t(std::int64_t)> computed = [](std::int64_t p) { return p; };
  Format stored = Format::binary32;
  std::string recipe = "float32-pow";
  /// What becomes of the numbers of a tensor, [rows][columns]; rows may become wider.
  std::function<void(const std::string& role, Rows& rows)> damage = [](const auto&, auto&) {};
};

/// The first table of each role, one column a pair where there are several.
std::map<std::string, NamedTensor, std::less<>> tensors_of(const TableMaking& making) {
  const auto encoding = parsed(making.done.empty() ? making.declared : making.done);
  std::map<std::string, NamedTensor, std::less<>> result;
  for (const auto& table : encoding->plain_tables()) {
    if (result.contains(table.role)) {
      continue;
    }
    const RecipeTable implementation(recipe_named(making.recipe), table, making.stored);
    Rows rows;
    for (const auto position : making.positions) {
      auto& row = rows.emplace_back(table.columns.size());
      implementation.row(making.computed(position), row);
    }
    making.damage(table.role, rows);
    std::vector<double> values;
    for (const auto& row : rows) {
      for (const double value : row) {
        values.push_back(round_to(making.stored, value));
      }
    }
    result.emplace(table.role,
                   NamedTensor{"made", tensor_of(making.stored, {rows.size(), rows.front().size()}, values)});
  }
  return result;
}

Case case_of(const TableMaking& making) {
  auto tensors = tensors_of(making);
  tensors.emplace("positions",
                  NamedTensor{"made", integer_tensor({making.positions.size()}, making.positions)});
  return assemble_case({"a test", "made", "", std::move(tensors), std::nullopt}, parsed(making.declared));
}

Diagnosis diagnosed(const TableMaking& making) {
  auto diagnosis = diagnose_tables(case_of(making), 2);
  for (const auto& explanation : diagnosis.explanations) {
    EXPECT_EQ(explanation.prediction.failing, 0U);
    EXPECT_LE(explanation.prediction.largest_budget_ratio, 1);
  }
  return diagnosis;
}

/// The likeliest explanation as ids, and what it says.
std::string named(const TableMaking& making) {
  return likeliest_with_ids(diagnosed(making));
}

const std::string rope_spec_of_64 = R"({"scheme": "rope", "head_dim": 64})";
const std::string sinusoidal_spec = R"({"scheme": "sinusoidal", "d_model": 64})";
const std::string llama3_spec = R"({"scheme": "rope", "head_dim": 64, "rope_theta": 500000, "rope_scaling":
    {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
     "original_max_position_embeddings": 8192}})";
const std::string yarn_spec = R"({"scheme": "rope", "head_dim": 64, "rope_scaling":
    {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}})";

std::string with(std::string spec, const std::string& from, const std::string& to) {
  const auto at = spec.find(from);
  EXPECT_NE(at, std::string::npos);
  return spec.replace(at, from.size(), to);
}

TEST(Diagnosis, NamesEditsOfTheSpec) {
  EXPECT_EQ(named({.declared = rope_spec_of_64,
                   .done = R"({"scheme": "rope", "head_dim": 64, "rope_theta": 500000})"}),
            "frequency/base the base is 500000, not 10000");
  EXPECT_EQ(named({.declared = rope_spec_of_64,
                   .done = R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10001.5})"}),
            "frequency/base the base is 10001.5, not 10000");
  // 10000^(-i/32) is 1000000^(-i/48) too, which nobody writes.
  EXPECT_EQ(named({.declared = R"({"scheme": "rope", "head_dim": 64, "rope_theta": 1000000})",
                   .done = rope_spec_of_64}),
            "frequency/base the base is 10000, not 1000000");
  EXPECT_THAT(named({.declared = sinusoidal_spec,
                     .done = R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves"})"}),
              HasSubstr("mapping/layout the columns are laid out in halves"));
  EXPECT_THAT(named({.declared = sinusoidal_spec,
                     .done = R"({"scheme": "sinusoidal", "d_model": 64, "order": "cos_sin"})"}),
              HasSubstr("mapping/components"));
  EXPECT_EQ(named({.declared = sinusoidal_spec,
                   .done = R"({"scheme": "sinusoidal", "d_model": 64, "frequency": "tensor2tensor"})"}),
            "frequency/exponent the exponents are i/31, not i/32");
  EXPECT_EQ(
      named({.declared = sinusoidal_spec,
             .done = R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves", "order": "cos_sin"})"}),
      "mapping/layout the columns are laid out in halves, not interleaved, and sine and cosine are "
      "exchanged");
  EXPECT_THAT(named({.declared = sinusoidal_spec,
                     .done = R"({"scheme": "sinusoidal", "d_model": 64, "scale": 1.5})"}),
              HasSubstr("amplitude/factor the amplitude is 1.5"));
}

TEST(Diagnosis, NamesWhatHappenedToAScaling) {
  const auto far = positions_from(0, 3000);
  EXPECT_THAT(named({.declared = llama3_spec,
                     .done = with(llama3_spec, R"("factor": 8)", R"("factor": 1)"),
                     .positions = far}),
              HasSubstr("frequency/scaling-ignored"));
  EXPECT_THAT(named({.declared = llama3_spec,
                     .done = with(llama3_spec, R"("factor": 8)", R"("factor": 32)"),
                     .positions = far}),
              Eq("frequency/scaling-parameter rope_scaling.factor is 32, not 8"));
  EXPECT_THAT(named({.declared = llama3_spec,
                     .done = with(llama3_spec, R"("high_freq_factor": 4)", R"("high_freq_factor": 3.5)"),
                     .positions = far}),
              HasSubstr("high_freq_factor is 3.5, not 4"));
  EXPECT_THAT(named({.declared = yarn_spec,
                     .done = with(yarn_spec, R"("factor": 4)", R"("factor": 4, "attention_factor": 1)"),
                     .positions = far}),
              HasSubstr("amplitude/left-out"));
  EXPECT_THAT(named({.declared = yarn_spec,
                     .done = with(yarn_spec, R"("factor": 4)", R"("factor": 4, "truncate": false)"),
                     .positions = far}),
              HasSubstr("truncate is false, not true"));
}

/// Sines and cosines of frequencies, in place of a table.
auto turning_at(std::function<double(std::size_t pair)> frequency, double amplitude = 1) {
  return [=](const std::string& role, Rows& rows) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t pair = 0; pair < rows[r].size(); ++pair) {
        const double phase = static_cast<double>(r) * frequency(pair);
        rows[r][pair] = amplitude * (role == "cos" ? std::cos(phase) : std::sin(phase));
      }
    }
  };
}

TEST(Diagnosis, NamesAScalingByAnotherFormula) {
  const auto of = [](const std::string& spec) {
    return [frequencies = parsed(spec)->plain_tables().front().frequencies](std::size_t pair) {
      return frequencies.approximate(static_cast<int>(pair));
    };
  };
  const auto found = [](std::function<double(std::size_t pair)> frequency, double amplitude) {
    return all_with_ids(
        diagnosed({.declared = yarn_spec, .damage = turning_at(std::move(frequency), amplitude)}));
  };
  const auto w = of(yarn_spec);
  const auto w0 = of(rope_spec_of_64);
  const double amplitude = 0.1 * std::log(4) + 1;
  const auto twice = [=](std::size_t i) { return w(i) * w(i) / w0(i); };
  EXPECT_THAT(found(twice, amplitude),
              ElementsAre("frequency/scaling-twice the frequencies are scaled twice"));
  EXPECT_THAT(found(twice, amplitude * amplitude),
              ElementsAre("frequency/scaling-twice frequencies and amplitude are scaled twice"));
  EXPECT_THAT(
      found([=](std::size_t i) { return w0(i) + w0(i) / 4 - w(i); }, amplitude),
      ElementsAre(
          "frequency/scaling-variant the ramp is inverted: fast pairs are divided by the factor, slow "
          "ones are not"));
}

TEST(Diagnosis, NamesFrequenciesThatAreMultipliedUp) {
  const float ratio = std::nextafter(std::pow(10000.0F, -1.0F / 64), 1.0F);
  const auto product = [=](std::size_t pair) {
    float w = 1;
    for (std::size_t i = 0; i < pair; ++i) {
      w *= ratio;
    }
    return static_cast<double>(w);
  };
  EXPECT_THAT(
      all_with_ids(
          diagnosed({.declared = R"({"scheme": "rope", "head_dim": 128})", .damage = turning_at(product)})),
      ElementsAre("frequency/iterated each frequency is the one before times a float32 ratio",
                  "frequency/iterated the frequencies are powers of a ratio that is rounded to float32"));
}

TEST(Diagnosis, NamesFrequenciesOfAFactorAndOfTheWidthOfTheHead) {
  EXPECT_THAT(
      all_with_ids(
          diagnosed({.declared = rope_spec_of_64, .damage = turning_at([](std::size_t i) {
                                                    return 3 * std::pow(1e4, -static_cast<double>(i) / 32);
                                                  })})),
      ElementsAre("frequency/factor every frequency is multiplied by 3 (or, the same here, every position)"));
  EXPECT_THAT(
      all_with_ids(diagnosed(
          {.declared = R"({"scheme": "rope", "head_dim": 64, "partial_rotary_factor": 0.5})",
           .damage = turning_at([](std::size_t i) { return std::pow(1e4, -static_cast<double>(i) / 32); })})),
      ElementsAre(
          "frequency/head-dim the exponents divide by head_dim, 64, not by the 32 dimensions that rotate"));
}

/// Tables of integers without their scale, and with one that is too coarse.
TEST(Diagnosis, NamesValuesThatComeInSteps) {
  const auto found = [](double steps) {
    const auto all = diagnose(case_of({.declared = R"({"scheme": "rope", "head_dim": 8})",
                                       .positions = positions_from(0, 100),
                                       .damage =
                                           [=](const auto&, Rows& rows) {
                                             for (auto& row : rows) {
                                               std::ranges::transform(row, row.begin(), [=](double x) {
                                                 return std::nearbyint(x * steps) / steps;
                                               });
                                             }
                                           }}),
                              2);
    return all_with_ids(all.at(0));
  };
  EXPECT_THAT(found(1),
              ElementsAre("storage/integers every element of cos and sin is rounded to whole numbers"));
  EXPECT_THAT(found(127), ElementsAre("storage/steps every element of cos and sin is a multiple of 1/127"));
}

TEST(Diagnosis, NamesTheEncodingOfAnotherModel) {
  const auto far = positions_from(0, 3000);
  EXPECT_EQ(named({.declared = llama3_spec, .done = rope_spec_of_64, .positions = far}),
            "frequency/other-encoding the base is 10000, not 500000, and nothing is scaled");
  EXPECT_THAT(named({.declared = rope_spec_of_64, .done = llama3_spec, .positions = far}),
              AllOf(HasSubstr("frequency/other-encoding the frequencies are those of llama-3.1-8b and "),
                    HasSubstr("base 500000, scaling llama3")));
  EXPECT_THAT(named({.declared = rope_spec_of_64,
                     .done = with(llama3_spec, R"("factor": 8)", R"("factor": 9)"),
                     .positions = far}),
              Not(HasSubstr("other-encoding")));
}

/// Numbers that are fitted together may become what the spec has without them: there are then fewer to fit.
TEST(Diagnosis, FitsTheNumbersOfARuleThatTheSpecLacks) {
  const std::string none = R"({"scheme": "rope", "head_dim": 96, "rope_theta": 500000, "rope_scaling":
      {"rope_type": "default"}})";
  const auto other = with(none, R"({"rope_type": "default"})",
                          R"({"rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 4096})");
  EXPECT_THAT(named({.declared = none, .done = other, .positions = positions_from(0, 64)}),
              HasSubstr("yarn"));
}

TEST(Diagnosis, NamesWhatHappenedToThePositions) {
  const auto at = [](std::function<std::int64_t(std::int64_t)> computed) {
    return named(
        {.declared = rope_spec_of_64, .positions = positions_from(0, 3000), .computed = std::move(computed)});
  };
  EXPECT_THAT(at([](auto p) { return p + 17; }), HasSubstr("position/offset positions are larger by 17"));
  EXPECT_THAT(at([](auto p) { return p % 1000; }), HasSubstr("position/wrapped positions wrap at 1000"));
  EXPECT_THAT(at([](auto p) { return (p + 128) % 256 - 128; }),
              HasSubstr("position/wrapped positions wrap at 128 to -128, as in int8"));
  EXPECT_THAT(at([](auto p) { return std::min<std::int64_t>(p, 2047); }),
              HasSubstr("position/clamped positions beyond 2047"));
  EXPECT_THAT(at([](auto p) { return p < 714 ? p : p + 3; }), HasSubstr("position/jump"));
  EXPECT_THAT(at([](auto p) { return p < 714 || p > 800 ? p : p + 1; }), HasSubstr("position/block"));
  EXPECT_THAT(at([](auto p) { return p / 4 * 4; }), HasSubstr("position/staircase"));
  EXPECT_THAT(at([](auto p) { return 2999 - p; }), HasSubstr("position/reversed"));
  EXPECT_THAT(at([](auto p) { return -p; }), HasSubstr("direction/sign"));
  for (const auto& [told, computed] :
       std::initializer_list<std::pair<std::string, std::int64_t (*)(std::int64_t)>>{
           {"negative positions lose their sign", [](std::int64_t p) { return std::abs(p); }},
           {"negative positions are taken for 0",
            [](std::int64_t p) { return std::max(p, std::int64_t{0}); }}}) {
    EXPECT_EQ(
        named({.declared = rope_spec_of_64, .positions = positions_from(-50, 100), .computed = computed}),
        "position/magnitude " + told);
  }
  EXPECT_THAT(at([](auto p) {
                return static_cast<std::int64_t>(round_to(Format::bfloat16, static_cast<double>(p)));
              }),
              HasSubstr("position/format positions are rounded to bfloat16"));
  // 257, 258 and 259 tell rounding, ties and cutting off apart.
  EXPECT_THAT(
      at([](auto p) {
        return p < 256 ? p : p < 512 ? p / 2 * 2 : p < 1024 ? p / 4 * 4 : p < 2048 ? p / 8 * 8 : p / 16 * 16;
      }),
      HasSubstr("position/format positions are cut off to bfloat16"));
}

TEST(Diagnosis, RoundedPositionsAreNotCutOffToo) {
  const auto rounded = [](std::int64_t p) {
    return static_cast<std::int64_t>(round_to(Format::bfloat16, static_cast<double>(p)));
  };
  const auto diagnosis =
      diagnosed({.declared = rope_spec_of_64, .positions = positions_from(0, 3000), .computed = rounded});
  ASSERT_FALSE(diagnosis.explanations.empty());
  for (const auto& explanation : diagnosis.explanations) {
    EXPECT_THAT(sentence_of(explanation), Not(HasSubstr("cut off")));
  }
}

TEST(Diagnosis, NamesWhatHappenedToTheNumbers) {
  const auto each = [](std::function<double(double)> map, Format stored = Format::binary32) {
    return named({.declared = rope_spec_of_64, .stored = stored, .damage = [&](const auto&, Rows& rows) {
                    for (auto& row : rows) {
                      std::ranges::transform(row, row.begin(), map);
                    }
                  }});
  };
  EXPECT_THAT(each([](double x) { return round_to(Format::bfloat16, x); }), HasSubstr("storage/format"));
  EXPECT_THAT(each([](double x) { return std::clamp(x, -0.9, 0.9); }), HasSubstr("storage/clipped"));
  EXPECT_THAT(each([](double x) { return x * 1.25; }), HasSubstr("amplitude/factor the amplitude is 1.25"));
  EXPECT_THAT(each([](double x) { return std::fabs(x) < 0x1p-14 ? 0 : x; }), HasSubstr("storage/flushed"));
}

TEST(Diagnosis, NamesDamageByItsPlace) {
  const auto damaged = [](std::function<void(const std::string&, Rows&)> damage) {
    return named({.declared = rope_spec_of_64, .damage = std::move(damage)});
  };
  EXPECT_THAT(damaged([](const auto& role, Rows& rows) { rows[33][5] += role == "cos" ? 0.25 : 0; }),
              HasSubstr("damage/element column 5 of row 33 (position 33) of cos is"));
  EXPECT_THAT(damaged([](const auto& role, Rows& rows) {
                rows[33][5] = role == "cos" ? std::numeric_limits<double>::quiet_NaN() : rows[33][5];
              }),
              HasSubstr("damage/non-finite column 5 of row 33 (position 33) of cos is nan"));
  EXPECT_THAT(damaged([](const auto&, Rows& rows) { rows[33] = rows[34]; }),
              HasSubstr("position/rows row 33 (position 33) holds the values of position 34"));
  EXPECT_THAT(damaged([](const auto&, Rows& rows) { std::ranges::fill(rows[33], 0); }),
              HasSubstr("damage/row-zero row 33 of cos and sin is zero"));
  EXPECT_THAT(damaged([](const auto& role, Rows& rows) {
                for (auto& row : rows) {
                  row[3] = role == "sin" ? row[4] : row[3];
                }
              }),
              HasSubstr("frequency/other-pair the sine of pair 3 is that of pair 4"));
}

/// Every column of a row twice. \param place of a copy of a column among `pairs`
template <class Place>
void copy_columns(Rows& rows, const Place& place) {
  for (auto& row : rows) {
    const auto pairs = row.size();
    std::vector<double> wide(2 * pairs);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      for (const std::size_t copy : {0U, 1U}) {
        wide[place(pair, copy, pairs)] = row[pair];
      }
    }
    row = std::move(wide);
  }
}

std::size_t in_halves(std::size_t pair, std::size_t copy, std::size_t pairs) {
  return pair + copy * pairs;
}

std::size_t side_by_side(std::size_t pair, std::size_t copy, std::size_t) {
  return 2 * pair + copy;
}

TEST(Diagnosis, NamesATableThatLiesOtherwiseThanTheOther) {
  const auto cosines = [](const auto& role, Rows& rows) {
    copy_columns(rows, role == "cos" ? in_halves : side_by_side);
  };
  EXPECT_EQ(named({.declared = rope_spec_of_64, .damage = cosines}),
            "mapping/table-layout the columns of sin alone are interleaved, not laid out in halves");
  EXPECT_EQ(
      named({.declared = with(rope_spec_of_64, "64", "64, \"layout\": \"interleaved\""), .damage = cosines}),
      "mapping/table-layout the columns of cos alone are laid out in halves, not interleaved");
  // Another order of one table is none of these.
  EXPECT_THAT(named({.declared = rope_spec_of_64,
                     .damage =
                         [](const auto& role, Rows& rows) {
                           copy_columns(rows, [&](std::size_t pair, std::size_t copy, std::size_t pairs) {
                             return role == "cos" || copy == 0 ? in_halves(pair, copy, pairs)
                                                               : 2 * pairs - 1 - pair;
                           });
                         }}),
              Not(HasSubstr("mapping/")));
}

TEST(Diagnosis, NamesTwoEditsOfDifferentStages) {
  EXPECT_EQ(named({.declared = rope_spec_of_64,
                   .done = R"({"scheme": "rope", "head_dim": 64, "rope_theta": 500000})",
                   .positions = positions_from(0, 1000),
                   .computed = [](auto p) { return p + 1; }}),
            "frequency/base position/offset the base is 500000, not 10000, and positions are larger by 1");
  EXPECT_THAT(named({.declared = sinusoidal_spec,
                     .done = R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves", "base": 500})"}),
              HasSubstr("mapping/layout frequency/base"));
}

TEST(Diagnosis, TellsMeasuredFrequenciesOfGarbage) {
  // A buffer that was never written: every pair turns at a speed of its own.
  const auto diagnosis = diagnosed(
      {.declared = rope_spec_of_64, .damage = turning_at([](std::size_t i) {
                                      return std::fmod(0.37 + 0.61803398875 * static_cast<double>(i), 1);
                                    })});
  ASSERT_TRUE(diagnosis.is_explained());
  EXPECT_EQ(diagnosis.explanations.front().findings.front().kind->id, "frequency/unknown");
  ASSERT_THAT(diagnosis.frequencies, SizeIs(32));
  EXPECT_NEAR(diagnosis.frequencies[1].found, 0.98803398875, 1e-6);
}

/// Positions that wrap let every pair turn a whole number of times in 256 of them: these are no frequencies.
TEST(Diagnosis, TellsNoFrequenciesThatPositionsFeign) {
  const auto wrapped =
      diagnosed({.declared = rope_spec_of_64, .computed = [](std::int64_t p) { return p % 256; }});
  ASSERT_TRUE(wrapped.is_explained());
  EXPECT_EQ(wrapped.explanations.front().findings.front().kind->id, "position/wrapped");
  EXPECT_THAT(wrapped.frequencies, IsEmpty());
}

TEST(Diagnosis, SaysNothingWhereNothingPredicts) {
  const auto noisy =
      diagnosed({.declared = rope_spec_of_64, .damage = [](const std::string& role, Rows& rows) {
                   std::mt19937_64 bits(role.size() + static_cast<std::size_t>(role[0]));
                   for (auto& row : rows) {
                     for (auto& x : row) {
                       x = static_cast<double>(bits() >> 11) * 0x1p-52 - 1;
                     }
                   }
                 }});
  EXPECT_THAT(noisy.explanations, IsEmpty());
  EXPECT_GT(noisy.searched, 50U);
  EXPECT_FALSE(noisy.rest.empty());
}

TEST(Diagnosis, SaysNothingOfHonestTables) {
  for (const auto& spec : {rope_spec_of_64, sinusoidal_spec, llama3_spec, yarn_spec}) {
    for (const auto stored : {Format::binary32, Format::binary16, Format::bfloat16}) {
      for (const auto* recipe : {"float32-pow", "float32-exp-log", "float64-pow"}) {
        const auto found = diagnosed({.declared = spec, .stored = stored, .recipe = recipe});
        EXPECT_THAT(found.explanations, IsEmpty()) << spec << recipe;
        EXPECT_EQ(found.searched, 0U) << spec << recipe;
      }
    }
  }
}

TEST(Diagnosis, SaysNothingWhereLittleIsConclusive) {
  const auto far = diagnosed({.declared = rope_spec_of_64,
                              .positions = positions_from((std::int64_t{1} << 31) - 300, 300),
                              .stored = Format::bfloat16,
                              .damage = [](const auto&, Rows& rows) {
                                std::mt19937_64 random(3);
                                for (auto& row : rows) {
                                  std::ranges::generate(row, [&] { return random() % 2 == 0 ? 1 : -1; });
                                }
                              }});
  EXPECT_THAT(all_with_ids(far), IsEmpty());
}

TEST(Prediction, AgreesWithTheAuditOfTheDeclaredComputation) {
  for (const auto& spec : {rope_spec_of_64, sinusoidal_spec, llama3_spec, yarn_spec}) {
    for (const auto stored : {Format::binary64, Format::binary32, Format::bfloat16}) {
      const TableMaking making{.declared = spec, .stored = stored, .recipe = "float64-pow"};
      auto tensors = tensors_of(making);
      const auto subject =
          assemble_case({"a test", "made", "", std::move(tensors), std::nullopt}, parsed(spec));
      std::uint64_t failing = 0;
      double largest = 0;
      for (const auto& tensor : subject.tensors.all<TableTensor>()) {
        const auto report = audit_tensor(tensor, tensor.table.sines, subject.positions);
        failing += report.failing;
        largest = std::max(largest, report.worst->budget_ratio);
      }
      const auto suspect = Suspect::of_tables(subject);
      const auto prediction = Predictor(suspect, suspect.declared()).compare_all(2);
      EXPECT_EQ(prediction.failing, failing);
      EXPECT_NEAR(prediction.largest_budget_ratio, largest, 0.002);
    }
  }
}

}  // namespace
}  // namespace vernier
