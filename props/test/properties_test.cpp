// Properties accuse nothing whose elements keep their budgets, however the errors conspire; and they see
// errors of a few times the budgets.

#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "props/judging/property.hpp"
#include "props/judging/property_tally.hpp"
#include "props/properties/bias_view.hpp"
#include "props/properties/turn_view.hpp"
#include "reference/json/json.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {

std::string properties_text();

namespace {

TEST(Properties, EveryTextIsThatOfAProperty) {
  const auto texts = OrderedJson::parse(properties_text());
  for (const auto& [id, text] : texts.items()) {
    const auto* property = property_named(id);
    ASSERT_NE(property, nullptr) << id;
    EXPECT_EQ(text.contains("model"), property->model.has_value()) << id;
    EXPECT_EQ(text.contains("drawn") ? text.at("drawn").size() : 0, property->drawn.size()) << id;
  }
}

std::mt19937_64& bits() {
  static std::mt19937_64 generator(20170612);
  return generator;
}

/// -1, 0 or 1: errors are the worst where they are extreme.
double extreme() {
  return static_cast<double>(bits()() % 3) - 1;
}

PropertyTally judged(const Property& property, const TurnView& view) {
  PropertyTally tally;
  property.turns(view, tally);
  return tally;
}

PropertyTally judged(const Property& property, const BiasView& view) {
  PropertyTally tally;
  property.biases(view, tally);
  return tally;
}

// Turns -----------------------------------------------------------------------------------------------------

struct Errors {
  double phase = 0;
  double element = 0;
  bool is_one_phase = false;  ///< shared by the cosine and the sine of a pair
  double times = 1;           ///< what they are allowed to be
};

/// Three pairs whose turns grow by 3 % a position, keys by the inverse, each position twice.
TurnView turns_with(const Errors& errors) {
  static constexpr std::size_t rows = 60;
  struct Stored {
    std::vector<PairTurn> turns = std::vector<PairTurn>(rows * 3);
  };
  const auto stored = [&](double growth) {
    Stored result;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t pair = 0; pair < 3; ++pair) {
        const auto position = std::floor(static_cast<double>(row) / 2);
        const double phase = position * std::pow(0.3, static_cast<double>(pair));
        const double radius = std::pow(growth, position);
        const double moved = errors.times * errors.phase * extreme();
        const double other = errors.is_one_phase ? moved : errors.times * errors.phase * extreme();
        result.turns[row * 3 + pair] = {
            radius * std::cos(phase + moved) + errors.times * errors.element * radius * extreme(),
            radius * std::sin(phase + other) + errors.times * errors.element * radius * extreme(),
            errors.element * radius, errors.phase, radius};
      }
    }
    return [result](std::size_t row) {
      const auto* first = &result.turns[row * 3];
      return std::vector<std::optional<PairTurn>>(first, first + 3);
    };
  };
  return {.source = "made",
          .rows = rows,
          .axes = {0, 0, 0},
          .distinct_pairs = 3,
          .position = [](std::size_t row, int) { return static_cast<std::int64_t>(row / 2); },
          .position_text = [](std::size_t row, int) { return std::to_string(row / 2); },
          .query = stored(1.03),
          .key = stored(1 / 1.03),
          .is_table = true};
}

TEST(TurnProperties, AccuseNoErrorsWithinTheirBudgets) {
  for (int trial = 0; trial < 60; ++trial) {
    const double size = std::pow(10.0, -static_cast<double>(trial % 12));
    for (const auto& property : {*property_named("offset-only"), *property_named("own-position")}) {
      const auto tally = judged(property, turns_with({.phase = 0.03 * size, .element = 0.01 * size}));
      EXPECT_EQ(tally.failing(), 0U) << property.id << ", " << size;
      EXPECT_GT(tally.judged(), 0U) << property.id << ", " << size;
    }
    for (const auto& property : {*property_named("constant-norm"), *property_named("keys-undo-queries")}) {
      const auto tally =
          judged(property, turns_with({.phase = 0.2, .element = 0.02 * size, .is_one_phase = true}));
      EXPECT_EQ(tally.failing(), 0U) << property.id << ", " << size;
      EXPECT_GT(tally.judged(), 0U) << property.id << ", " << size;
    }
  }
}

/// Positions that are far apart, with no two a power of two apart.
TEST(TurnProperties, FindOffsetsAmongSparsePositions) {
  auto view = turns_with({.element = 1e-6});
  view.position = [](std::size_t row, int) { return static_cast<std::int64_t>(row / 2) * 1000; };
  EXPECT_GT(judged(*property_named("offset-only"), view).judged(), 0U);
}

TEST(TurnProperties, SeeErrorsOfAFewBudgets) {
  for (const auto& property : {*property_named("offset-only"), *property_named("own-position"),
                               *property_named("constant-norm"), *property_named("keys-undo-queries")}) {
    const auto tally = judged(property, turns_with({.element = 1e-6, .times = 4}));
    EXPECT_GT(tally.failing(), 0U) << property.id;
    EXPECT_GT(tally.greatest_budget_ratio(), 1) << property.id;
    EXPECT_FALSE(tally.counterexample().empty()) << property.id;
  }
  EXPECT_GT(judged(*property_named("offset-only"), turns_with({.phase = 1e-6, .times = 6})).failing(), 0U);
}

/// A budget as large as what it bounds proves nothing, whatever is stored.
TEST(TurnProperties, DecideNothingWhereBudgetsAreTooLarge) {
  for (const auto& property : {*property_named("offset-only"), *property_named("own-position"),
                               *property_named("constant-norm"), *property_named("keys-undo-queries")}) {
    const auto tally = judged(property, turns_with({.element = 0.5, .times = 10}));
    EXPECT_EQ(tally.judged(), 0U) << property.id;
    EXPECT_GT(tally.undecided(), 0U) << property.id;
  }
}

/// A table of full width holds each pair twice.
TEST(TurnProperties, SeeTheSecondCopyOfAPair) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 16, "layout": "half"})");
  std::vector<std::int64_t> positions(40);
  std::iota(positions.begin(), positions.end(), 0);
  for (const bool is_damaged : {false, true}) {
    CaseTensors tensors;
    for (const auto& table : encoding->plain_tables()) {
      if (table.columns.size() != 16) {
        continue;
      }
      std::vector<float> values;
      for (const auto position : positions) {
        for (std::size_t column = 0; column < 16; ++column) {
          const auto truth = *correctly_rounded(Format::binary32, table.entry(position, column));
          values.push_back(static_cast<float>(is_damaged && column == 15 ? truth * truth : truth));
        }
      }
      const auto bytes = std::as_bytes(std::span(values));
      tensors.add(TableTensor{table, Tensor(ElementType::float32, {40, 16}, {bytes.begin(), bytes.end()}),
                              contract_named("float32")});
    }
    const auto views = views_of(tensors, {{.positions = positions}, {}, [](auto, std::int64_t place) {
                                            return std::to_string(place);
                                          }});
    const auto turns = turn_views(views);
    ASSERT_EQ(turns.size(), 1U);
    EXPECT_EQ(turns.front().pairs(), 16U);
    EXPECT_EQ(turns.front().distinct_pairs, 8U);
    for (const auto& property : {*property_named("offset-only"), *property_named("constant-norm")}) {
      EXPECT_EQ(judged(property, turns.front()).failing() > 0, is_damaged) << property.id;
    }
  }
}

// Biases ----------------------------------------------------------------------------------------------------

/// Biases of a distance: 8 heads, the last 5 of 40 keys as queries. \param times what their errors are
/// allowed
BiasView biases_with(double relative, double times = 1) {
  BiasView view{.heads = 8, .queries = 5, .keys = {}, .at = {}};
  for (std::int64_t key = 0; key < 40; ++key) {
    view.keys.push_back(key);
  }
  view.seen_queries = spread_indices(view.queries, 8);
  view.seen_keys = spread_indices(view.keys.size(), 64);
  std::vector<Measured> values;
  for (std::size_t i = 0; i < 8 * 5 * 40; ++i) {
    const auto distance = std::abs(static_cast<double>(35 + i / 40 % 5) - static_cast<double>(i % 40));
    const double truth = -std::exp2(-std::floor(static_cast<double>(i) / 200)) * distance;
    const double allowed = relative * std::fabs(truth);
    values.push_back({truth + times * allowed * extreme(), allowed});
  }
  view.at = [values](std::size_t head, std::size_t query, std::size_t key) {
    return values[(head * 5 + query) * 40 + key];
  };
  return view;
}

TEST(BiasProperties, AccuseNoErrorsWithinTheirBudgets) {
  for (int trial = 0; trial < 60; ++trial) {
    const double size = 0.05 * std::pow(10.0, -static_cast<double>(trial % 12));
    for (const auto& property :
         {*property_named("offset-only"), *property_named("bias-line"), *property_named("decay"),
          *property_named("bias-zero"), *property_named("bias-ratio")}) {
      const auto tally = judged(property, biases_with(size));
      EXPECT_EQ(tally.failing(), 0U) << property.id << ", " << size;
      EXPECT_GT(tally.judged(), 0U) << property.id << ", " << size;
    }
  }
}

TEST(BiasProperties, SeeErrorsOfAFewBudgets) {
  for (const auto& property :
       {*property_named("offset-only"), *property_named("bias-line"), *property_named("bias-ratio")}) {
    EXPECT_GT(judged(property, biases_with(1e-6, 6)).failing(), 0U) << property.id;
  }
  EXPECT_GT(judged(*property_named("decay"), biases_with(0.04, 6)).failing(), 0U);
}

// All -------------------------------------------------------------------------------------------------------

TEST(Properties, HaveDistinctIdsSaySomethingAndAreJudged) {
  std::set<std::string_view> ids;
  for (const auto& property : properties()) {
    EXPECT_TRUE(ids.insert(property.id).second) << property.id;
    EXPECT_EQ(property_named(property.id), &property);
    for (const auto text : {property.name, property.statement, property.hypotheses, property.citation,
                            property.counterexample}) {
      EXPECT_FALSE(text.empty()) << property.id;
    }
    EXPECT_TRUE(property.judges_tensors() || !property.drawn.empty() || property.model) << property.id;
  }
}

TEST(SpreadIndices, HoldBothEnds) {
  EXPECT_EQ(spread_indices(5, 9), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(spread_indices(9, 3), (std::vector<std::size_t>{0, 4, 8}));
  EXPECT_TRUE(spread_indices(0, 3).empty());
}

}  // namespace
}  // namespace vernier
