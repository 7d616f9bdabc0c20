// The verdict on implementations that are asked: honest ones, and ones broken in just the way that one check
// is for. They live in this process; crashes are played.

#include "reports/live/validate_live.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/live/contiguous_blocks.hpp"
#include "numerics/live/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/checks/check_meaning.hpp"
#include "reports/live/live_check.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::UnorderedElementsAre;

constexpr std::string_view rope = R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 400})";
constexpr std::size_t all_rows = 400;
constexpr double base = 10000;

/// RoPE and learned tables computed in float64 and stored in float32, and a way to spoil them.
class Fake : public LiveImplementation {
 public:
  using Spoil = std::function<Response(const Request&, Response)>;

  explicit Fake(Spoil spoil = [](const Request&, const Response& honest) { return honest; })
      : spoil_(std::move(spoil)) {}

  std::string description() const override { return "a fake"; }
  bool observes_memory() const override { return watched; }
  bool costs_a_process() const override { return process; }
  Response ask(const Request& request) override {
    ++asked;
    return spoil_(request, answer(request));
  }

  bool watched = true;
  bool process = false;
  int asked = 0;
  /// What position an element is computed for.
  std::function<std::int64_t(std::int64_t)> position = [](std::int64_t p) { return p; };

 private:
  double element(const Request& request, const WantedTensor& wanted, std::size_t row,
                 std::size_t column) const {
    const auto p = position(*request.positions.integer(row % rows_of(request)));
    const auto width = wanted.shape.back();
    if (wanted.role == "encoding") {
      return static_cast<double>(p) * 10 + static_cast<double>(column);
    }
    const auto pairs = wanted.role == "rotated" ? width / 2 : std::min<std::size_t>(width, 8);
    const auto pair = column % pairs;
    const double phase =
        static_cast<double>(p) * std::pow(base, -static_cast<double>(pair) / static_cast<double>(pairs));
    if (wanted.role != "rotated") {
      return wanted.role == "cos" ? std::cos(phase) : std::sin(phase);
    }
    const auto x = [&](std::size_t c) { return request.input->number(row * width + c); };
    return column < pairs ? x(pair) * std::cos(phase) - x(pair + pairs) * std::sin(phase)
                          : x(pair) * std::sin(phase) + x(pair + pairs) * std::cos(phase);
  }

  Response answer(const Request& request) const {
    Response response;
    for (const auto& wanted : request.wanted) {
      std::vector<double> values;
      const auto width = wanted.shape.back();
      // Rows of all batches and heads.
      const auto rows =
          std::accumulate(wanted.shape.begin(), wanted.shape.end() - 1, std::size_t{1}, std::multiplies{});
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
          values.push_back(round_to(Format::binary32, element(request, wanted, row, column)));
        }
      }
      response.tensors.emplace(wanted.role, tensor_of(Format::binary32, wanted.shape, values));
    }
    return response;
  }

  Spoil spoil_;
};

/// The tensor with one element moved by one step.
Tensor nudged(const Tensor& tensor, std::size_t index) {
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  bytes[index * 4] ^= std::byte{1};
  return {tensor.type(), tensor.shape(), std::move(bytes)};
}

void nudge_first_tensor(Response& response, std::size_t index) {
  auto& tensor = response.tensors.begin()->second;
  tensor = nudged(tensor, index);
}

Response failed(ResponseStatus status, std::string reason) {
  return {status, std::move(reason)};
}

Verdict judge(Fake& fake, std::string_view spec = rope) {
  return validate_live(fake, parse_spec(ObjectReader(parse_json(spec, "spec"), "spec", "")),
                       {.name = "fake", .source = "spec", .cases = 2, .reproduce = "again"});
}

TEST(ValidateLive, HonestOnesConform) {
  Fake fake;
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(verdict.producer, "a fake");
  EXPECT_EQ(verdict.rows, all_rows);
  for (const auto id :
       {"implementation/answers/cos", "implementation/answers/sin", "implementation/answers/rotated",
        "accuracy/cos", "accuracy/sin", "effects/determinism", "effects/batch", "effects/rows",
        "effects/sequence", "effects/out-of-range", "effects/input", "effects/memory", "effects/output",
        "effects/environment"}) {
    EXPECT_EQ(check_named(verdict.checks, id).status, Status::pass)
        << id << ": " << check_named(verdict.checks, id).reason;
  }
}

TEST(ValidateLive, EveryCheckHasAnIdOfItsOwnAndAMeaning) {
  Fake fake;
  std::set<std::string> seen;
  for (const auto& check : judge(fake).checks) {
    EXPECT_TRUE(seen.insert(check.id).second) << check.id;
    EXPECT_TRUE(check_meaning_of(check.id)) << check.id;
  }
}

TEST(ValidateLive, CommandsAreAskedFewTimesAndTheirMemoryIsNotJudged) {
  Fake fake;
  fake.process = true;
  fake.watched = false;
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_THAT(fake.asked, Le(22));
  EXPECT_THAT(ids(verdict.checks, Status::skipped),
              ::testing::IsSupersetOf({"effects/sequence", "effects/input", "effects/memory",
                                       "effects/output", "effects/environment"}));
}

TEST(ValidateLive, OtherBitsOnTheSecondCall) {
  int calls = 0;
  Fake fake([&](const Request& request, Response honest) {
    if (request.wanted.front().role == "cos" && rows_of(request) == all_rows && ++calls > 1) {
      nudge_first_tensor(honest, 8 * 100 + 3);
    }
    return honest;
  });
  const auto verdict = judge(fake);
  const auto& check = check_named(verdict.checks, "effects/determinism");
  EXPECT_EQ(check.status, Status::fail);
  EXPECT_THAT(check.counterexample,
              ::testing::IsSupersetOf({std::pair<std::string, std::string>("position", "100"),
                                       std::pair<std::string, std::string>("column", "3")}));
  EXPECT_THAT(ids(verdict.checks, Status::fail), UnorderedElementsAre("effects/determinism"));
  EXPECT_EQ(exit_code(verdict), 1);
}

TEST(ValidateLive, OtherBitsInTheTailOfAVectorisedLoop) {
  Fake fake([](const Request& request, Response honest) {
    if (request.wanted.front().role == "rotated" && rows_of(request) % 8 != 0) {
      nudge_first_tensor(honest, (rows_of(request) - 1) * 16);
    }
    return honest;
  });
  const auto verdict = judge(fake);
  EXPECT_EQ(check_named(verdict.checks, "effects/rows").status, Status::fail);
  EXPECT_THAT(check_named(verdict.checks, "effects/rows").reason, HasSubstr("rotated"));
}

TEST(ValidateLive, OtherBitsElsewhereInTheBatch) {
  Fake fake([](const Request& request, Response honest) {
    if (rows_of(request) > 1 && *request.positions.integer(1) != 1 && request.positions.integer(1) != -2) {
      nudge_first_tensor(honest, 0);
    }
    return honest;
  });
  EXPECT_EQ(check_named(judge(fake).checks, "effects/batch").status, Status::fail);
}

TEST(ValidateLive, ALongSequenceThatChangesAShortOne) {
  bool stretched = false;
  Fake fake([&](const Request& request, Response honest) {
    if (stretched && rows_of(request) == 8 && *request.positions.integer(0) == 0) {
      nudge_first_tensor(honest, 20);
    }
    stretched = stretched || rows_of(request) >= all_rows;
    return honest;
  });
  const auto verdict = judge(fake);
  EXPECT_EQ(check_named(verdict.checks, "effects/sequence").status, Status::fail);
  EXPECT_THAT(check_named(verdict.checks, "effects/sequence").reason, HasSubstr("(cos, sin)"));
}

TEST(ValidateLive, PositionsOutOfRangeThatGetAnotherRow) {
  const auto verdict_of = [](std::function<std::int64_t(std::int64_t)> position) {
    Fake fake;
    fake.position = std::move(position);
    return judge(fake);
  };
  const auto reason_of = [&](std::function<std::int64_t(std::int64_t)> position) {
    const auto verdict = verdict_of(std::move(position));
    EXPECT_THAT(ids(verdict.checks, Status::fail), UnorderedElementsAre("effects/out-of-range"));
    return check_named(verdict.checks, "effects/out-of-range").reason;
  };
  EXPECT_EQ(reason_of([](std::int64_t p) { return std::max<std::int64_t>(p, 0); }),
            "position -1 got the row of position 0 (cos, sin)");
  EXPECT_EQ(reason_of([](std::int64_t p) { return (p % 400 + 400) % 400; }),
            "position -1 got the row of position 399 (cos, sin)");
  EXPECT_EQ(reason_of([](std::int64_t p) { return std::min<std::int64_t>(p, 399); }),
            "position 400 got the row of position 399 (cos, sin)");
}

TEST(ValidateLive, WhatWasNotPromisedIsToldAndFailsNothing) {
  const auto reason_of = [](std::function<std::int64_t(std::int64_t)> position) {
    Fake fake;
    fake.position = std::move(position);
    const auto verdict = judge(fake);
    EXPECT_EQ(exit_code(verdict), 0);
    return check_named(verdict.checks, "effects/out-of-range").reason;
  };
  EXPECT_THAT(
      reason_of([](std::int64_t p) { return static_cast<std::int64_t>(static_cast<std::int32_t>(p)); }),
      HasSubstr("of 2^31 answered wrong (position 2147483648, column "));
  EXPECT_THAT(reason_of([](std::int64_t p) { return p < 0 ? p + 1000000 : p; }),
              AllOf(HasSubstr("below 0 answered wrong (position -1, column "),
                    HasSubstr("beyond the last one answered right")));
}

TEST(ValidateLive, CosinesOfOppositePositionsAreTheSame) {
  Fake fake([](const Request& request, Response honest) {
    const bool is_cosine = request.wanted.size() == 1 && request.wanted.front().role == "cos";
    return is_cosine ? std::move(honest) : failed(ResponseStatus::unsupported, "only cosines");
  });
  EXPECT_EQ(check_named(judge(fake).checks, "effects/out-of-range").status, Status::pass);
}

TEST(ValidateLive, VectorsRotatedAsAtAnotherPosition) {
  const auto verdict_of = [](std::function<std::int64_t(std::int64_t)> position) {
    Fake fake([](const Request& request, Response honest) {
      return request.input ? std::move(honest) : failed(ResponseStatus::unsupported, "only rotated vectors");
    });
    fake.position = std::move(position);
    return judge(fake);
  };
  EXPECT_EQ(exit_code(verdict_of([](std::int64_t p) { return p; })), 0);
  const auto reason_of = [&](std::function<std::int64_t(std::int64_t)> position) {
    return check_named(verdict_of(std::move(position)).checks, "effects/out-of-range").reason;
  };
  EXPECT_EQ(reason_of([](std::int64_t p) { return std::abs(p); }),
            "position -1 got the row of position 1 (rotated)");
  EXPECT_EQ(reason_of([](std::int64_t p) { return std::clamp<std::int64_t>(p, 0, 399); }),
            "position -1 got the row of position 0 (rotated)");
  EXPECT_EQ(reason_of([](std::int64_t p) { return p < 0 ? p : p % 400; }),
            "position 400 got the row of position 0 (rotated)");
}

TEST(ValidateLive, PositionsOutOfRangeThatAreRejected) {
  Fake fake([](const Request& request, Response honest) {
    for (std::size_t i = 0; i < request.positions.elements(); ++i) {
      const auto position = *request.positions.integer(i);
      if (position < 0 || position > 399) {
        return failed(ResponseStatus::rejected, "out of range");
      }
    }
    return honest;
  });
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(check_named(verdict.checks, "effects/out-of-range").reason,
            "positions below 0 rejected, beyond the last one rejected, of 2^31 rejected");
}

TEST(ValidateLive, LearnedTablesAreNotReadBeyondTheirEnd) {
  constexpr std::string_view learned =
      R"({"scheme": "learned", "values": [[0, 1, 2, 3, 4, 5, 6, 7], [10, 11, 12, 13, 14, 15, 16, 17]]})";
  Fake clamped;
  clamped.position = [](std::int64_t p) { return std::clamp<std::int64_t>(p, 0, 1); };
  EXPECT_EQ(check_named(judge(clamped, learned).checks, "effects/out-of-range").reason,
            "position -1 got the row of position 0 (encoding)");
  Fake beyond;
  const auto verdict = judge(beyond, learned);
  EXPECT_EQ(check_named(verdict.checks, "effects/out-of-range").reason,
            "position -1, which has no row, was answered (encoding)");
  EXPECT_THAT(ids(verdict.checks, Status::fail), UnorderedElementsAre("effects/out-of-range"));
}

TEST(ValidateLive, SideEffects) {
  for (const auto& [kind, id] :
       {std::pair(SideEffectKind::wrote_outside_output, "effects/memory"),
        std::pair(SideEffectKind::changed_input, "effects/input"),
        std::pair(SideEffectKind::left_output_unwritten, "effects/output"),
        std::pair(SideEffectKind::changed_floating_point_environment, "effects/environment")}) {
    int calls = 0;
    Fake fake([&, kind = kind](const Request&, Response honest) {
      if (++calls == 5) {
        honest.side_effects = {{kind, "what was seen"}};
      }
      return honest;
    });
    const auto verdict = judge(fake);
    EXPECT_THAT(ids(verdict.checks, Status::fail), UnorderedElementsAre(id));
    EXPECT_EQ(check_named(verdict.checks, id).reason, "what was seen");
  }
}

TEST(ValidateLive, ACrashEndsOnlyTheCheckThatAsked) {
  int calls = 0;
  Fake fake([&](const Request& request, Response honest) {
    const bool again = request.wanted.front().role == "cos" && rows_of(request) == all_rows && ++calls == 2;
    return again ? failed(ResponseStatus::crashed, "killed by signal 11") : std::move(honest);
  });
  const auto verdict = judge(fake);
  EXPECT_THAT(ids(verdict.checks, Status::error), UnorderedElementsAre("effects/determinism"));
  EXPECT_THAT(check_named(verdict.checks, "effects/determinism").reason, HasSubstr("killed by signal 11"));
  EXPECT_EQ(check_named(verdict.checks, "effects/rows").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/sin").status, Status::pass);
  EXPECT_EQ(exit_code(verdict), 3);
}

TEST(ValidateLive, NoAnswerAtAll) {
  const auto exit_code_of = [](ResponseStatus status) {
    Fake fake([&](const Request&, const Response&) { return failed(status, "the reason"); });
    const auto verdict = judge(fake);
    EXPECT_THAT(ids(verdict.checks, Status::pass), IsEmpty());
    EXPECT_THAT(check_named(verdict.checks, "implementation/answers/cos").reason, HasSubstr("the reason"));
    return exit_code(verdict);
  };
  EXPECT_EQ(exit_code_of(ResponseStatus::crashed), 3);
  EXPECT_EQ(exit_code_of(ResponseStatus::timed_out), 3);
  EXPECT_EQ(exit_code_of(ResponseStatus::malformed), 1);
  EXPECT_EQ(exit_code_of(ResponseStatus::rejected), 4);
  EXPECT_EQ(exit_code_of(ResponseStatus::unsupported), 4);
}

TEST(ValidateLive, WhoDoesNotSupportOneShapeOrRoleIsAskedForAnother) {
  Fake wide([](const Request& request, Response honest) {
    const bool narrow = request.wanted.front().shape.back() == 8;
    return narrow ? failed(ResponseStatus::unsupported, "only as wide as the head") : std::move(honest);
  });
  const auto both = judge(wide);
  EXPECT_EQ(exit_code(both), 0);
  EXPECT_EQ(check_named(both.checks, "accuracy/cos").status, Status::pass);
  Fake only_cosines([](const Request& request, Response honest) {
    return request.wanted.size() > 1 || request.wanted.front().role != "cos"
               ? failed(ResponseStatus::unsupported, "only cosines")
               : std::move(honest);
  });
  const auto cosines = judge(only_cosines);
  EXPECT_EQ(exit_code(cosines), 0);
  EXPECT_EQ(check_named(cosines.checks, "accuracy/cos").status, Status::pass);
  EXPECT_THAT(ids(cosines.checks, Status::skipped),
              ::testing::IsSupersetOf({"implementation/answers/sin", "implementation/answers/rotated"}));
}

TEST(ValidateLive, OneWrongPositionAnywhereIsFound) {
  constexpr std::string_view long_context =
      R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 20000})";
  for (const std::int64_t wrong : {8193, 11111, 19998}) {
    Fake fake([](const Request& request, Response honest) {
      return request.input ? failed(ResponseStatus::unsupported, "only tables") : std::move(honest);
    });
    fake.position = [&](std::int64_t p) { return p == wrong ? p + 1 : p; };
    const auto verdict = judge(fake, long_context);
    EXPECT_EQ(exit_code(verdict), 1);
    EXPECT_EQ(check_named(verdict.checks, "accuracy/cos").first_failing->position, wrong);
  }
}

TEST(ValidateLive, TheVerdictSaysWhichShareWasAsked) {
  constexpr std::string_view long_context =
      R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 20000})";
  Fake fake;
  const auto verdict = judge(fake, long_context);
  ASSERT_EQ(verdict.asking.coverage.size(), 2U);
  EXPECT_EQ(verdict.asking.coverage[0].roles, "cos, sin");
  EXPECT_EQ(verdict.asking.coverage[0].positions.asked, 20000U);
  EXPECT_EQ(verdict.asking.coverage[0].positions.largest_gap, 0U);
  EXPECT_EQ(verdict.asking.coverage[1].roles, "rotated");
  EXPECT_LT(verdict.asking.coverage[1].positions.asked, 8193U);
  EXPECT_THAT(verdict.asking.coverage[1].positions.largest_gap, ::testing::AllOf(::testing::Gt(0U), Le(12U)));
}

TEST(ValidateLive, AQuickLookSaysLoudlyThatItIsOne) {
  Fake fake;
  const auto verdict = validate_live(
      fake,
      parse_spec(ObjectReader(
          parse_json(R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 20000})", "spec"),
          "spec", "")),
      {.name = "fake", .source = "spec", .questions = {.quick = true}, .cases = 2});
  EXPECT_THAT(render_text(verdict), ::testing::StartsWith("fake: conforms (QUICK LOOK at 29."));
}

TEST(ValidateLive, WhoTakesFewRowsAtATimeIsAskedInBlocks) {
  Fake fake([](const Request& request, Response honest) {
    return rows_of(request) > 150 ? failed(ResponseStatus::rejected, "too many rows") : std::move(honest);
  });
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(verdict.rows, all_rows);
  EXPECT_EQ(verdict.asking.coverage[0].positions.asked, all_rows);
}

TEST(ValidateLive, PositionsThatAreRefusedAreToldAndNotPromised) {
  const auto up_to_100 = [](const Request& request, Response honest) {
    const bool is_within =
        std::ranges::all_of(integers_of(request.positions), [](auto p) { return p < 100; });
    return is_within ? std::move(honest) : failed(ResponseStatus::rejected, "beyond the table");
  };
  Fake within_context(up_to_100);
  const auto promised = judge(within_context);
  EXPECT_EQ(exit_code(promised), 4);
  EXPECT_THAT(check_named(promised.checks, "implementation/answers/cos").reason,
              HasSubstr("answered for 100 of 400 positions, and refused the next: beyond the table"));
  Fake without_context(up_to_100);
  const auto verdict = judge(without_context, R"({"scheme": "rope", "head_dim": 16})");
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(verdict.rows, 100U);
  EXPECT_EQ(verdict.asking.coverage[0].positions.of, 131072U);
}

TEST(ValidateLive, WhoIsTooSlowForAllIsAskedForASample) {
  Fake fake([](const Request& request, Response honest) {
    return rows_of(request) > 7000 ? failed(ResponseStatus::timed_out, "too slow") : std::move(honest);
  });
  fake.process = true;
  const auto verdict = judge(fake, R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 20000})");
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_LT(verdict.asking.coverage[0].positions.asked, 7000U);
  EXPECT_EQ(verdict.greatest_position, 19999);
}

TEST(ValidateLive, TablesAsWideAsTheHeadAreAcceptedWhateverTheyAreRefusedWith) {
  for (const auto status : {ResponseStatus::malformed, ResponseStatus::rejected}) {
    Fake wide([&](const Request& request, Response honest) {
      const bool is_wide = !request.input && request.wanted.front().shape.back() == 16;
      return is_wide ? std::move(honest) : failed(status, "only tables as wide as the head");
    });
    const auto verdict = judge(wide);
    EXPECT_EQ(check_named(verdict.checks, "implementation/answers/cos").status, Status::pass);
    EXPECT_EQ(check_named(verdict.checks, "accuracy/sin").status, Status::pass);
  }
  Fake tables([&](const Request& request, Response honest) {
    const bool is_wide = !request.input && request.wanted.front().shape.back() == 16;
    return is_wide ? std::move(honest)
                   : failed(ResponseStatus::unsupported, "only tables as wide as the head");
  });
  const auto verdict = judge(tables);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(check_named(verdict.checks, "property/rope/relative-only").status, Status::pass)
      << "asked as wide";
}

/// Whether positions are k, k + 1, ...
bool is_block(const Request& request) {
  return contiguous_blocks(request).size() == 1;
}

TEST(ValidateLive, WhoTakesContiguousBlocksOnlyConforms) {
  for (const auto status : {ResponseStatus::rejected, ResponseStatus::unsupported}) {
    Fake fake([&](const Request& request, Response honest) {
      return is_block(request) ? std::move(honest) : failed(status, "only blocks");
    });
    const auto verdict =
        judge(fake, R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 9000})");
    EXPECT_EQ(exit_code(verdict), 0);
    for (const auto id : {"accuracy/cos", "accuracy/rotated", "effects/determinism", "effects/rows",
                          "property/rope/accuracy", "property/rope/relative-only"}) {
      EXPECT_EQ(check_named(verdict.checks, id).status, Status::pass) << id;
    }
    ASSERT_EQ(verdict.asking.notes.size(), 1U);
    EXPECT_THAT(verdict.asking.notes.front(), HasSubstr("takes contiguous blocks of positions only"));
  }
}

TEST(ValidateLive, ACommandThatTakesContiguousBlocksOnlyIsAskedFewTimes) {
  Fake fake([&](const Request& request, Response honest) {
    return is_block(request) ? std::move(honest) : failed(ResponseStatus::crashed, "left with exit code 1");
  });
  fake.process = true;
  fake.watched = false;
  const auto verdict = judge(fake, R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 9000})");
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "property/rope/accuracy").status, Status::skipped);
  EXPECT_THAT(fake.asked, Le(40));
}

TEST(ValidateLive, WhatCannotBeAskedOfABlockIsSkipped) {
  Fake fake([&](const Request& request, Response honest) {
    return request.input       ? failed(ResponseStatus::unsupported, "only tables")
           : is_block(request) ? std::move(honest)
                               : failed(ResponseStatus::crashed, "left with exit code 1");
  });
  fake.process = true;
  fake.watched = false;
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(check_named(verdict.checks, "effects/batch").status, Status::skipped);
}

TEST(ValidateLive, CanBeInterrupted) {
  Fake fake;
  EXPECT_THROW(validate_live(fake, parse_spec(ObjectReader(parse_json(rope, "spec"), "spec", "")),
                             {.name = "fake", .source = "spec", .pause = [] { throw InputError("stop"); }}),
               InputError);
}

}  // namespace
}  // namespace vernier
