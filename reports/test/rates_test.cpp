// What error rates are measured on: honest implementations are honest by a truth that shares no code with the
// audits, every kind of fault can be drawn, and draws repeat.

#include "reports/measures/rates/rates.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/questions.hpp"
#include "props/judging/specs.hpp"
#include "reports/measures/rates/budgets.hpp"
#include "reports/measures/rates/fault.hpp"
#include "reports/measures/rates/honest.hpp"
#include "reports/measures/rates/judge.hpp"
#include "reports/measures/rates/model.hpp"
#include "reports/measures/rates/near_questions.hpp"
#include "reports/measures/rates/planted_rates.hpp"
#include "reports/measures/rates/sensitivity.hpp"

namespace vernier::rates {
namespace {

using ::testing::Le;

constexpr std::int64_t longest = 128;

TEST(Rates, AContextThatDescendsReachesFromItsLastRowToItsFirst) {
  Design design;
  design.positions = {.first = 100, .step = -1, .count = 41};
  EXPECT_EQ(least_position(design), 60);
  EXPECT_EQ(greatest_position(design), 100);
}

TEST(Rates, HonestDesignsKeepTheirContract) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draw draw(seed);
    const auto design = draw_honest(draw, longest);
    EXPECT_THAT(size_of(design, design, {}), Le(1)) << design.encoding->summary() << " " << seed;
  }
}

/// What is rotated in float32 and stored once by the scale that everybody uses is honest, in every format.
TEST(Rates, HonestDesignsThatAreStoredInEightBitsConform) {
  constexpr std::size_t enough = 3;
  std::set<Format> formats;
  for (std::uint64_t seed = 0; formats.size() < enough; ++seed) {
    ASSERT_LT(seed, 3000U);
    Draw draw(seed);
    auto design = draw_honest(draw, longest, 512);
    if (store_in_eight_bits(draw, design) && formats.insert(design.stored()).second) {
      for (const auto& verdict : {judge_live(design, seed, 3), judge_tensors(design, {}, seed)}) {
        EXPECT_EQ(exit_code(verdict), 0) << design.encoding->summary() << ": " << finding_of(verdict);
      }
    }
  }
}

TEST(Rates, EveryKindOfFaultIsPlantedInSomeDesign) {
  for (const auto& fault : faults()) {
    bool planted = false;
    for (std::uint64_t seed = 0; seed < 3000 && !planted; ++seed) {
      Draw draw(seed);
      // Some kinds take contexts of hundreds or thousands of positions to show.
      auto design = draw_honest(draw, seed % 2 == 0 ? longest : 4096);
      planted = fault.plant(draw, design).has_value();
    }
    EXPECT_TRUE(planted) << fault.id;
  }
}

TEST(Rates, KindsHaveIdsOfTheirOwn) {
  std::vector<std::string_view> ids;
  for (const auto& fault : faults()) {
    ids.push_back(fault.id);
  }
  EXPECT_THAT(std::set(ids.begin(), ids.end()).size(), ids.size());
}

/// A sine or cosine within 2 ulp is off by 2u at most, and one further than 4u from that of its phase fails:
/// a pair turned by 6u is found in its larger component, which is 1/sqrt 2 at least; in rotated vectors each
/// sum of two products is off by some 6u more. Where no way of computing phases is established the rounding
/// of the phase, p w u with p w = 8 at position 10, is added. With budgets of single elements it took 0.026
/// radians at position 100000, and 0.28 at 1000000.
TEST(Sensitivity, AWindowOfRowsHidesNothingAnywhere) {
  constexpr double u = 0x1p-24;
  const auto found = measure_sensitivity([](const Sensitivity& next) {
    return next.what == "one pair turned" && next.tensors.ends_with("64 rows") && next.position == 100000;
  });
  ASSERT_EQ(found.size(), 2U);
  for (const auto& one : found) {
    EXPECT_LE(one.caught, 24 * u) << one.tensors << ", position " << one.position << ", pair " << one.pair;
    EXPECT_GE(one.caught, 2 * u) << "the contract allows so much";
  }
}

TEST(Rates, DrawsRepeatAndAreCounted) {
  const RatesOptions options{.seed = 1, .honest = 2, .faulty = 2, .longest = 64, .cases = 1};
  const auto nothing = [](const Drawn&) {};
  const auto once = measure_rates(options, nothing);
  const auto again = measure_rates(options, nothing);
  ASSERT_EQ(once.faulty.size(), 2);
  for (std::size_t i = 0; i < once.faulty.size(); ++i) {
    EXPECT_EQ(once.faulty[i].description, again.faulty[i].description);
    EXPECT_EQ(once.faulty[i].parameters, again.faulty[i].parameters);
    EXPECT_EQ(once.faulty[i].size, again.faulty[i].size);
    EXPECT_EQ(once.faulty[i].verdicts.front().exit_code, again.faulty[i].verdicts.front().exit_code);
  }
  EXPECT_EQ(tally(once.honest, Way::live).all(), 2);
  EXPECT_EQ(tally(once.honest, Way::stored).all(), 2);
}

TEST(Rates, GrossFaultsAreManyTimesTheirBudget) {
  Draw draw(1);
  auto honest = draw_honest(draw, longest);
  while (honest.frequencies.empty() || honest.encoding->plain_tables().empty()) {
    honest = draw_honest(draw, longest);
  }
  auto faulty = honest;
  map_places(faulty, [](double place) { return place + 1; });
  EXPECT_GT(size_of(faulty, honest, {}), 10);
}

PlantedKernel planted(std::string_view where, Effect effect) {
  return {.is_faulty = true, .where = parse_predicate(where), .effect = effect};
}

const PlantedOptions planted_options{.plugin = VERNIER_PLANTED_PLUGIN, .cases = 1};

TEST(PlantedKernel, IsRefusedForItsFaultAlone) {
  const auto honest = judge_planted({}, planted_options, 1);
  EXPECT_EQ(exit_code(honest), 0) << checks_of(honest);
  EXPECT_EQ(exit_code(judge_planted(planted("position>=1000", Effect::next), planted_options, 1)), 1);
}

/// The rotated vectors of positions that descend, after a question about others.
std::vector<std::byte> second_answer(const PlantedKernel& kernel) {
  const auto encoding = encoding_of(std::string(planted_rope));
  const auto process = start_planted(kernel, VERNIER_PLANTED_PLUGIN);
  std::vector<std::byte> bytes;
  for (const std::int64_t first : {90'000, 100'000}) {
    const auto questions =
        questions_of(*encoding, {.positions = PositionRange{first, -1, 40}, .roles = {"rotated"}});
    const auto response = process->ask(questions.front().ways.front());
    EXPECT_EQ(response.status, ResponseStatus::answered) << response.reason;
    const auto answer = response.tensors.at("rotated").bytes();
    bytes.assign(answer.begin(), answer.end());
  }
  return bytes;
}

TEST(PlantedKernel, EveryEffectChangesTheAnswer) {
  const auto right = second_answer({});
  EXPECT_EQ(second_answer(planted("row>=40", Effect::next)), right);
  for (std::size_t effect = 0; effect < effect_count; ++effect) {
    EXPECT_NE(second_answer(planted("row>=7", static_cast<Effect>(effect))), right)
        << name_of(static_cast<Effect>(effect));
  }
}

TEST(PlantedKernel, IsReadAsItIsWritten) {
  Draw draw(1);
  for (int i = 0; i < 100; ++i) {
    const auto text = to_text(draw_honest_kernel(draw));
    EXPECT_EQ(to_text(parse_planted_kernel(text)), text);
  }
}

TEST(DrawnFaults, RepeatAndShow) {
  for (const auto distribution : {Distribution::covering, Distribution::own}) {
    Draw draw(7);
    Draw again(7);
    std::size_t of_one_value = 0;
    for (int i = 0; i < 25; ++i) {
      const auto fault = draw_fault(draw, distribution);
      const auto text = to_text(fault.kernel);
      EXPECT_EQ(to_text(draw_fault(again, distribution).kernel), text);
      EXPECT_EQ(to_text(parse_planted_kernel(text)), text);
      EXPECT_LE(fault.least_vectors, 131'072U) << text;
      of_one_value += fault.is_of_one_value ? 1 : 0;
    }
    EXPECT_LE(of_one_value, 8U);
  }
}

TEST(DrawnFaults, AreShownByTheSmallestQuestions) {
  const auto least = [](std::string_view where, Effect effect) {
    return least_that_shows(planted(where, effect), 131'072, 1);
  };
  EXPECT_EQ(least("rows>=777 head>=2", Effect::next), 3 * 777U);
  EXPECT_EQ(least("rows>=70000 head>=2", Effect::next), std::nullopt) << "more vectors than are asked for";
  EXPECT_EQ(least("order==0 own_positions==0", Effect::row_index), std::nullopt)
      << "rows and positions are the same";
  EXPECT_EQ(least("first==1", Effect::last_question), std::nullopt) << "there is no last question";
  EXPECT_EQ(least("pair==23", Effect::next), std::nullopt) << "it hardly turns";
}

TEST(Boundaries, AreToldRightlyOfNoOtherVectors) {
  const auto alike = [](std::string_view one, std::string_view other) {
    return tells_rightly(parse_predicate(one), planted(other, Effect::not_a_number), 8192, 1);
  };
  EXPECT_TRUE(alike("row>=100", "rows>=101 row>=100"));
  EXPECT_TRUE(alike("batches>=2 rank>=2", "batches>=2"));
  EXPECT_TRUE(alike("position%256==0 pair>=5", "pair>=5 position%256==0"));
  EXPECT_TRUE(alike("row>=9000", "row>=10000")) << "no question is so long";
  EXPECT_FALSE(alike("row>=100", "row>=101"));
  EXPECT_FALSE(alike("rows>=101", "row>=100"));
  EXPECT_FALSE(alike("row>=7000", "row>=7001"));
  EXPECT_FALSE(alike("index>=4000", "index>=4001"));
  EXPECT_FALSE(alike("position%256==0", "position%512==0"));
  EXPECT_FALSE(alike("from_end~tail8", "from_end~tail16"));
  EXPECT_FALSE(alike("same_ends==1", "same_positions==1"));
  EXPECT_FALSE(alike("head>=2", "head>=2 order==7"));
  EXPECT_FALSE(alike("head>=2", "head>=2 refused_before==0"));
  // The first row has no other before it.
  const auto kernel = planted("rows>=33", Effect::previous_row);
  EXPECT_TRUE(tells_rightly(parse_predicate("rows>=33 row>=1"), kernel, 8192, 1));
  EXPECT_FALSE(tells_rightly(parse_predicate("rows>=33 row>=2"), kernel, 8192, 1));
}

TEST(CountedShare, HasTheIntervalOfWilson) {
  const CountedShare share{98, 100};
  EXPECT_NEAR(share.least(), 93.0, 0.05);
  EXPECT_NEAR(share.greatest(), 99.45, 0.05);
}

}  // namespace
}  // namespace vernier::rates
