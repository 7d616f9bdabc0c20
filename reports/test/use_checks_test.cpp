// The checks of the shapes of use: engines that are right whenever all is asked at once, and wrong in one
// shape, are found by the check of that shape and by none that was there before; honest engines of every
// interface are not.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/live/rows.hpp"
#include "numerics/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/scheme_registry.hpp"
#include "reference/schemes/rope.hpp"
#include "reports/live/validate_live.hpp"
#include "reports/test/checks_of_verdicts.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr std::int64_t context = 5000;
constexpr std::size_t head_dim = 16;
constexpr std::size_t pairs = head_dim / 2;

/// A row of a question.
struct Row {
  const Request& request;
  std::size_t copy;   ///< of all batches and heads
  std::size_t index;  ///< within the copy
  std::size_t rows;   ///< of a copy

  std::int64_t at(std::size_t i) const { return *request.positions.integer(i); }
  std::int64_t first() const { return at(0); }
  std::int64_t last() const { return at(rows - 1); }
  /// The position that it should have.
  std::int64_t position() const {
    const auto& shape = request.positions.shape();
    const auto copies = request.wanted.front().shape.size() == 2 ? 1 : request.wanted.front().shape[0];
    const auto heads = request.input ? request.input->elements() / head_dim / rows / copies : 1;
    return at(shape.size() == 1 ? index : copy / heads * rows + index);
  }
};

/// RoPE in float64, stored in float32, and what may be wrong with it.
class Engine : public LiveImplementation {
 public:
  std::string description() const override { return "an engine"; }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return process; }
  Takes takes() const override { return says; }
  void start_afresh() override { begin(); }
  Response ask(const Request& request) override {
    if (const auto status = refuses(request); status != ResponseStatus::answered) {
      return {status, "it says why"};
    }
    begin_question(request);
    Response response;
    for (const auto& wanted : request.wanted) {
      const auto rows = rows_of(request);
      const auto width = wanted.shape.back();
      const auto all =
          std::accumulate(wanted.shape.begin(), wanted.shape.end(), std::size_t{1}, std::multiplies{});
      std::vector<double> values(all);
      for (std::size_t i = 0; i < all / width; ++i) {
        compute(wanted.role, {request, i / rows, i % rows, rows},
                std::span(values).subspan(i * width, width));
      }
      finish(values);
      std::ranges::transform(values, values.begin(), [](double x) { return round_to(Format::binary32, x); });
      response.tensors.emplace(wanted.role, tensor_of(Format::binary32, wanted.shape, values));
    }
    return response;
  }

  Takes says = {};
  bool process = false;
  std::function<std::int64_t(const Row&)> position = [](const Row& row) { return row.position(); };
  std::function<double(double)> element = [](double x) { return x; };
  std::function<double(const Row&)> scale_of_phase = [](const Row&) { return 1.0; };
  std::function<ResponseStatus(const Request&)> refuses = [](const Request&) {
    return ResponseStatus::answered;
  };
  std::function<void()> begin = [] {};
  std::function<void(const Request&)> begin_question = [](const Request&) {};
  std::function<void(std::vector<double>&)> finish = [](std::vector<double>&) {};

 private:
  void compute(const std::string& role, const Row& row, std::span<double> out) const {
    const auto p = static_cast<double>(position(row));
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double phase = scale_of_phase(row) * p *
                           std::pow(10000.0, -static_cast<double>(pair) / static_cast<double>(pairs));
      const double c = std::cos(phase);
      const double s = std::sin(phase);
      if (role != "rotated") {
        out[pair] = role == "cos" ? c : s;
        continue;
      }
      const auto start = (row.copy * row.rows + row.index) * head_dim;
      const double x = element(row.request.input->number(start + pair));
      const double y = element(row.request.input->number(start + pair + pairs));
      out[pair] = x * c - y * s;
      out[pair + pairs] = x * s + y * c;
    }
  }
};

Verdict judge(Engine& engine, std::vector<std::string> roles) {
  constexpr std::string_view spec = R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 5000})";
  LiveOptions options{.name = "engine", .source = "spec", .cases = 1};
  options.questions.roles = std::move(roles);
  options.questions.positions = PositionRange{0, 1, context};
  return validate_live(engine, parse_spec(ObjectReader(parse_json(spec, "spec"), "spec", "")), options);
}

Verdict judge_vectors(Engine& engine) {
  return judge(engine, {"rotated"});
}

std::vector<std::string> uses(const Verdict& verdict, Status status) {
  auto found = ids(verdict.checks, status);
  std::erase_if(found, [](const std::string& id) { return !id.starts_with("use/"); });
  return found;
}

/// The reason of the check that must find the fault. Beside those of uses only a law may, which draws many
/// lengths.
std::string found_by(const Verdict& verdict, std::string_view id) {
  EXPECT_THAT(ids(verdict.checks, Status::fail), Each(AnyOf(StartsWith("use/"), StartsWith("property/"))))
      << id;
  EXPECT_THAT(ids(verdict.checks, Status::error), IsEmpty()) << id;
  EXPECT_EQ(exit_code(verdict), 1) << id;
  const auto& check = check_named(verdict.checks, id);
  EXPECT_EQ(check.status, Status::fail) << id << ": " << check.reason;
  return check.reason;
}

std::string told(const Verdict& verdict) {
  std::string text;
  for (const auto& check : verdict.checks) {
    text += check.id + ": " + std::string(to_string(check.status)) + ", " + check.reason + '\n';
  }
  return text;
}

bool is_consecutive(const Row& row) {
  return row.last() - row.first() == static_cast<std::int64_t>(row.rows) - 1;
}

TEST(UseChecks, HonestOnesPassAll) {
  Engine engine;
  const auto vectors = judge_vectors(engine);
  EXPECT_EQ(exit_code(vectors), 0) << told(vectors);
  EXPECT_THAT(uses(vectors, Status::skipped), UnorderedElementsAre("use/batches"));
  const auto tables = judge(engine, {"cos", "sin"});
  EXPECT_EQ(exit_code(tables), 0) << told(tables);
  EXPECT_THAT(uses(tables, Status::skipped),
              UnorderedElementsAre("use/batches", "use/heads", "use/input-range"));
  EXPECT_EQ(check_named(tables.checks, "use/blocks").reason,
            "contiguous blocks: 335 rows have the bits of the main answer");
}

TEST(UseChecks, ABlockAnsweredFromZero) {
  Engine engine;
  engine.position = [](const Row& row) {
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
  engine.position = [&](const Row& row) {
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
  engine.position = [](const Row& row) {
    const bool looks_consecutive = row.rows > 2 && row.at(2) == row.first() + 2;
    return looks_consecutive ? row.first() + static_cast<std::int64_t>(row.index) : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/packed"),
              StartsWith("sequences packed one after another: rotated of position 0"));
}

TEST(UseChecks, OnlyTheFirstHeadIsRight) {
  Engine engine;
  // Its row counts on from head to head: into the table, and beyond its end.
  engine.position = [](const Row& row) {
    return row.position() + static_cast<std::int64_t>(row.copy * row.rows);
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/heads"),
              StartsWith("vectors [2, 6, 19, head_dim] at the block [0, 19): rotated of position 0"));
  // Keys with fewer heads than queries.
  engine.position = [](const Row& row) {
    const auto& shape = row.request.wanted.front().shape;
    const bool is_grouped = shape.size() == 4 && shape[1] == 1;
    return is_grouped && row.copy == 1 ? std::int64_t{0} : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/heads"),
              StartsWith("vectors [2, 1, 19, head_dim] at the block [4981"));
}

TEST(UseChecks, BatchesWithThePositionsOfTheFirst) {
  Engine engine;
  engine.says.batched_positions = true;
  EXPECT_EQ(check_named(judge_vectors(engine).checks, "use/batches").status, Status::pass);
  engine.position = [](const Row& row) { return row.at(row.index); };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/batches"), HasSubstr("rotated of position 17"));
  engine.says.batched_positions = false;
  EXPECT_EQ(check_named(judge_vectors(engine).checks, "use/batches").status, Status::skipped);
}

TEST(UseChecks, RowsLeftOverByALoop) {
  Engine engine;
  engine.position = [](const Row& row) {
    const bool is_left = row.rows > 1 && row.rows % 4 == 1 && row.index + 1 == row.rows;
    return is_left ? row.position() - 1 : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/lengths"),
              StartsWith("the block [5, 18): rotated of position 17"));
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
  engine.position = [&](const Row& row) {
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
  scaling.scale_of_phase = [&](const Row&) { return *scale; };
  EXPECT_THAT(found_by(judge_vectors(scaling), "use/longest"),
              HasSubstr(", the first question of a process: rotated"));
}

TEST(UseChecks, DescendingPositionsTakenForAscending) {
  Engine engine;
  engine.position = [](const Row& row) {
    const auto steps = static_cast<std::int64_t>(row.rows) - 1;
    const bool looks_consecutive = std::abs(row.last() - row.first()) == steps;
    return looks_consecutive ? std::min(row.first(), row.last()) + static_cast<std::int64_t>(row.index)
                             : row.position();
  };
  EXPECT_THAT(found_by(judge_vectors(engine), "use/order"),
              StartsWith("descending positions: rotated of position 33"));
}

TEST(UseChecks, InputsThatAreClippedOrOverflowInside) {
  Engine clips;
  clips.element = [](double x) { return std::clamp(x, -64.0, 64.0); };
  EXPECT_THAT(found_by(judge_vectors(clips), "use/input-range"), StartsWith("elements near 2^125: rotated"));
  Engine half;
  half.element = [](double x) { return std::fabs(x) > 65504 ? std::copysign(INFINITY, x) : x; };
  EXPECT_THAT(found_by(judge_vectors(half), "use/input-range"), StartsWith("elements near 2^125: rotated"));
  Engine loses;
  loses.element = [](double x) { return std::fabs(x) < 0x1p-50 ? 0 : x; };
  EXPECT_THAT(found_by(judge_vectors(loses), "use/input-range"), HasSubstr("elements near 2^-"));
  Engine normalises;  // by adding the hidden bit to what has none
  normalises.element = [](double x) { return x != 0 && std::fabs(x) < 0x1p-126 ? x + 1 : x; };
  EXPECT_THAT(found_by(judge_vectors(normalises), "use/input-range"),
              StartsWith("subnormal elements: rotated"));
}

TEST(UseChecks, ANumberThatIsNotFiniteStaysInItsPair) {
  for (const std::size_t distance : {std::size_t{1}, head_dim, 7 * head_dim}) {
    Engine spreads;
    spreads.finish = [&](std::vector<double>& values) {
      const auto before = values;
      for (std::size_t i = 0; i < before.size(); ++i) {
        if (std::isnan(before[i]) && i + distance < values.size()) {
          values[i + distance] = NAN;
        }
      }
    };
    EXPECT_THAT(found_by(judge_vectors(spreads), "use/input-range"), HasSubstr("NaN"));
  }
}

TEST(UseChecks, SubnormalNumbersMayBeFlushedAndInfinitiesRejected) {
  Engine flushes;
  const auto flushed = [](double x) { return std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x; };
  flushes.element = flushed;
  flushes.finish = [&](std::vector<double>& values) {
    std::ranges::transform(values, values.begin(), flushed);
  };
  const auto verdict = judge_vectors(flushes);
  EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "use/input-range").reason,
              HasSubstr("subnormal numbers are flushed to zero"));
  Engine careful;
  careful.refuses = [](const Request& request) {
    for (std::size_t i = 0; request.input && i < request.input->elements(); ++i) {
      if (!std::isfinite(request.input->number(i))) {
        return ResponseStatus::rejected;
      }
    }
    return ResponseStatus::answered;
  };
  const auto rejecting = judge_vectors(careful);
  EXPECT_EQ(exit_code(rejecting), 0) << told(rejecting);
  EXPECT_THAT(check_named(rejecting.checks, "use/input-range").reason,
              HasSubstr("vectors with inf and NaN are declined"));
}

TEST(UseChecks, OtherBitsWithinBudgetAreToldAndNoFailure) {
  Engine engine;
  // For short questions, phases in another order of operations: some ulp of float64, which moves some
  // roundings.
  engine.scale_of_phase = [](const Row& row) { return row.rows < 20 ? 1 + 0x1p-40 : 1.0; };
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_THAT(uses(verdict, Status::fail), IsEmpty()) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "use/decoding").reason,
              HasSubstr("other bits and are within their budget"));
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
              UnorderedElementsAre("use/packed", "use/batches", "use/order"));
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
  engine.scale_of_phase = [](const Row&) { return 1.01; };
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

/// RoPE as a recipe computes and stores it.
class RecipeEngine final : public LiveImplementation {
 public:
  RecipeEngine(const Recipe& recipe, const RopeEncoding& encoding, Format stored)
      : rotation_(recipe, encoding.parameters(), stored) {
    for (const auto component : {Component::cosine, Component::sine}) {
      tables_.emplace(component == Component::cosine ? "cos" : "sin",
                      std::make_unique<RecipeTable>(recipe, encoding.table(component), stored));
    }
  }

  std::string description() const override { return "a recipe"; }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return false; }
  Response ask(const Request& request) override {
    Response response;
    for (const auto& wanted : request.wanted) {
      const auto width = wanted.shape.back();
      std::vector<double> values(
          std::accumulate(wanted.shape.begin(), wanted.shape.end(), std::size_t{1}, std::multiplies{}));
      std::vector<double> input(width);
      for (std::size_t row = 0; row < values.size() / width; ++row) {
        const auto position = *request.positions.integer(row % rows_of(request));
        const auto out = std::span(values).subspan(row * width, width);
        if (wanted.role == "rotated") {
          request.input->numbers(row * width, input);
          rotation_.rotate(position, input, out);
        } else {
          tables_.at(wanted.role)->row(position, out);
        }
      }
      response.tensors.emplace(wanted.role, tensor_of(*traits(wanted.type).format, wanted.shape, values));
    }
    return response;
  }

 private:
  RecipeRotation rotation_;
  std::map<std::string, std::unique_ptr<RecipeTable>> tables_;
};

TEST(UseChecks, EveryRecipePassesInEveryFormat) {
  constexpr std::array<std::string_view, 3> specs{
      R"({"scheme": "rope", "head_dim": 8})",
      R"({"scheme": "rope", "head_dim": 12, "layout": "interleaved", "direction": "clockwise",
          "partial_rotary_factor": 0.5, "rope_theta": 500000})",
      R"({"scheme": "rope", "head_dim": 8,
          "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 100}})"};
  std::size_t turn = 0;
  for (const auto& recipe : recipes()) {
    for (const auto stored : all_formats()) {
      const auto spec = specs[turn++ % specs.size()];
      auto encoding = parse_spec(ObjectReader(parse_json(spec, "spec"), "spec", ""));
      RecipeEngine engine(recipe, dynamic_cast<const RopeEncoding&>(*encoding), stored);
      LiveOptions options{.name = "recipe", .source = "spec", .cases = 1};
      options.contract = recipe.contract;
      options.questions.positions = PositionRange{0, 1, 200};
      options.questions.type = element_type_of(stored);
      const auto verdict = validate_live(engine, std::move(encoding), options);
      for (const auto& check : verdict.checks) {
        const bool is_fine = check.status == Status::pass || check.status == Status::skipped;
        EXPECT_TRUE(is_fine || !check.id.starts_with("use/"))
            << recipe.id << " stored as " << traits(stored).name << ", " << spec << '\n'
            << check.id << ": " << check.reason;
      }
    }
  }
}

}  // namespace
}  // namespace vernier
