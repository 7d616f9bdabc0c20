// What is asked of an implementation: all positions, or what it takes of them, and what the verdict says of
// that.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/asked_through.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/test/fake.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Le;

TEST(Asking, WhoDoesNotSupportOneShapeOrRoleIsAskedForAnother) {
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

TEST(Asking, OneWrongPositionAnywhereIsFound) {
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

TEST(Asking, TheVerdictSaysWhichShareWasAsked) {
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

TEST(Asking, AQuickLookSaysLoudlyThatItIsOne) {
  Fake fake;
  const auto verdict =
      validate_live(fake, parsed(R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 20000})"),
                    {.name = "fake", .source = "spec", .questions = {.quick = true}, .cases = 2});
  EXPECT_THAT(render_text(verdict), ::testing::StartsWith("fake: conforms (QUICK LOOK at 29."));
  EXPECT_THAT(check_named(verdict.checks, "effects/determinism").reason,
              ::testing::StartsWith("the same question again: the same bits in "));
}

TEST(Asking, WhoTakesFewRowsAtATimeIsAskedInBlocks) {
  for (const auto status : {ResponseStatus::rejected, ResponseStatus::unsupported}) {
    Fake fake([&](const Request& request, Response honest) {
      return rows_of(request) > 150 ? failed(status, "too many rows") : std::move(honest);
    });
    const auto verdict = judge(fake);
    EXPECT_EQ(exit_code(verdict), 0);
    EXPECT_EQ(verdict.rows, all_rows);
    EXPECT_EQ(verdict.asking.coverage[0].positions.asked, all_rows);
  }
}

TEST(Asking, PositionsThatAreRefusedAreToldAndNotPromised) {
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

TEST(Asking, WhoIsTooSlowForAllIsAskedForASample) {
  Fake fake([](const Request& request, Response honest) {
    return rows_of(request) > 7000 ? failed(ResponseStatus::timed_out, "too slow") : std::move(honest);
  });
  fake.process = true;
  const auto verdict = judge(fake, R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 20000})");
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_LT(verdict.asking.coverage[0].positions.asked, 7000U);
  EXPECT_EQ(verdict.greatest_position, 19999);
}

TEST(Asking, TablesAsWideAsTheHeadAreAcceptedWhateverTheyAreRefusedWith) {
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
  EXPECT_EQ(check_named(verdict.checks, "law/rope/offset-only").status, Status::pass) << "asked as wide";
}

/// Whether positions are k, k + 1, ...
bool is_block(const Request& request) {
  return contiguous_blocks(request).size() == 1;
}

TEST(Asking, WhoTakesContiguousBlocksOnlyConforms) {
  for (const auto status : {ResponseStatus::rejected, ResponseStatus::unsupported}) {
    Fake fake([&](const Request& request, Response honest) {
      return is_block(request) ? std::move(honest) : failed(status, "only blocks");
    });
    const auto verdict =
        judge(fake, R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 9000})");
    EXPECT_EQ(exit_code(verdict), 0);
    for (const auto id : {"accuracy/cos", "accuracy/rotated", "effects/determinism", "use/lengths",
                          "law/rope/accuracy", "law/rope/offset-only"}) {
      EXPECT_EQ(check_named(verdict.checks, id).status, Status::pass) << id;
    }
    ASSERT_EQ(verdict.asking.notes.size(), 1U);
    EXPECT_THAT(verdict.asking.notes.front(), HasSubstr("takes only contiguous blocks of positions"));
  }
}

TEST(Asking, ACommandThatTakesContiguousBlocksOnlyIsAskedFewTimes) {
  Fake fake([&](const Request& request, Response honest) {
    return is_block(request) ? std::move(honest) : failed(ResponseStatus::crashed, "left with exit code 1");
  });
  fake.process = true;
  fake.watched = false;
  const auto verdict = judge(fake, R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 9000})");
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "law/rope/accuracy").status, Status::skipped);
  EXPECT_THAT(fake.asked, Le(40));
}

TEST(Asking, WhatCannotBeAskedOfABlockIsSkipped) {
  Fake fake([&](const Request& request, Response honest) {
    return request.input       ? failed(ResponseStatus::unsupported, "only tables")
           : is_block(request) ? std::move(honest)
                               : failed(ResponseStatus::crashed, "left with exit code 1");
  });
  fake.process = true;
  fake.watched = false;
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(check_named(verdict.checks, "use/order").status, Status::pass);
}

}  // namespace
}  // namespace vernier
