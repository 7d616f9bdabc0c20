// Vectors over the whole range of the format: engines that are right for small ones only.

#include "reports/test/engine.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(InputRange, InputsThatAreClippedOrOverflowInside) {
  Engine clips;
  clips.element = [](double x) { return std::clamp(x, -64.0, 64.0); };
  EXPECT_THAT(found_by(judge_vectors(clips), "use/input-range"), StartsWith("elements near 2^125: rotated"));
  Engine half;
  half.element = [](double x) { return std::fabs(x) > 65504 ? std::copysign(INFINITY, x) : x; };
  EXPECT_THAT(found_by(judge_vectors(half), "use/input-range"), StartsWith("elements near 2^125: rotated"));
  Engine at_the_top;
  at_the_top.element = [](double x) { return std::fabs(x) > 0x1p127 ? x / 2 : x; };
  EXPECT_THAT(found_by(judge_vectors(at_the_top), "use/input-range"),
              StartsWith("one element near the greatest number"));
  Engine loses;
  loses.element = [](double x) { return std::fabs(x) < 0x1p-50 ? 0 : x; };
  EXPECT_THAT(found_by(judge_vectors(loses), "use/input-range"), HasSubstr("elements near 2^-"));
  Engine normalises;  // by adding the hidden bit to what has none
  normalises.element = [](double x) { return x != 0 && std::fabs(x) < 0x1p-126 ? x + 1 : x; };
  EXPECT_THAT(found_by(judge_vectors(normalises), "use/input-range"),
              StartsWith("subnormal elements: rotated"));
}

TEST(InputRange, ANumberThatIsNotFiniteStaysInItsPair) {
  for (const std::size_t distance : {std::size_t{1}, engine_head_dim, 7 * engine_head_dim}) {
    Engine spreads;
    spreads.finish = [&](std::vector<double>& values) {
      const auto before = values;
      for (std::size_t i = 0; i < before.size(); ++i) {
        if (std::isnan(before[i]) && i + distance < values.size()) {
          values[i + distance] = NAN;
        }
      }
    };
    found_by(judge_vectors(spreads), "use/not-finite");
  }
}

TEST(InputRange, AnInfinityInTheFirstDimensionStaysInItsPair) {
  Engine looks_at_the_first;
  looks_at_the_first.finish = [](std::vector<double>& values) {
    for (std::size_t i = 0; i + engine_head_dim <= values.size(); i += engine_head_dim) {
      values[i + 3] = std::isfinite(values[i]) ? values[i + 3] : NAN;
    }
  };
  found_by(judge_vectors(looks_at_the_first), "use/not-finite");
}

TEST(InputRange, SubnormalNumbersMayBeFlushedAndInfinitiesRejected) {
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
  EXPECT_EQ(check_named(rejecting.checks, "use/not-finite").status, Status::skipped);
}

}  // namespace
}  // namespace vernier
