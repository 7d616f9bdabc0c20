// Tables made by recipes, honest and broken in one place, judged as the command judges them.

#include "reports/verdict/validate.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The sentences of the explanations, the likeliest first.
std::vector<std::string> explanations_of(const Verdict& verdict) {
  std::vector<std::string> sentences;
  for (const auto& diagnosis : verdict.diagnosis) {
    for (const auto& explanation : diagnosis.explanations) {
      sentences.push_back(sentence_of(explanation));
    }
  }
  return sentences;
}

/// Changes the values of one tensor: [rows, columns].
using ValueDamage = std::function<void(std::vector<double>& values, std::size_t columns)>;

struct Making {
  std::string recipe = "float32-pow";
  Format stored = Format::binary32;
  std::string contract = "float32";
  std::vector<std::int64_t> positions = positions_from(0, 200);
  std::string damaged_role = {};
  ValueDamage damage = {};
};

Case made(std::unique_ptr<Encoding> encoding, const std::vector<TrigTable>& tables, const Making& making) {
  Case result{"made", "a test", std::move(encoding), making.positions, {}, {}};
  for (const auto& table : tables) {
    const RecipeTable implementation(recipe_named(making.recipe), table, making.stored);
    auto values = values_of(implementation, making.positions);
    if (table.role == making.damaged_role) {
      making.damage(values, table.columns.size());
    }
    result.tensors.all<TableTensor>().push_back(
        {table, tensor_of(making.stored, {making.positions.size(), table.columns.size()}, values),
         contract_named(making.contract)});
  }
  return result;
}

Case made_rope(const Making& making = {}) {
  auto encoding = std::make_unique<RopeEncoding>(RopeSpec{.head_dim = 32});
  const std::vector tables{encoding->parameters().table(Component::cosine),
                           encoding->parameters().table(Component::sine)};
  return made(std::move(encoding), tables, making);
}

Case made_sinusoidal(const SinusoidalSpec& spec, const Making& making = {}) {
  auto encoding = std::make_unique<SinusoidalEncoding>(spec);
  const auto tables = encoding->plain_tables();
  return made(std::move(encoding), tables, making);
}

std::string failing_checks(const Verdict& verdict) {
  std::string ids;
  for (const auto& check : verdict.checks) {
    if (check.status == Status::fail) {
      ids += (ids.empty() ? "" : " ") + check.id;
    }
  }
  return ids;
}

const Check& check_of(const Verdict& verdict, std::string_view id) {
  for (const auto& check : verdict.checks) {
    if (check.id == id) {
      return check;
    }
  }
  ADD_FAILURE() << "no check " << id;
  return verdict.checks.front();
}

TEST(Validate, HonestTablesConform) {
  for (const auto& recipe : recipes()) {
    for (const auto stored : storage_formats(recipe)) {
      // 16-bit arithmetic proves nothing of larger positions.
      const bool narrow = recipe.narrowed() || traits(recipe.compute()).bits == 16;
      const Making making{std::string(recipe.id),
                          stored,
                          std::string(recipe.contract),
                          narrow ? positions_from(-1, 3) : positions_from(-20, 240),
                          "",
                          {}};
      for (const auto& verdict :
           {validate(made_rope(making), ""),
            validate(made_sinusoidal({.d_model = 31, .scale = Rational(7, 3)}, making), "")}) {
        EXPECT_EQ(outcome(verdict), Conclusion::conforms)
            << recipe.id << " stored as " << traits(stored).name << ": " << summary(verdict);
      }
    }
  }
}

TEST(Validate, DuplicatedColumnsAreJudgedToo) {
  auto encoding =
      std::make_unique<RopeEncoding>(RopeSpec{.head_dim = 16, .partial_rotary_factor = Rational(1, 2)});
  std::vector<TrigTable> wide;
  for (const auto& table : encoding->plain_tables()) {
    if (table.columns.size() == 8) {
      wide.push_back(table);
    }
  }
  const auto verdict = validate(made(std::move(encoding), wide, {}), "");
  EXPECT_EQ(outcome(verdict), Conclusion::conforms);
  EXPECT_EQ(check_of(verdict, "property/rope/constant-norm").counts.elements, 200U * 8);
}

TEST(Validate, OneWrongElementIsFoundAndExplained) {
  const auto verdict = validate(
      made_rope({.damaged_role = "sin",
                 .damage = [](auto& values, std::size_t columns) { values[17 * columns + 3] = 0.5; }}),
      "again");
  EXPECT_EQ(failing_checks(verdict),
            "accuracy/sin trigonometry/sin property/rope/offset-only property/rope/constant-norm");
  const auto& check = check_of(verdict, "accuracy/sin");
  EXPECT_EQ(check.counts.failing, 1U);
  ASSERT_TRUE(check.first_failing);
  EXPECT_EQ(check.first_failing->position, 17);
  EXPECT_EQ(check.first_failing->column, 3U);
  EXPECT_EQ(check.first_failing->meaning.pair, 3);
  EXPECT_EQ(check.first_failing->got, 0.5);
  // sin(17 * 10000^(-3/16)) = sin(3.0230...)
  EXPECT_NEAR(std::stod(check.first_failing->truth), std::sin(17 * std::pow(10000.0, -3.0 / 16)), 1e-12);
  EXPECT_EQ(outcome(verdict), Conclusion::does_not_conform);
  EXPECT_THAT(explanations_of(verdict), ElementsAre(HasSubstr("column 3 of row 17 (position 17) of sin")));
  EXPECT_THAT(render_full_text(verdict),
              AllOf(HasSubstr("FAIL  accuracy/sin"), HasSubstr("position 17, row 17, column 3"),
                    HasSubstr("0.5 = 0x1p-1 = 0x3f000000"), HasSubstr("reproduce: again")));
}

/// Tables that are right, and vectors that are rotated as at other positions.
CaseInput vectors_beside_tables(std::int64_t off) {
  constexpr int pairs = 8;
  constexpr std::size_t rows = 64;
  std::array<std::vector<double>, 4> values;  // cosines, sines, vectors in and out
  for (std::size_t row = 0; row < rows; ++row) {
    for (int pair = 0; pair < pairs; ++pair) {
      const double w = std::pow(10000.0, -pair / static_cast<double>(pairs));
      const auto p = static_cast<double>(row);
      values[0].push_back(std::cos(p * w));
      values[1].push_back(std::sin(p * w));
      values[2].insert(values[2].end(), {1, 0});
      const double turned = (p + static_cast<double>(off)) * w;
      values[3].insert(values[3].end(), {std::cos(turned), std::sin(turned)});
    }
  }
  CaseInput parts{"case.json", "made", "", {}, std::nullopt};
  const std::array roles{"cos", "sin", "input", "rotated"};
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const Shape shape{rows, values[i].size() / rows};
    parts.tensors.emplace(roles[i], NamedTensor{roles[i], tensor_of(Format::binary32, shape, values[i])});
  }
  return parts;
}

/// position_offset would make the vectors conform and the tables not.
TEST(Validate, ASpecThatTensorsRefuteIsNotAdvised) {
  constexpr auto spec = R"({"scheme": "rope", "head_dim": 16, "layout": "interleaved"})";
  const auto edit_of = [&](CaseInput parts) {
    const auto verdict = validate(assemble_case(std::move(parts), parsed(spec)), "");
    EXPECT_THAT(explanations_of(verdict), ElementsAre(HasSubstr("positions are larger by 1")));
    return verdict.diagnosis.front().explanations.front().findings.front().edit;
  };
  auto alone = vectors_beside_tables(1);
  alone.tensors.erase("cos");
  alone.tensors.erase("sin");
  EXPECT_FALSE(edit_of(std::move(alone)).is_null());
  EXPECT_TRUE(edit_of(vectors_beside_tables(1)).is_null());
}

/// What nothing explains fails as a whole; what the nearest computation leaves is told as that.
TEST(Validate, WhatTheNearestComputationLeavesIsToldAsThat) {
  const auto verdict = validate(made_rope({.damaged_role = "sin",
                                           .damage =
                                               [](auto& values, std::size_t) {
                                                 // The other sign, and seven elements are off.
                                                 for (std::size_t i = 0; i < values.size(); ++i) {
                                                   values[i] = -values[i] + (i % 457 == 5 ? 0.3 : 0);
                                                 }
                                               }}),
                                "");
  ASSERT_EQ(verdict.diagnosis.size(), 1U);
  const auto& diagnosis = verdict.diagnosis.front();
  ASSERT_FALSE(diagnosis.is_explained());
  ASSERT_FALSE(diagnosis.partial.empty());
  EXPECT_THAT(diagnosis.rest, testing::StartsWith("With that, "));
}

/// The box of two wrong elements far from each other, whose rows are audited apart; none where nothing fails.
TEST(Validate, ABoxHoldsAllThatFails) {
  Making making{.positions = positions_from(-100, 5000), .damaged_role = "cos"};
  making.damage = [](std::vector<double>& values, std::size_t columns) {
    values[20 * columns + 9] += 0.5;
    values[4700 * columns + 3] = std::numeric_limits<double>::quiet_NaN();
  };
  const auto verdict = validate(made_rope(making), "", {.reasons = false});
  for (const auto* id : {"accuracy/cos", "finite/cos"}) {
    const auto& extent = check_of(verdict, id).failing_extent;
    ASSERT_TRUE(extent) << id;
    EXPECT_EQ(extent->positions.least, -80);
    EXPECT_EQ(extent->positions.greatest, 4600);
    EXPECT_EQ(extent->columns.least, 3);
    EXPECT_EQ(extent->pairs.greatest, 9);
  }
  EXPECT_FALSE(check_of(verdict, "accuracy/sin").failing_extent);
}

TEST(Validate, NonFiniteElementsFailAccuracyToo) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto verdict = validate(
        made_rope({.damaged_role = "cos", .damage = [bad](auto& values, auto) { values[100] = bad; }}), "");
    EXPECT_EQ(failing_checks(verdict), "accuracy/cos finite/cos property/rope/constant-norm");
    EXPECT_EQ(check_of(verdict, "finite/cos").counts.failing, 1U);
    EXPECT_TRUE(nlohmann::json::accept(json_output().render(verdict)));
  }
}

TEST(Validate, ACopiedRowIsNamed) {
  const ValueDamage copy_row = [](auto& values, std::size_t columns) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(40 * columns), columns,
                values.begin() + static_cast<std::ptrdiff_t>(41 * columns));
  };
  const auto verdict =
      validate(made_sinusoidal({.d_model = 16}, {.damaged_role = "encoding", .damage = copy_row}), "");
  EXPECT_EQ(failing_checks(verdict),
            "accuracy/encoding trigonometry/encoding property/sinusoidal/unique "
            "property/sinusoidal/offset-only");
  EXPECT_THAT(check_of(verdict, "property/sinusoidal/unique").reason,
              HasSubstr("row 41 (position 41) repeats row 40 (position 40)"));
}

TEST(Validate, CosinesOfOppositePositionsMayRepeat) {
  auto encoding = std::make_unique<RopeEncoding>(RopeSpec{.head_dim = 32});
  const std::vector tables{encoding->parameters().table(Component::cosine)};
  const auto verdict =
      validate(made(std::move(encoding), tables, {.positions = positions_from(-50, 101)}), "");
  EXPECT_EQ(outcome(verdict), Conclusion::conforms);
  EXPECT_THAT(check_of(verdict, "property/rope/unique").reason, HasSubstr("50 rows repeat another"));
  EXPECT_EQ(check_of(verdict, "property/rope/constant-norm").status, Status::skipped);
}

TEST(Validate, RowsRepeatWhereTheComputeFormatHasNoSuchPosition) {
  const auto verdict = validate(made_rope({.recipe = "bfloat16-throughout",
                                           .stored = Format::bfloat16,
                                           .contract = "bfloat16",
                                           .positions = positions_from(256, 8)}),
                                "");
  EXPECT_EQ(check_of(verdict, "property/rope/unique").status, Status::pass);
  EXPECT_THAT(check_of(verdict, "property/rope/unique").reason, HasSubstr("cannot tell apart"));
}

TEST(Validate, BudgetsThatProveNothingAreInconclusive) {
  const auto verdict = validate(made_rope({.positions = positions_from(1 << 24, 64)}), "");
  EXPECT_EQ(outcome(verdict), Conclusion::inconclusive);
  EXPECT_EQ(exit_code(verdict), 4);
  const auto& counts = check_of(verdict, "accuracy/cos").counts;
  EXPECT_GT(counts.inconclusive, 0U);
  EXPECT_EQ(counts.judged + counts.inconclusive, counts.elements);
}

TEST(Validate, AFactorLeavesTheCircleAndIsNamed) {
  const auto verdict =
      validate(made_sinusoidal({.d_model = 16}, {.damaged_role = "encoding",
                                                 .damage =
                                                     [](auto& values, auto) {
                                                       for (auto& value : values) {
                                                         value = round_to(Format::binary32, 1.25 * value);
                                                       }
                                                     }}),
               "");
  EXPECT_EQ(failing_checks(verdict), "accuracy/encoding property/sinusoidal/constant-norm");
  EXPECT_THAT(explanations_of(verdict), ElementsAre("the amplitude is 1.25, not 1"));
}

TEST(Validate, AWrongPhaseStaysOnTheCircle) {
  const auto verdict = validate(made_rope({.contract = "correctly-rounded"}), "");
  EXPECT_EQ(check_of(verdict, "accuracy/cos").status, Status::fail);
  auto shifted = made_rope({.positions = positions_from(1, 200)});
  shifted.positions = positions_from(0, 200);
  const auto wrong = validate(shifted, "");
  EXPECT_EQ(failing_checks(wrong), "accuracy/cos accuracy/sin");
  EXPECT_THAT(explanations_of(wrong), ElementsAre("positions are larger by 1"));
}

TEST(Validate, ThePaddingRowIsZero) {
  const SinusoidalSpec spec{.d_model = 8, .padding_idx = 1};
  EXPECT_EQ(check_of(validate(made_sinusoidal(spec), ""), "property/sinusoidal/padding-row").status,
            Status::pass);
  const auto verdict = validate(
      made_sinusoidal(
          spec, {.damaged_role = "encoding", .damage = [](auto& values, auto) { values[8 + 5] = 0.25; }}),
      "");
  EXPECT_EQ(failing_checks(verdict), "accuracy/encoding property/sinusoidal/padding-row");
  EXPECT_EQ(check_of(validate(made_sinusoidal(spec, {.positions = positions_from(5, 9)}), ""),
                     "property/sinusoidal/padding-row")
                .status,
            Status::skipped);
}

TEST(Validate, NothingJudgedIsNoPass) {
  const Case subject{"made", "", std::make_unique<RopeEncoding>(RopeSpec{.head_dim = 8}), {}, {}};
  const auto verdict = validate(subject, "");
  EXPECT_EQ(outcome(verdict), Conclusion::nothing_checked);
  EXPECT_TRUE(nlohmann::json::accept(json_output().render(verdict)));
}

TEST(Document, IsTheSameBytesEachTimeAndHoldsWhatItPromises) {
  const auto first = json_output().render(validate(made_rope(), "vernier validate x.json"));
  EXPECT_EQ(first, json_output().render(validate(made_rope(), "vernier validate x.json")));
  const auto document = nlohmann::json::parse(first);
  EXPECT_EQ(document.at("vernier_verdict"), 2);
  EXPECT_EQ(document.at("verdict"), "conforms");
  EXPECT_EQ(document.at("exit_code"), 0);
  EXPECT_EQ(document.at("spec").at("head_dim"), 32);
  EXPECT_EQ(document.at("reproduce"), "vernier validate x.json");
  const auto& accuracy = document.at("checks").at(0);
  EXPECT_EQ(accuracy.at("id"), "accuracy/cos");
  EXPECT_EQ(accuracy.at("counts").at("judged"), 200 * 16);
  EXPECT_GT(accuracy.at("worst").at("budget_ratio"), 0);
  EXPECT_LT(accuracy.at("worst").at("budget_ratio"), 1);
  EXPECT_EQ(accuracy.at("statistics").at("ulp").at("percentiles_at_most").size(), 4U);
}

TEST(Text, OfAPassIsShort) {
  const auto text = render_text(validate(made_rope(), ""));
  EXPECT_LE(std::ranges::count(text, '\n'), 4);
  EXPECT_THAT(text, HasSubstr("made: conforms"));
}

TEST(Text, ShowsNoControlCharactersOfThirdParties) {
  auto verdict = validate(made_rope(), "");
  verdict.name = "\x1b[2Jcleared\n";
  EXPECT_EQ(render_text(verdict).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace vernier
