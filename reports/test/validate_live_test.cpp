// The verdict on implementations that are asked: honest ones, and ones broken in just the way that one check
// is for. They live in this process; crashes are played.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/input_error.hpp"
#include "reports/checks/check_meaning.hpp"
#include "reports/live/live_check.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/test/fake.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::UnorderedElementsAre;

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

TEST(ValidateLive, CanBeInterrupted) {
  Fake fake;
  EXPECT_THROW(validate_live(fake, parse_spec(ObjectReader(parse_json(rope, "spec"), "spec", "")),
                             {.name = "fake", .source = "spec", .pause = [] { throw InputError("stop"); }}),
               InputError);
}

}  // namespace
}  // namespace vernier
