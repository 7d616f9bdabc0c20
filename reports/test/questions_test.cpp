// The questions of the covering design: an engine that is wrong where a condition on its questions holds is
// refused, and the boundary that is told is that condition; honest engines of every interface pass.

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/asking/covering/boundary.hpp"
#include "numerics/asking/covering/predicate.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/engine.hpp"

namespace vernier {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// A question as its coordinates.
QuestionPoint point_of(const Request& request) {
  QuestionPoint point;
  const auto& shape = request.wanted.front().shape;
  point.rank = shape.size() - 2;
  point.rows = shape[point.rank];
  point.batches = point.rank >= 2 ? shape[0] : 1;
  for (std::size_t i = point.rank >= 2 ? 1 : 0; i < point.rank; ++i) {
    point.heads *= shape[i];
  }
  point.own_positions = request.positions.shape().size() == 2;
  point.type = request.wanted.front().type;
  point.apart = request.padding > 0;
  point.positions = integers_of(request.positions);
  for (std::size_t i = 0; request.input && i < request.input->elements(); ++i) {
    const double x = request.input->number(i);
    point.not_finite = std::isnan(x)                                          ? NotFinite::nan_in_pair
                       : std::isinf(x) && point.not_finite == NotFinite::none ? NotFinite::infinity_in_pair
                                                                              : point.not_finite;
  }
  return point;
}

/// Turns vectors by the next position where a predicate holds.
class PlantedEngine : public Engine {
 public:
  explicit PlantedEngine(Predicate predicate) : predicate_(std::move(predicate)) {
    begin = [this] { before_.clear(); };
    begin_question = [this](const Request& request) {
      point_ = point_of(request);
      values_ = before_.coordinates_of(point_);
      before_.add(point_);
    };
    position = [this](const EngineRow& row) {
      const auto at = with_vector(values_, point_, row.copy * row.rows + row.index);
      return row.position() + (holds(predicate_, at) ? 1 : 0);
    };
    says.batched_positions = true;
    says.strides = true;
  }

 private:
  Predicate predicate_;
  AskedBefore before_{0};
  QuestionPoint point_;
  Coordinates values_;
};

/// A class of kernels that nobody foresaw, and the check that tells it.
struct Class {
  Predicate predicate;
  std::string_view id;
};

/// The kernels that passed before there was a design: a tile loop that forgets its head, the third batch, the
/// 34th head, 16-bit indices, the type of the first call, strides at another rank, pages.
std::vector<Class> missed_classes() {
  using enum Coordinate;
  using enum Relation;
  return {{{{row, at_least, 32}, {head, at_least, 1}}, "use/heads"},
          {{{batch, at_least, 2}}, "use/batches"},
          {{{head, at_least, 33}}, "use/heads"},
          {{{index, at_least, 65535}}, "use/lengths"},
          {{{row, at_least, 65535}}, "use/lengths"},
          {{{other_type_first, equal, 1}}, "state/history"},
          {{{rank, equal, 1}, {apart, equal, 1}}, "use/strides"},
          {{{rows, at_most, 1}, {position, multiple, 0, 256}}, "use/lengths"},
          {{{order, equal, 2}}, "use/order"},
          {{{type, equal, 3}}, "use/types"},
          {{{rows, at_most, 3}}, "use/lengths"}};
}

class Classes : public ::testing::TestWithParam<Class> {};

TEST_P(Classes, AreRefusedWithTheirBoundary) {
  const auto& [predicate, id] = GetParam();
  PlantedEngine engine(predicate);
  const auto verdict = judge_vectors(engine);
  EXPECT_EQ(exit_code(verdict), 1) << told(verdict);
  const auto& check = check_named(verdict.checks, id);
  ASSERT_EQ(check.status, Status::fail) << told(verdict);
  ASSERT_TRUE(check.boundary);
  EXPECT_EQ(to_text(check.boundary->wrong_where), to_text(predicate));
  EXPECT_TRUE(check.boundary->is_confirmed) << check.finding;
}

INSTANTIATE_TEST_SUITE_P(Questions, Classes, ::testing::ValuesIn(missed_classes()));

TEST(Questions, HonestOnesPass) {
  Engine engine;
  engine.says.batched_positions = true;
  engine.says.strides = true;
  for (const auto& roles : {std::vector<std::string>{}, {"cos", "sin"}, {"rotated"}}) {
    const auto verdict = judge(engine, roles);
    EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
  }
}

TEST(Questions, TheFirstLineTellsTheRuleThatRowsObey) {
  Engine engine;
  engine.position = [](const EngineRow& row) { return static_cast<std::int64_t>(row.index); };
  // Behind it may stand what all questions that were answered rightly had in common.
  EXPECT_THAT(sentence_of(judge(engine, {"cos", "sin"})),
              testing::StartsWith("row r holds position r, not the one asked for"));
}

TEST(Questions, TheRuleOfRowsIsToldWithWhereItHolds) {
  Engine engine;
  engine.position = [](const EngineRow& row) {
    return row.rows > 1 && row.rows < 900 ? static_cast<std::int64_t>(row.index) : row.position();
  };
  const auto verdict = judge(engine, {"cos", "sin"});
  const auto failed =
      std::ranges::find_if(verdict.checks, [](const Check& one) { return one.boundary.has_value(); });
  ASSERT_NE(failed, verdict.checks.end());
  // A slow machine may have no time to find where.
  const auto where = words_of(failed->boundary->wrong_where);
  EXPECT_THAT(sentence_of(verdict), StartsWith("row r holds position r, not the one asked for" +
                                               (where.empty() ? where : " (" + where)));
  if (!failed->boundary->nearest.empty()) {
    EXPECT_THAT(render_text(verdict), ContainsRegex(";[ \n]+answered[ \n]+right:[ \n]+cos,"));
  }
}

TEST(Questions, OtherBitsWithinTheBudgetAreToldAndFailIfBitsAreRequired) {
  Engine engine;
  // Phases in another order of operations: some ulp of float64, which moves some roundings.
  engine.scale_of_phase = [](const EngineRow& row) { return row.rows < 20 ? 1 + 0x1p-40 : 1.0; };
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "use/lengths").reason,
              Not(HasSubstr(" 0 others within their budget")));
  EXPECT_EQ(exit_code(judge(engine, {"cos", "sin"}, true)), 1);
}

TEST(Questions, AreAskedInTilesWhereOtherNumbersOfRowsAreRefused) {
  for (const bool contiguous_only : {false, true}) {
    Engine engine;
    engine.says.contiguous_only = contiguous_only;
    engine.refuses = [](const Request& request) {
      return rows_of(request) % 64 == 0 ? ResponseStatus::answered : ResponseStatus::unsupported;
    };
    const auto verdict = judge_vectors(engine);
    EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
    EXPECT_THAT(verdict.asking.notes, ::testing::Contains(HasSubstr("in multiples of 128")));
  }
  Engine engine;
  engine.refuses = [](const Request&) { return ResponseStatus::unsupported; };
  EXPECT_EQ(exit_code(judge_vectors(engine)), 4);
}

TEST(Questions, WhatIsWrongAnywayIsNotToldAgain) {
  Engine engine;
  engine.scale_of_phase = [](const EngineRow&) { return 1.01; };
  for (const auto& roles : {std::vector<std::string>{"cos", "sin"}, {"rotated"}}) {
    const auto verdict = judge(engine, roles);
    EXPECT_EQ(exit_code(verdict), 1);
    EXPECT_THAT(uses(verdict, Status::fail), IsEmpty()) << told(verdict);
  }
}

TEST(Questions, AreFewWhereEachCostsAProcess) {
  Engine engine;
  engine.process = true;
  int asked = 0;
  engine.begin_question = [&](const Request&) { ++asked; };
  EXPECT_EQ(exit_code(judge_vectors(engine)), 0);
  EXPECT_LE(asked, 40);
}

TEST(Questions, LimitsOfAnInterfaceAreNoFailures) {
  const auto expect_honest = [](Engine& engine) {
    const auto verdict = judge_vectors(engine);
    EXPECT_THAT(ids(verdict.checks, Status::fail), IsEmpty()) << told(verdict);
    EXPECT_THAT(ids(verdict.checks, Status::error), IsEmpty()) << told(verdict);
  };
  Engine blocks;
  blocks.says.contiguous_only = true;
  expect_honest(blocks);
  Engine flat;
  flat.refuses = [](const Request& request) {
    return request.input && request.input->shape().size() > 2 ? ResponseStatus::unsupported
                                                              : ResponseStatus::answered;
  };
  expect_honest(flat);
  Engine one_type;
  one_type.refuses = [](const Request& request) {
    return request.wanted.front().type == ElementType::float32 ? ResponseStatus::answered
                                                               : ResponseStatus::rejected;
  };
  expect_honest(one_type);
  Engine one_batch;
  one_batch.refuses = [](const Request& request) {
    const auto& shape = request.wanted.front().shape;
    return shape.size() > 3 && shape[0] > 1 ? ResponseStatus::unsupported : ResponseStatus::answered;
  };
  expect_honest(one_batch);
  Engine multiples;
  multiples.refuses = [](const Request& request) {
    return rows_of(request) % 8 == 0 ? ResponseStatus::answered : ResponseStatus::rejected;
  };
  expect_honest(multiples);
}

TEST(Questions, ADeathAtOnePointIsToldAndTheRestGoesOn) {
  Engine engine;
  engine.refuses = [](const Request& request) {
    return rows_of(request) == 2 ? ResponseStatus::crashed : ResponseStatus::answered;
  };
  const auto verdict = judge_vectors(engine);
  EXPECT_EQ(exit_code(verdict), 3) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "use/lengths").reason, HasSubstr("got no answer"));
}

/// A prompt beyond the context changes the frequencies, for all that comes after.
TEST(Questions, ATableKeptAfterALongPrompt) {
  Engine engine;
  bool is_stretched = false;
  engine.begin = [&] { is_stretched = false; };
  engine.begin_question = [&](const Request& request) {
    is_stretched = is_stretched || std::ranges::max(integers_of(request.positions)) >= engine_context;
  };
  engine.scale_of_phase = [&](const EngineRow&) { return is_stretched ? 0.5 : 1.0; };
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_EQ(check_named(verdict.checks, "state/history").status, Status::fail) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "state/history").finding, HasSubstr("beyond the context"));
}

}  // namespace
}  // namespace vernier
