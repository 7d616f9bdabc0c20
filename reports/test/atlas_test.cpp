// The atlas that is part of the program: it is what the program computes, and what a look at every element
// finds.

#include "reports/exchange/atlas/atlas.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"
#include "reports/html/assets.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

const Recipe& recipe_of(const UsableContext& one) {
  return *std::ranges::find(recipes(), one.recipe, &Recipe::id);
}

/// All cosines, then all sines.
TrigTable with_all_columns(TrigTable table) {
  table.columns.clear();
  for (const auto component : {Component::cosine, Component::sine}) {
    for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
      table.columns.push_back({pair, component});
    }
  }
  return table;
}

/// A rotation of the atlas and a recipe in a format.
struct Sampled {
  const AtlasRotation* rotation;
  const TrigTable* table;
  const UsableContext* kind;

  std::string said() const {
    return rotation->models.front() + ", " + std::string(kind->recipe) + ", " +
           std::string(traits(kind->stored).name);
  }
};

class AtlasTest : public ::testing::Test {
 protected:
  static const CataloguedRotations& wanted() {
    static const auto all = catalogued_rotations();
    return all;
  }
  static const Atlas& atlas() { return built_in_atlas(); }

  std::vector<Sampled> sample(std::size_t count) {
    std::vector<Sampled> result;
    while (result.size() < count) {
      const auto index = random_() % atlas().rotations.size();
      const auto& rotation = atlas().rotations[index];
      result.push_back(
          {&rotation, &wanted().rotations[index].table, &rotation.kinds[random_() % rotation.kinds.size()]});
    }
    return result;
  }

  std::mt19937_64 random_{test_seed()};
};

TEST_F(AtlasTest, IsOfAllCataloguedRotations) {
  EXPECT_TRUE(atlas().is_complete());
  EXPECT_EQ(atlas().undecided(), 0U);
  ASSERT_EQ(atlas().rotations.size(), wanted().rotations.size());
  std::size_t kinds = 0;
  for (const auto& recipe : recipes()) {
    kinds += storage_formats(recipe).size();
  }
  constexpr std::size_t most_bytes =
      500;  // of what is said of one recipe and format: the program holds them all
  EXPECT_LE(asset("atlas.json").size(), most_bytes * kinds * wanted().rotations.size());
  for (std::size_t i = 0; i < wanted().rotations.size(); ++i) {
    EXPECT_EQ(atlas().rotations[i].summary, wanted().rotations[i].summary);
    EXPECT_EQ(atlas().rotations[i].models, wanted().rotations[i].models);
    EXPECT_EQ(atlas().rotations[i].kinds.size(), kinds);
  }
  EXPECT_EQ(atlas().left_out.size(), wanted().left_out.size());
}

std::string text_of_one(const UsableContext& kind) {
  Atlas atlas;
  atlas.rotations.push_back({"", {""}, 1, std::nullopt, {kind}});
  return atlas_text(atlas);
}

TEST_F(AtlasTest, IsWhatTheProgramComputes) {
  if (atlas().c_library != c_library()) {
    GTEST_SKIP() << "the atlas is of " << atlas().c_library << ", and this is " << c_library();
  }
  for (const auto& one : sample(8)) {
    const auto again = usable_context(recipe_of(*one.kind), *one.table, one.kind->stored, atlas().sines);
    EXPECT_EQ(text_of_one(again), text_of_one(*one.kind)) << one.said();
  }
}

double certified_error(const TrigTable& table, const RecipeTable& computed, std::int64_t position,
                       std::size_t column, std::vector<double>& row) {
  const auto& [pair, component] = table.columns[column];
  const auto truth = tight_enclosure(table.value(position, pair, component));
  computed.row(position, row);
  return std::fabs((DoubleDouble{row[column], 0} - truth.middle).high);
}

/// Each element of the rows before the first that is beyond, and of some anywhere, in intervals.
TEST_F(AtlasTest, HoldsAtElementsThatAreComputed) {
  if (atlas().c_library != c_library()) {
    GTEST_SKIP() << "the atlas is of " << atlas().c_library << ", and this is " << c_library();
  }
  for (const auto& one : sample(6)) {
    const auto table = with_all_columns(*one.table);
    const RecipeTable computed(recipe_of(*one.kind), table, one.kind->stored);
    std::vector<double> row(computed.columns());
    const double amplitude = approximately(table.amplitude);
    const auto error = [&](std::int64_t position, std::size_t column) {
      return certified_error(table, computed, position, column, row);
    };
    const auto column_of = [&](const ErrorPlace& place) {
      return static_cast<std::size_t>(place.pair) +
             (place.component == Component::sine ? table.columns.size() / 2 : 0);
    };
    for (std::size_t i = 0; i < usable_exponents.size(); ++i) {
      const double threshold = std::ldexp(amplitude, usable_exponents[i]);
      const auto& first = one.kind->first_beyond[i];
      const auto end = first ? first->position : largest_position;
      if (first) {
        EXPECT_FALSE(error(first->position, column_of(*first)) <= threshold) << one.said();
      }
      // The last row before it in full, and some of all others.
      for (std::size_t column = 0; column < table.columns.size() && end > 0; ++column) {
        EXPECT_LE(error(end - 1, column), threshold) << one.said();
      }
      for (int draw = 0; draw < 100 && end > 0; ++draw) {
        const auto position = static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(end));
        EXPECT_LE(error(position, random_() % table.columns.size()), threshold)
            << one.said() << ", " << position;
      }
    }
    const auto& greatest = one.kind->greatest;
    if (!greatest.not_finite) {
      const auto column = column_of(greatest);
      EXPECT_NEAR(error(greatest.position, column), greatest.error, 1e-15) << one.said();
      for (int draw = 0; draw < 100; ++draw) {
        EXPECT_LE(error(static_cast<std::int64_t>(random_() >> 33), random_() % table.columns.size()),
                  greatest.bound)
            << one.said();
      }
    }
    if (const auto& repeat = one.kind->repeat; repeat.position) {
      std::vector<double> earlier(row.size());
      computed.row(*repeat.position, row);
      computed.row(repeat.earlier, earlier);
      const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
      EXPECT_TRUE(std::ranges::equal(row, earlier, {}, bits, bits)) << one.said();
    }
  }
}

CataloguedRotations small_rotations() {
  CataloguedRotations result;
  for (const std::string dim : {"24", "32", "40"}) {
    const auto encoding = parsed(R"({"scheme": "rope", "head_dim": )" + dim + "}");
    result.rotations.push_back({table_of_recipes(*encoding), encoding->summary(), {"model " + dim}});
  }
  return result;
}

TEST_F(AtlasTest, GoesOnFromWhatAnEndedRunLeft) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "atlas.json";
  const AtlasOptions options{.file = file, .looks_at_sines = false};
  const auto slurp = [&] {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const auto whole = make_atlas(small_rotations(), options);
  ASSERT_TRUE(whole);
  const auto text = slurp();
  EXPECT_EQ(text, atlas_text(*whole));
  EXPECT_EQ(atlas_text(read_atlas(text, "atlas.json")), text);

  // What is there is taken as it is, which a mark in it shows; the rest is what it was.
  auto part = *whole;
  part.rotations.resize(2);
  folder.write("atlas.json", atlas_text(part));
  ASSERT_TRUE(make_atlas(small_rotations(), options));
  EXPECT_EQ(slurp(), text);
  part.rotations[0].pairs = 99;
  folder.write("atlas.json", atlas_text(part));
  auto marked = *whole;
  marked.rotations[0].pairs = 99;
  ASSERT_TRUE(make_atlas(small_rotations(), options));
  EXPECT_EQ(slurp(), atlas_text(marked));

  // But not what another program left, or of other rotations, or is no atlas.
  part.program = "another";
  folder.write("atlas.json", atlas_text(part));
  ASSERT_TRUE(make_atlas(small_rotations(), options));
  EXPECT_EQ(slurp(), text);
  folder.write("atlas.json", text.substr(0, text.size() / 2));
  ASSERT_TRUE(make_atlas(small_rotations(), options));
  EXPECT_EQ(slurp(), text);
}

TEST_F(AtlasTest, RefusesWhatIsNone) {
  const auto text = text_of_one(atlas().rotations.front().kinds.front());
  const auto refusal = [](const std::string& document) {
    return refusal_of([&] { read_atlas(document, "mine.json"); });
  };
  EXPECT_EQ(refusal(text), "");
  const auto with = [&](const std::string& from, const std::string& to) {
    auto other = text;
    other.replace(other.find(from), from.size(), to);
    return refusal(other);
  };
  EXPECT_THAT(refusal(""), testing::StartsWith("mine.json: is not an atlas"));
  EXPECT_THAT(refusal("[]"), testing::StartsWith("mine.json: is not an atlas"));
  EXPECT_THAT(with("\"vernier_atlas\": 1", "\"vernier_atlas\": 2"),
              testing::HasSubstr("found 2, expected 1"));
  EXPECT_THAT(with("float64-pow", "float63-pow"), testing::HasSubstr("float63-pow"));
  EXPECT_THAT(with("\"kept\"", "\"held\""), testing::HasSubstr("expected one of kept, broken"));
}

TEST_F(AtlasTest, IsAPageThatSaysTheFindingFirst) {
  const auto content = atlas_content({});
  EXPECT_EQ(content.at("any"), true);
  EXPECT_EQ(content.at("undecided"), "none");
  EXPECT_THAT(content.at("headline").get<std::string>(),
              testing::StartsWith("Frequencies and phases in float64 are right at every position to 2³¹; no "
                                  "other recipe is right beyond"));
}

}  // namespace
}  // namespace vernier
