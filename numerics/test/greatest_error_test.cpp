// Searches that pass over most elements find what a look at every element finds.

#include "numerics/searches/greatest_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/cost/attention_row.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/searches/phase_turns.hpp"
#include "numerics/searches/repeated_rows.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

constexpr std::int64_t position_count = 3000;

TrigTable table_of(const std::string& parameters) {
  return joint_table(*parsed(R"({"scheme": "rope", )" + parameters + "}"));
}

const std::vector<std::string>& searched_specs() {
  static const std::vector<std::string> all{
      R"("head_dim": 16)",
      R"("head_dim": 32, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3", "factor": 8,
         "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192})",
      R"("head_dim": 16, "rope_theta": 150000, "rope_scaling": {"rope_type": "yarn", "factor": 32,
         "original_max_position_embeddings": 4096, "truncate": false})",
      R"("head_dim": 16, "partial_rotary_factor": 0.5, "rope_scaling": {"rope_type": "proportional"})"};
  return all;
}

constexpr std::array thresholds{1e-12, 1e-5, 1e-3, 0.0039, 0.5};

struct Plain {
  double greatest = 0;
  std::array<std::optional<std::int64_t>, thresholds.size()> first_beyond;  ///< each threshold
};

/// The truth of every element, row by row.
std::vector<Enclosure> every_element(const TrigTable& table) {
  CertifiedTable truth(table);
  std::vector<Enclosure> result(static_cast<std::size_t>(position_count) * table.columns.size());
  for (std::int64_t position = 0; position < position_count; ++position) {
    truth.row(position, std::span(result).subspan(static_cast<std::size_t>(position) * table.columns.size(),
                                                  table.columns.size()));
  }
  return result;
}

/// Every element against certified truth.
Plain look_at_all(const std::vector<Enclosure>& truth, const RecipeTable& computed) {
  std::vector<double> got(computed.columns());
  Plain result;
  for (std::int64_t position = 0; position < position_count; ++position) {
    computed.row(position, got);
    double greatest = 0;
    for (std::size_t c = 0; c < got.size(); ++c) {
      const auto& expected = truth[static_cast<std::size_t>(position) * got.size() + c];
      greatest = std::max(greatest, std::fabs((DoubleDouble{got[c], 0} - expected.middle).high));
    }
    result.greatest = std::max(result.greatest, greatest);
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      if (greatest > thresholds[i] && !result.first_beyond[i]) {
        result.first_beyond[i] = position;
      }
    }
  }
  return result;
}

TEST(ErrorSearch, FindsWhatALookAtEveryElementFinds) {
  for (const auto& spec : searched_specs()) {
    const auto table = table_of(spec);
    const auto truth = every_element(table);
    for (const auto& recipe : recipes()) {
      for (const auto stored : storage_formats(recipe)) {
        const auto plain = look_at_all(truth, RecipeTable(recipe, table, stored));
        const ErrorSearch search(recipe, table, stored, position_count);
        const auto greatest = search.greatest();
        for (std::size_t i = 0; i < thresholds.size(); ++i) {
          EXPECT_EQ(search.first_beyond(thresholds[i]), plain.first_beyond[i])
              << spec << ", " << recipe.id << ", " << traits(stored).name << ", " << thresholds[i];
        }
        if (greatest.saturated) {
          EXPECT_GT(plain.greatest, 1.99);
        } else {
          EXPECT_LE(greatest.error, plain.greatest * (1 + 1e-12)) << spec << ", " << recipe.id;
          EXPECT_GE(greatest.bound, plain.greatest) << spec << ", " << recipe.id;
          EXPECT_LT(greatest.bound, 1.001 * greatest.error + 0x1p-46) << spec << ", " << recipe.id;
        }
      }
    }
  }
}

TEST(ErrorSearch, ReportsPhasesThatOverflow) {
  const auto& recipe = *std::ranges::find(recipes(), "float16-position", &Recipe::id);
  const auto table = table_of(R"("head_dim": 8)");
  EXPECT_TRUE(ErrorSearch(recipe, table, Format::binary32, 70000).greatest().not_finite);
  EXPECT_FALSE(ErrorSearch(recipe, table, Format::binary32, 60000).greatest().not_finite);
}

TEST(PhaseTurns, AreAsGoodAsTheySay) {
  const auto table = table_of(R"("head_dim": 64, "rope_theta": 500000)");
  const WorkingPrecision precision(192);
  for (const int pair : {0, 1, 13, 31}) {
    const PhaseTurns turns(table.frequencies.at(pair));
    for (const std::int64_t position : {0L, 1L, 12345L, 10485759L, -largest_position, largest_position}) {
      const auto point = turns.at(position);
      const auto off = [&](double value, Component component) {
        return greatest_magnitude(Interval(table.value(position, pair, component)() - enclose(value)));
      };
      EXPECT_LE(off(point.sine, Component::sine), PhaseTurns::error) << position << ", pair " << pair;
      EXPECT_LE(off(point.cosine, Component::cosine), PhaseTurns::error) << position << ", pair " << pair;
    }
  }
}

/// Every row against all rows before it.
RepeatedRows compare_all(const RecipeTable& computed, std::int64_t rows) {
  std::map<std::vector<double>, std::int64_t> seen;
  RepeatedRows result;
  std::vector<double> row(computed.columns());
  for (std::int64_t position = 0; position < rows; ++position) {
    computed.row(position, row);
    if (!seen.emplace(row, position).second) {
      ++result.count;
      result.first = result.first.value_or(position);
    }
  }
  return result;
}

TEST(RepeatedRows, AreThoseThatEqualAnEarlierRow) {
  for (const auto& spec : searched_specs()) {
    const auto table = table_of(spec);
    for (const auto& recipe : recipes()) {
      for (const auto stored : storage_formats(recipe)) {
        const auto found = repeated_rows(recipe, table, stored, position_count);
        const auto plain = compare_all(RecipeTable(recipe, table, stored), position_count);
        EXPECT_EQ(found.count, plain.count) << spec << ", " << recipe.id << ", " << traits(stored).name;
        EXPECT_EQ(found.first, plain.first) << spec << ", " << recipe.id << ", " << traits(stored).name;
      }
    }
  }
}

TEST(ScoreDrift, IsNoneInFloat64AndLargeWherePositionsAreRounded) {
  const auto table = table_of(R"("head_dim": 64)");
  const auto of = [&](std::string_view id) {
    const auto& recipe = *std::ranges::find(recipes(), id, &Recipe::id);
    return score_drift(recipe, table, recipe.compute(), 20000);
  };
  EXPECT_LT(of("float64-pow"), 1e-10);
  EXPECT_LT(of("float32-pow"), 1e-3);
  EXPECT_GT(of("float32-pow"), 1e-9);
  EXPECT_GT(of("bfloat16-position"), 0.1);
}

}  // namespace
}  // namespace vernier
