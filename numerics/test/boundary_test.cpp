#include "numerics/asking/covering/boundary.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "numerics/asking/covering/composition.hpp"

namespace vernier {
namespace {

constexpr std::size_t pair_count = 32;
constexpr std::size_t usual_vectors = 8192;

BoundaryLimits all_limits() {
  static const auto pool = [] {
    std::vector<std::int64_t> result(256);
    std::iota(result.begin(), result.end(), 0);
    for (std::int64_t position = 256; position <= 131071; position += 256) {
      result.insert(result.end(), {position, position + 101});
    }
    return result;
  }();
  BoundaryLimits limits;
  limits.pool = pool;
  limits.types = {ElementType::float32, ElementType::float16, ElementType::bfloat16, ElementType::float64};
  limits.takes_own_positions = limits.takes_strides = true;
  limits.takes_not_finite = limits.has_passing_dimensions = true;
  limits.refused = {QuestionPoint{.rows = 3, .positions = {5, 1, 77}}};
  return limits;
}

/// An implementation that is wrong where a predicate holds.
struct Planted {
  Predicate predicate;
  BoundaryLimits limits = all_limits();
  bool takes_heads = true;
  Masking masking = Masking::none;
  std::uint64_t one_in_is_right = 0;  ///< of the vectors that the predicate holds of; 0: none

  Marked operator()(const std::vector<QuestionPoint>& sequence) const {
    const auto& question = sequence.back();
    if (!takes_heads && question.rank > 0) {
      return {};
    }
    Marked marked{true};
    const auto known = composition_of(sequence, limits);
    for (std::size_t at = 0; at < question.count(); ++at) {
      auto values = known.at(at).values;
      WrongVector wrong{at, std::vector<bool>(pair_count)};
      bool is_wrong = false;
      for (std::size_t i = 0; i < pair_count; ++i) {
        values[Coordinate::pair] = static_cast<std::int64_t>(i);
        wrong.pairs[i] = holds(predicate, values);
        is_wrong = is_wrong || wrong.pairs[i];
      }
      std::minstd_rand bits(static_cast<std::uint32_t>(question.vectors + 31 * at));
      bits.discard(4);
      is_wrong = is_wrong && (masking == Masking::none || !known.at(at).is_masked(masking));
      if (is_wrong && (one_in_is_right == 0 || bits() % one_in_is_right != 0)) {
        marked.wrong.push_back(std::move(wrong));
      }
    }
    return marked;
  }

  Boundary found(std::uint64_t seed = 1) const {
    Composer composer(limits, seed);
    for (;;) {
      const auto failing = composer.compose(predicate, usual_vectors);
      if (failing && !(*this)(failing->sequence).wrong.empty()) {
        return find_boundary(failing->sequence, (*this)(failing->sequence), limits, *this);
      }
    }
  }
};

/// Whether both hold of the same vectors of questions near their limits.
bool is_same(const Predicate& one, const Predicate& other) {
  static const auto limits = all_limits();
  Composer composer(limits, 5);
  for (int draw = 0; draw < 60; ++draw) {
    const auto& met = draw % 2 == 0 ? one : other;
    const auto at = composer.dice().below(met.size() + 1);
    auto conditions = met;
    if (at < met.size()) {
      conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(at));
      std::ranges::copy(opposite_of(met[at]), std::back_inserter(conditions));
    }
    const auto composed = composer.compose(conditions, usual_vectors);
    for (std::size_t i = 0; composed && i < composed->sequence.back().count(); ++i) {
      auto values = with_vector(composed->values, composed->sequence.back(), i);
      for (const auto pair : {0, 15, 16, 31}) {
        values[Coordinate::pair] = pair;
        if (holds(one, values) != holds(other, values)) {
          return false;
        }
      }
    }
  }
  return true;
}

std::vector<Predicate> planted_faults() {
  using enum Coordinate;
  using enum Relation;
  return {{{row, at_least, 32}, {head, at_least, 1}},
          {{batch, at_least, 2}},
          {{head_from_end, at_most, 0}, {heads, at_least, 2}},
          {{batch_from_end, at_most, 0}, {batches, at_least, 3}},
          {{head, at_least, 33}},
          {{index, at_least, 6000}},
          {{other_type_first, equal, 1}},
          {{row, at_most, 0}, {other_type_before, equal, 1}},
          {{not_finite, equal, 3}},
          {{apart, equal, 1}, {rank, equal, 1}},
          {{position, multiple, 0, 256}, {rows, at_most, 1}},
          {{rows, at_most, 31}},
          {{rows, not_multiple, 0, 16}},
          {{from_end, in_tail, 0, 16}},
          {{first, equal, 1}},
          {{longer_before, equal, 1}},
          {{pair, at_least, 16}, {row, at_least, 8}},
          {{type, equal, 2}},
          {{order, equal, 2}},
          {{heads, multiple, 0, 4}, {rows, at_least, 5}},
          {{heads, at_least, 13}, {order, equal, 2}, {same_rows, equal, 1}},
          {{order, equal, 6}, {same_ends, equal, 1}, {other_type_before, equal, 1}},
          {{rows, not_multiple, 0, 128}},
          {{from_end, in_tail, 0, 10}, {type, equal, 1}}};
}

class PlantedFault : public testing::TestWithParam<Predicate> {};

TEST_P(PlantedFault, is_told) {
  const auto& planted = GetParam();
  const auto boundary = Planted{planted}.found();
  EXPECT_TRUE(is_same(planted, boundary.wrong_where)) << to_text(boundary.wrong_where);
  EXPECT_TRUE(boundary.is_reproducible);
  EXPECT_LE(boundary.questions, BoundaryLimits{}.most_questions);
  ASSERT_FALSE(boundary.shortest.empty());
  EXPECT_FALSE(Planted{planted}(boundary.shortest).wrong.empty());
  if (!boundary.nearest.empty()) {
    EXPECT_TRUE(Planted{planted}(boundary.nearest).wrong.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PlantedFault, testing::ValuesIn(planted_faults()));

class MaskedFault : public testing::TestWithParam<Masking> {};

TEST_P(MaskedFault, is_told_in_spite_of_vectors_that_show_nothing) {
  const Planted planted{
      .predicate = {{Coordinate::type, Relation::equal, 1}, {Coordinate::row, Relation::at_least, 5}},
      .masking = GetParam()};
  const auto boundary = planted.found();
  EXPECT_TRUE(boundary.is_confirmed);
  EXPECT_EQ(boundary.masked, GetParam());
  const auto& told = boundary.wrong_where;
  EXPECT_TRUE(std::ranges::all_of(planted.predicate, [&](const Atom& atom) {
    return std::ranges::find(told, atom) != told.end();
  })) << to_text(told);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MaskedFault,
                         testing::Values(Masking::row_index, Masking::counting, Masking::first_row,
                                         Masking::previous_row, Masking::first_batch,
                                         Masking::last_question));

TEST(Boundary, is_not_confirmed_if_effects_hide) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Planted planted{.predicate = {{Coordinate::row, Relation::at_least, 8}}, .one_in_is_right = 50};
    const auto boundary = planted.found(seed);
    EXPECT_TRUE(!boundary.is_confirmed || is_same(planted.predicate, boundary.wrong_where));
  }
}

TEST(Boundary, goes_on_without_what_is_refused) {
  const Predicate planted{{Coordinate::row, Relation::at_least, 32}};
  const Planted fault{.predicate = planted, .takes_heads = false};
  const auto boundary = fault.found();
  EXPECT_TRUE(is_same(planted, boundary.wrong_where)) << to_text(boundary.wrong_where);
}

TEST(Boundary, needs_a_failure_that_repeats) {
  const QuestionPoint question{.rows = 2, .positions = {5, 9}};
  const auto limits = all_limits();
  const auto boundary = find_boundary({question}, {true, {{1, {}}}}, limits,
                                      [](const std::vector<QuestionPoint>&) { return Marked{true}; });
  EXPECT_FALSE(boundary.is_reproducible);
  EXPECT_FALSE(boundary.is_confirmed);
}

TEST(Boundary, needs_vectors_that_are_wrong) {
  const QuestionPoint question{.rows = 2, .positions = {5, 9}};
  const auto boundary = find_boundary({question}, {true}, all_limits(), Planted{});
  EXPECT_FALSE(boundary.is_reproducible);
  EXPECT_FALSE(boundary.is_confirmed);
}

TEST(Boundary, is_unconfirmed_if_no_process_can_be_started) {
  Planted fault{{{Coordinate::rows, Relation::at_least, 4}}};
  fault.limits.starts_afresh = false;
  EXPECT_FALSE(fault.found().is_confirmed);
}

}  // namespace
}  // namespace vernier
