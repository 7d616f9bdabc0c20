// The checks of the shapes of use: engines that are right whenever all is asked at once, and wrong in one
// shape, are found by the check of that shape and by none that was there before; honest engines of every
// interface are not.

#include <optional>
#include <utility>

#include "reports/live/held_rows.hpp"
#include "reports/live/use_trial.hpp"
#include "reports/test/engine.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

bool is_consecutive(const EngineRow& row) {
  return row.last() - row.first() == static_cast<std::int64_t>(row.rows) - 1;
}

TEST(UseChecks, HonestOnesPassAll) {
  Engine engine;
  const auto vectors = judge_vectors(engine);
  EXPECT_EQ(exit_code(vectors), 0) << told(vectors);
  EXPECT_THAT(uses(vectors, Status::skipped), UnorderedElementsAre("use/batches", "use/strides"));
  const auto tables = judge(engine, {"cos", "sin"});
  EXPECT_EQ(exit_code(tables), 0) << told(tables);
  EXPECT_THAT(uses(tables, Status::skipped),
              UnorderedElementsAre("use/batches", "use/strides", "use/heads", "use/input-range"));
  EXPECT_EQ(check_named(tables.checks, "use/blocks").reason,
            "contiguous blocks: 335 rows have the bits of the main answer");
}

TEST(UseChecks, TheFirstLineTellsTheRuleThatRowsObey) {
  Engine engine;
  const auto sentence = [&](const std::function<std::int64_t(const EngineRow&)>& position) {
    engine.position = position;
    return sentence_of(judge(engine, {"cos", "sin"}));
  };
  EXPECT_EQ(sentence([](const EngineRow& row) { return row.position(); }), "");
  EXPECT_EQ(sentence([](const EngineRow& row) { return static_cast<std::int64_t>(row.index); }),
            "positions are not read: row r holds position r");
  EXPECT_EQ(sentence([](const EngineRow& row) { return row.first() + static_cast<std::int64_t>(row.index); }),
            "rows count on from the first position, whatever else is asked for");
  const auto all_hold = [&](std::size_t (*index)(const EngineRow&)) {
    return sentence(
        [=](const EngineRow& row) { return row.rows == context ? row.position() : row.at(index(row)); });
  };
  EXPECT_EQ(all_hold([](const EngineRow&) { return std::size_t{0}; }),
            "all rows hold the first position that is asked for");
  EXPECT_EQ(all_hold([](const EngineRow& row) { return row.rows - 1; }),
            "all rows hold the last position that is asked for");
  // One row is no rule.
  EXPECT_EQ(sentence([](const EngineRow& row) { return row.rows == 1 ? 0 : row.position(); }),
            "a row alone has other values than among others");
  // Rotated vectors are no rows of a table.
  EXPECT_EQ(sentence_of(judge_vectors(engine)), "a row alone has other values than among others");
}

/// What a question for 8 to 71 is told that has the rows of 0 to 63.
std::string rule_of_first_rows(const std::string& role, OrderedJson spec = {}) {
  constexpr std::size_t rows = 64;
  const auto request = [&](std::int64_t first) {
    return Request{spec,
                   integer_tensor({rows}, block_of(first, rows)),
                   std::nullopt,
                   {{role, ElementType::float32, {rows, rows}}}};
  };
  std::vector<double> values(rows * rows);
  std::iota(values.begin(), values.end(), 0);
  Response answer;
  answer.tensors.emplace(role, tensor_of(Format::binary32, {rows, rows}, values));
  return rule_of_held_rows(request(0), answer, request(8), answer);
}

TEST(UseChecks, NoRuleIsSoughtInBiasesWhoseRowsAreHeads) {
  EXPECT_EQ(rule_of_first_rows("cos"), "positions are not read: row r holds position r");
  EXPECT_EQ(rule_of_first_rows("bias"), "");
}

TEST(UseChecks, RowsThatAreCountedAreCountedInWholePositions) {
  EXPECT_EQ(rule_of_first_rows("cos", {{"position_unit", "1/2"}}), "");
}

TEST(UseChecks, ABlockAnsweredFromZero) {
  Engine engine;
  engine.position = [](const EngineRow& row) {
    const bool is_chunk = row.rows > 1 && row.rows < context && is_consecutive(row);
    return is_chunk ? static_cast<std::int64_t>(row.index) : row.position();
  };
  EXPECT_THAT(found_by(judge(engine, {"cos", "sin"}), "use/blocks"),
              AllOf(StartsWith("the block [1, 68): cos of position 1"),
                    HasSubstr("other bits than in the main answer")));
  EXPECT_THAT(found_by(judge_vectors(engine), "use/blocks"), HasSubstr("rotated of position 1"));
}

TEST(UseChecks, ACacheThatGrowsWrongly) {
  Engine engine;
  std::int64_t before = -1;
  engine.position = [&](const EngineRow& row) {
    const bool grows =
        row.rows == 1 && row.position() == 4096 && std::exchange(before, row.position()) == 4095;
    before = row.position();
    return grows ? std::int64_t{0} : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/decoding"),
              StartsWith("one token at a time, position 4096: rotated"));
}

TEST(UseChecks, PackedSequencesTakenForOne) {
  Engine engine;
  engine.position = [](const EngineRow& row) {
    const bool looks_consecutive = row.rows > 2 && row.at(2) == row.first() + 2;
    return looks_consecutive ? row.first() + static_cast<std::int64_t>(row.index) : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/packed"),
              StartsWith("sequences packed one after another: rotated of position 0"));
}

TEST(UseChecks, OnlyTheFirstHeadIsRight) {
  Engine engine;
  // Its row counts on from head to head: into the table, and beyond its end.
  engine.position = [](const EngineRow& row) {
    return row.position() + static_cast<std::int64_t>(row.copy * row.rows);
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/heads"),
              StartsWith("vectors [2, 6, 19, head_dim] at the block [4981, 5000): rotated of position 4981"));
  // The rows of a table are counted by the wrong dimension, which a long one hides.
  std::int64_t known = 0;
  engine.begin = [&] { known = 0; };
  engine.begin_question = [&](const Request& request) {
    const auto& shape = request.wanted.front().shape;
    const auto positions = integers_of(request.positions);
    known = std::max(
        known, shape.size() == 4 ? static_cast<std::int64_t>(shape[1]) : std::ranges::max(positions) + 1);
  };
  engine.position = [&](const EngineRow& row) {
    const bool is_behind = row.position() < context && row.position() >= known;
    return is_behind ? known - 1 : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/heads"),
              StartsWith("vectors [2, 6, 19, head_dim] at the block [0, 19): rotated of position 6"));
  engine.begin = [] {};
  engine.begin_question = [](const Request&) {};
  // Keys with fewer heads than queries.
  engine.position = [](const EngineRow& row) {
    const auto& shape = row.request.wanted.front().shape;
    const bool is_grouped = shape.size() == 4 && shape[1] == 1;
    return is_grouped && row.copy == 1 ? std::int64_t{0} : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/heads"),
              StartsWith("vectors [2, 1, 19, head_dim] at the block [4981"));
}

TEST(UseChecks, OnlyTheFirstHeadOfASingleTokenIsRight) {
  Engine engine;
  engine.position = [](const EngineRow& row) {
    return row.rows == 1 && row.copy > 0 ? std::int64_t{0} : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/decoding"),
              StartsWith("one token of 4 heads at a time, position 4991: rotated"));
}

TEST(UseChecks, HeadsLeftOverByALoop) {
  Engine engine;
  engine.position = [](const EngineRow& row) { return row.copy >= 32 ? std::int64_t{0} : row.position(); };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/heads"),
              StartsWith("vectors [1, 33, 19, head_dim] at the block [4981"));
}

TEST(UseChecks, BatchesWithThePositionsOfTheFirst) {
  Engine engine;
  engine.says.batched_positions = true;
  EXPECT_EQ(check_named(judge_vectors(engine).checks, "use/batches").status, Status::pass);
  engine.position = [](const EngineRow& row) { return row.at(row.index); };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/batches"), HasSubstr("rotated of position 17"));
  engine.says.batched_positions = false;
  EXPECT_EQ(check_named(judge_vectors(engine).checks, "use/batches").status, Status::skipped);
}

TEST(UseChecks, RowsLeftOverByALoop) {
  Engine engine;
  engine.position = [](const EngineRow& row) {
    const bool is_left = row.rows > 1 && row.rows % 4 == 1 && row.index + 1 == row.rows;
    return is_left ? row.position() - 1 : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/lengths"),
              StartsWith("the block [5, 18): rotated of position 17"));
  engine.position = [](const EngineRow& row) {
    const bool is_left = row.rows > 512 && row.rows % 512 == 1 && row.index + 1 == row.rows;
    return is_left ? row.position() - 1 : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/lengths"),
              StartsWith("the block [5, 518): rotated of position 517"));
}

TEST(UseChecks, TheFirstQuestionOfAProcessDecides) {
  Engine engine;
  // A table that grows with the length of a question, not with its positions; the last row stands for what
  // lies behind it.
  std::int64_t known = 0;
  engine.begin = [&] { known = 0; };
  engine.begin_question = [&](const Request& request) {
    known = std::max(known, static_cast<std::int64_t>(rows_of(request)));
  };
  engine.position = [&](const EngineRow& row) {
    const bool is_behind = row.position() >= known && row.position() < context;
    return is_behind ? known - 1 : row.position();
  };
  EXPECT_THAT(
      found_by(judge_vectors(engine), "use/longest"),
      StartsWith("the block [4992, 5000) after a short one near the start: rotated of position 4992"));
  // Frequencies that the length of the first question decides.
  Engine scaling;
  std::optional<double> scale;
  scaling.begin = [&] { scale.reset(); };
  scaling.begin_question = [&](const Request& request) {
    scale = scale.value_or(rows_of(request) > 1000 ? 0.5 : 1.0);
  };
  scaling.scale_of_phase = [&](const EngineRow&) { return *scale; };
  EXPECT_THAT(found_by(judge_vectors(scaling), "use/longest"),
              HasSubstr(", the first question of a process: rotated"));
}

TEST(UseChecks, DescendingPositionsTakenForAscending) {
  Engine engine;
  engine.position = [](const EngineRow& row) {
    const auto steps = static_cast<std::int64_t>(row.rows) - 1;
    const bool looks_consecutive = std::abs(row.last() - row.first()) == steps;
    return looks_consecutive ? std::min(row.first(), row.last()) + static_cast<std::int64_t>(row.index)
                             : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/order"),
              StartsWith("descending positions: rotated of position 33"));
}

TEST(UseChecks, OtherBitsWithinBudgetAreToldAndNoFailure) {
  Engine engine;
  // For short questions, phases in another order of operations: some ulp of float64, which moves some
  // roundings.
  engine.scale_of_phase = [](const EngineRow& row) { return row.rows < 20 ? 1 + 0x1p-40 : 1.0; };
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_THAT(uses(verdict, Status::fail), IsEmpty()) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "use/decoding").reason,
              HasSubstr("other bits and are within their budget"));
}

TEST(UseChecks, OtherBitsAreAFailureWhereBitsAreRequired) {
  Engine engine;
  engine.scale_of_phase = [](const EngineRow& row) { return row.rows < 20 ? 1 + 0x1p-40 : 1.0; };
  const auto verdict = judge(engine, {"cos", "sin"}, true);
  const auto& check = check_named(verdict.checks, "use/decoding");
  EXPECT_EQ(check.status, Status::fail) << check.reason;
  EXPECT_THAT(check.reason, HasSubstr(" has other bits than in the main answer"));
  EXPECT_THAT(verdict.asking.notes, ::testing::Contains(HasSubstr("(--bitwise)")));
}

/// A process for all that needs no new one, one for short questions first, one for a long one first.
TEST(UseChecks, AnHonestServerIsStartedThreeTimes) {
  Engine engine;
  int begins = 1;
  engine.begin = [&] { ++begins; };
  for (const auto& roles : {std::vector<std::string>{}, {"cos", "sin"}, {"rotated"}}) {
    begins = 1;
    const auto verdict = judge(engine, roles);
    EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
    EXPECT_EQ(begins, 3);
  }
}

/// Honest engines of other interfaces: none of their limits is a failure of a use.
TEST(UseChecks, WhatAnInterfaceCannotBeAskedIsSkipped) {
  // A precomputed table: no row beyond it.
  Engine table;
  table.refuses = [](const Request& request) {
    for (std::size_t i = 0; i < request.positions.elements(); ++i) {
      if (const auto p = *request.positions.integer(i); p < 0 || p >= context) {
        return ResponseStatus::rejected;
      }
    }
    return ResponseStatus::answered;
  };
  const auto of_table = judge_vectors(table);
  EXPECT_EQ(exit_code(of_table), 0) << told(of_table);
  // An offset and a length.
  Engine blocks;
  blocks.says.contiguous_only = true;
  blocks.refuses = [](const Request& request) {
    for (std::size_t i = 1; i < request.positions.elements(); ++i) {
      if (*request.positions.integer(i) != *request.positions.integer(i - 1) + 1) {
        return ResponseStatus::rejected;
      }
    }
    return ResponseStatus::answered;
  };
  const auto of_blocks = judge_vectors(blocks);
  EXPECT_THAT(uses(of_blocks, Status::pass),
              UnorderedElementsAre("use/blocks", "use/decoding", "use/heads", "use/lengths", "use/longest",
                                   "use/input-range"))
      << told(of_blocks);
  EXPECT_THAT(uses(of_blocks, Status::skipped),
              UnorderedElementsAre("use/packed", "use/batches", "use/strides", "use/order"));
  EXPECT_THAT(check_named(of_blocks.checks, "use/packed").reason,
              HasSubstr("takes consecutive positions only"));
  // One vector a position, and no heads.
  Engine flat;
  flat.refuses = [](const Request& request) {
    return request.input && request.input->shape().size() > 2 ? ResponseStatus::unsupported
                                                              : ResponseStatus::answered;
  };
  const auto of_flat = judge_vectors(flat);
  EXPECT_EQ(exit_code(of_flat), 0) << told(of_flat);
  EXPECT_EQ(check_named(of_flat.checks, "use/heads").status, Status::skipped);
  EXPECT_EQ(check_named(of_flat.checks, "use/input-range").status, Status::pass);
}

TEST(UseChecks, ACommandIsAskedAtMostTwiceForEach) {
  Engine engine;
  engine.process = true;
  std::vector<std::string> shapes;
  engine.begin_question = [&](const Request& request) {
    shapes.push_back(to_string(request.wanted.front().shape));
  };
  const auto verdict = judge_vectors(engine);
  EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
  EXPECT_THAT(uses(verdict, Status::pass),
              UnorderedElementsAre("use/blocks", "use/packed", "use/heads", "use/input-range"));
  EXPECT_EQ(std::ranges::count(shapes, "[2, 6, 19, 16]"), 1);
  // Whoever ends at a shape that no command was asked for before has declined it.
  engine.refuses = [](const Request& request) {
    return request.input && request.input->shape().size() > 2 ? ResponseStatus::crashed
                                                              : ResponseStatus::answered;
  };
  EXPECT_EQ(exit_code(judge_vectors(engine)), 0);
}

TEST(UseChecks, WhatIsWrongAnywayIsNotToldAgain) {
  Engine engine;
  engine.scale_of_phase = [](const EngineRow&) { return 1.01; };
  for (const auto& roles : {std::vector<std::string>{"cos", "sin"}, {"rotated"}}) {
    const auto verdict = judge(engine, roles);
    EXPECT_EQ(exit_code(verdict), 1);
    EXPECT_THAT(uses(verdict, Status::fail), IsEmpty()) << told(verdict);
  }
}

TEST(UseChecks, APositionWithinReachMustNotBeRejected) {
  Engine engine;
  engine.refuses = [](const Request& request) {
    return rows_of(request) == 1 ? ResponseStatus::rejected : ResponseStatus::answered;
  };
  const auto verdict = judge_vectors(engine);
  EXPECT_EQ(check_named(verdict.checks, "use/decoding").status, Status::inconclusive);
  engine.refuses = [](const Request& request) {
    return rows_of(request) == 67 ? ResponseStatus::crashed : ResponseStatus::answered;
  };
  EXPECT_EQ(check_named(judge_vectors(engine).checks, "use/blocks").status, Status::error);
}

}  // namespace
}  // namespace vernier
