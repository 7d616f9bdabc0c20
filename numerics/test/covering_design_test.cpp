#include "numerics/asking/covering/covering_design.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "numerics/asking/covering/predicate.hpp"

namespace vernier {
namespace {

struct Asked {
  QuestionPoint question;
  Coordinates values;
};

/// The first positions, and others up to the last: any, and beside multiples of 64.
const std::vector<std::int64_t>& usual_pool() {
  static const auto pool = [] {
    std::vector<std::int64_t> result;
    for (std::int64_t position = 0; position <= 131071; ++position) {
      const auto rest = position % 64;
      if (position < 256 || position % 331 == 0 || (position / 64 % 16 == 0 && (rest <= 1 || rest == 63))) {
        result.push_back(position);
      }
    }
    return result;
  }();
  return pool;
}

DesignLimits all_taken() {
  DesignLimits limits;
  limits.pool = usual_pool();
  limits.edges = {2048, 4096, 8192, 32768};
  limits.has_passing_dimensions = limits.takes_own_positions = limits.takes_strides = true;
  limits.types = {ElementType::float32, ElementType::float16, ElementType::bfloat16, ElementType::float64};
  return limits;
}

/// Asks until nothing is left. \param takes whether a question is answered
template <class Takes>
std::vector<Asked> ask_all(CoveringDesign& design, std::int64_t start, const Takes& takes) {
  std::vector<Asked> result;
  AskedBefore before(start);
  while (const auto question = design.next()) {
    if (question->afresh) {
      before.clear();
    }
    result.push_back({*question, before.coordinates_of(*question)});
    const bool is_taken = takes(*question);
    before.add(*question, !is_taken);
    is_taken ? design.was_answered(*question) : design.was_refused(*question);
  }
  return result;
}

std::vector<Asked> design_of(const DesignLimits& limits, std::uint64_t seed) {
  CoveringDesign design(limits, seed);
  return ask_all(design, limits.start, [](const QuestionPoint&) { return true; });
}

/// Whether some vector of some question is such.
bool is_met(const Predicate& predicate, const std::vector<Asked>& asked) {
  return std::ranges::any_of(asked, [&](const auto& one) {
    const auto vectors = may_hold(predicate, one.values) ? one.question.count() : 0;
    return std::ranges::any_of(std::views::iota(std::size_t{0}, vectors), [&](std::size_t i) {
      return holds(predicate, with_vector(one.values, one.question, i));
    });
  });
}

constexpr std::uint64_t design_seeds = 4;

const std::vector<Asked>& design_of_seed(std::uint64_t seed) {
  static std::map<std::uint64_t, std::vector<Asked>> designs;
  const auto [found, is_new] = designs.try_emplace(seed);
  if (is_new) {
    found->second = design_of(all_taken(), seed);
  }
  return found->second;
}

// Faults of kernels that lists of shapes did not meet.
TEST(CoveringDesign, MeetsKernelsThatWereMissed) {
  using enum Coordinate;
  using enum Relation;
  const std::vector<Predicate> missed{
      {{row, at_least, 32}, {head, at_least, 1}},
      {{batch, at_least, 2}},
      {{head, at_least, 33}},
      {{index, at_least, 65535}},
      {{index, at_least, 65535}, {head, at_least, 1}},
      {{row, at_least, 65535}},
      {{other_type_first, equal, 1}},
      {{not_finite, equal, 3}},
      {{apart, equal, 1}, {rank, equal, 1}},
      {{farthest_so_far, equal, 1}, {heads, at_least, 2}},
      {{farther_before, equal, 1}, {rows, at_least, 64}},
      {{rows, equal, 1}, {position, multiple, 0, 256}, {position, at_least, 256}}};
  for (std::uint64_t seed = 1; seed <= design_seeds; ++seed) {
    for (const auto& predicate : missed) {
      EXPECT_TRUE(is_met(predicate, design_of_seed(seed))) << to_text(predicate) << ", seed " << seed;
    }
  }
}

TEST(CoveringDesign, RowsAndPositionsDifferInMostQuestions) {
  std::size_t counts_on = 0, zeros = 0, vectors = 0;
  for (const auto& [question, values] : design_of_seed(1)) {
    counts_on += question.rows > 1 && values[Coordinate::order] <= static_cast<int>(Order::block) ? 1 : 0;
    zeros += static_cast<std::size_t>(std::ranges::count(question.positions, 0));
    vectors += question.positions.size();
  }
  EXPECT_LT(2 * counts_on, design_of_seed(1).size());
  EXPECT_LT(100 * zeros, vectors);
}

/// A size or place and a class, which can be met together by 8,192 vectors.
Predicate random_fault(SeededDraws& dice) {
  using enum Coordinate;
  using enum Relation;
  static const Predicate places{{rows, at_least, 256},   {rows, at_least, 9},        {row, at_least, 100},
                                {row, at_least, 3},      {heads, at_least, 33},      {head, at_least, 5},
                                {batches, at_least, 17}, {batch, at_least, 2},       {index, at_least, 4096},
                                {index, at_least, 100},  {position, at_least, 99000}};
  static const Predicate classes{{rank, equal, 2},
                                 {rank, equal, 3},
                                 {order, equal, 3},
                                 {order, equal, 5},
                                 {order, equal, 7},
                                 {own_positions, equal, 1},
                                 {apart, equal, 1},
                                 {type, equal, 1},
                                 {not_finite, equal, 2},
                                 {not_finite, equal, 3},
                                 {same_rows, equal, 1},
                                 {longer_before, equal, 1},
                                 {other_heads_before, equal, 1}};
  const auto& place = places[dice.below(places.size())];
  return {place, classes[dice.below(classes.size())]};
}

TEST(CoveringDesign, MeetsFaultsOfTwoConditions) {
  SeededDraws dice(5);
  constexpr int faults = 200;
  int missed = 0;
  for (int i = 0; i < faults; ++i) {
    missed += is_met(random_fault(dice), design_of_seed(1 + dice.below(design_seeds))) ? 0 : 1;
  }
  EXPECT_LE(missed, 6);
}

RC_GTEST_PROP(CoveringDesign, KeepsItsLimits, ()) {
  DesignLimits limits;
  limits.start = *rc::gen::inRange<std::int64_t>(-3000, 100);
  limits.end = limits.start + *rc::gen::element<std::int64_t>(0, 1, 5, 300, 5000, 131071);
  std::vector<std::int64_t> pool;
  const auto step = *rc::gen::inRange<std::int64_t>(1, 90);
  for (auto position = limits.start; position <= limits.end; position += step) {
    pool.push_back(position);
  }
  limits.pool = pool;
  limits.edges = {(limits.start + limits.end) / 2};
  for (auto* flag : {&limits.has_passing_dimensions, &limits.takes_heads, &limits.takes_scattered,
                     &limits.takes_own_positions, &limits.takes_strides, &limits.takes_not_finite,
                     &limits.starts_afresh, &limits.keeps_process}) {
    *flag = *rc::gen::arbitrary<bool>();
  }
  limits.most_vectors = *rc::gen::inRange<std::size_t>(1, 200'000);
  limits.most_questions = *rc::gen::inRange<std::size_t>(1, 100);
  limits.most_vectors_of_question = *rc::gen::inRange<std::size_t>(1, 131'072);
  const auto asked = design_of(limits, *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(!asked.empty() && asked.size() <= limits.most_questions);
  std::size_t vectors = 0;
  for (const auto& [question, values] : asked) {
    vectors += question.count();
    RC_ASSERT(question.count() > 0U && question.count() <= limits.most_vectors_of_question);
    RC_ASSERT(question.positions.size() == question.rows * (question.own_positions ? question.batches : 1));
    RC_ASSERT(question.rank >= (question.batches > 1 ? 2U : question.heads > 1 ? 1U : 0U));
    RC_ASSERT(question.rank == 0 || limits.takes_heads);
    RC_ASSERT(!question.own_positions || limits.takes_own_positions);
    RC_ASSERT(!question.apart || limits.takes_strides);
    RC_ASSERT(question.not_finite == NotFinite::none || limits.takes_not_finite);
    RC_ASSERT(limits.keeps_process || question.afresh);
    const auto order = static_cast<Order>(values[Coordinate::order]);
    RC_ASSERT(limits.takes_scattered || order <= Order::block);
    const bool is_dear = order <= Order::descending || order == Order::packed;
    RC_ASSERT(question.rows <= limits.most_consecutive || !is_dear);
    for (const auto position : question.positions) {
      RC_ASSERT(position >= limits.start && position <= limits.end);
      RC_ASSERT(is_dear || std::ranges::binary_search(pool, position) || question.rows < 5);
    }
  }
  RC_ASSERT(vectors <= limits.most_vectors);
  const auto starts = std::ranges::count_if(asked, [](const Asked& one) { return one.question.afresh; });
  RC_ASSERT(asked.front().question.afresh && (limits.starts_afresh || !limits.keeps_process || starts == 1));
}

struct Declined {
  std::function<bool(const QuestionPoint&)> takes;
  std::string told;  ///< as left out
};

TEST(CoveringDesign, WhatIsDeclinedIsNotAskedWithoutEnd) {
  using Question = const QuestionPoint&;
  const std::vector<Declined> all{
      {[](Question q) { return q.type != ElementType::float16; }, "in float16"},
      {[](Question q) { return !q.apart; }, "if rows are apart in memory (strided)"},
      {[](Question q) { return q.heads == 1; }, "with 2 heads"},
      {[](Question q) { return q.batches == 1; }, "with 2 batches"},
      {[](Question q) { return q.rank == 2; }, "in vectors of 5 dimensions [B, groups, H, T, D]"},
      {[](Question q) { return q.type == ElementType::float32; }, "in bfloat16"},
      {[](Question q) { return q.rows % 16 == 0; }, "if the number of rows is no multiple of 2"},
      {[](Question q) { return q.rows <= 64; }, "with 65 to 128 rows"},
      {[](Question q) { return order_of(q.positions, 0) <= Order::block; }, "if positions are shuffled"},
  };
  for (const auto& [takes, told] : all) {
    CoveringDesign design(all_taken(), 1);
    design.limit_to(100'000, 300);
    const auto asked = ask_all(design, 0, takes);
    const auto answered = std::ranges::count_if(asked, takes, &Asked::question);
    EXPECT_LE(std::ssize(asked) - answered, 110) << told;
    EXPECT_GE(answered, 80) << told;
    EXPECT_THAT(design.left_out(100), testing::Contains(told + ", which it declines"));
  }
  CoveringDesign design(all_taken(), 1);
  EXPECT_LE(ask_all(design, 0, [](Question) { return false; }).size(), 60U);
  EXPECT_EQ(design.met_values(Coordinate::rows), "none");
}

// A refusal may leave something behind for the next question.
TEST(CoveringDesign, AsksForEachDeclinedTypeButOnceInAProcess) {
  auto limits = all_taken();
  limits.types = {ElementType::float32};
  limits.refused = {{.type = ElementType::float64, .positions = {0}},
                    {.type = ElementType::float16, .positions = {0}}};
  CoveringDesign design(limits, 1);
  std::size_t in_process = 0, after = 0;
  std::multiset<ElementType> refused;
  const auto all = ask_all(design, 0, [](const auto& one) { return one.type == ElementType::float32; });
  for (const auto& [question, values] : all) {
    in_process = question.afresh ? 0 : in_process;
    const bool is_refused = question.type != ElementType::float32;
    in_process += is_refused ? 1 : 0;
    EXPECT_LE(in_process, 1);
    if (is_refused) {
      refused.insert(question.type);
    }
    after += values[Coordinate::refused_before] == 1 ? 1 : 0;
  }
  EXPECT_GE(refused.count(ElementType::float64), 1U);
  EXPECT_GE(refused.count(ElementType::float16), 1U);
  EXPECT_GT(4 * after, all.size());
}

TEST(CoveringDesign, TellsWhatWasMetAndIsTheSameForASeed) {
  CoveringDesign design(all_taken(), 1);
  const auto asked = ask_all(design, 0, [](const QuestionPoint&) { return true; });
  EXPECT_TRUE(std::ranges::equal(asked, design_of_seed(1), [](const Asked& one, const Asked& other) {
    return one.question.positions == other.question.positions;
  }));
  EXPECT_THAT(design.met_values(Coordinate::rows), testing::StartsWith("1 to 6"));
  EXPECT_EQ(design.met_values(Coordinate::type), "in float64, in float32, in float16, in bfloat16");
  EXPECT_EQ(design.left_out(3).size(), 3U);
}

TEST(CoveringDesign, AsksLessFromNowOn) {
  CoveringDesign design(all_taken(), 1);
  design.limit_to(5000, 40);
  std::size_t vectors = 0;
  const auto asked = ask_all(design, 0, [&](const QuestionPoint& question) {
    vectors += question.count();
    return true;
  });
  EXPECT_THAT(asked.size(), testing::AllOf(testing::Ge(15U), testing::Le(40U)));
  EXPECT_LE(vectors, 5000U);
}

}  // namespace
}  // namespace vernier
