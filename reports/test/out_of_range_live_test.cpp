// What implementations answer to positions that they were not promised for: another row, nothing, a refusal.

#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/test/checks_of_verdicts.hpp"
#include "reports/test/fake.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

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

/// Where all rows are one, those out of range have none of another position.
TEST(ValidateLive, ATableOfEqualRowsIsNotToldTwice) {
  Fake fake;
  fake.position = [](std::int64_t) { return 0; };
  const auto verdict = judge(fake);
  EXPECT_EQ(check_named(verdict.checks, "effects/out-of-range").status, Status::pass);
  EXPECT_EQ(exit_code(verdict), 1);
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

}  // namespace
}  // namespace vernier
