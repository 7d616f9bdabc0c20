// The parts laws are made of: judgement, views, generated cases, and results.

#include "props/laws/law.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "props/broken/broken.hpp"
#include "props/judging/shift.hpp"
#include "props/laws/case_generator.hpp"
#include "props/laws/run_law.hpp"

namespace vernier {
namespace {

using testing::HasSubstr;

TEST(Judgement, FailsExactlyWhenAnEnclosureExcludesZero) {
  const WorkingPrecision precision(128);
  Judgement judgement;
  judgement.must_vanish(hull(-1e-9, 1e-3), 1, "pair", 0);
  EXPECT_FALSE(judgement.failed());
  judgement.must_vanish(hull(0, 1e-3), 1, "pair", 1);
  EXPECT_FALSE(judgement.failed()) << "an end counts";
  judgement.must_vanish(hull(std::numeric_limits<double>::denorm_min(), 1e-3), 1, "pair", 2);
  EXPECT_TRUE(judgement.failed());
  EXPECT_EQ(judgement.worst()->where, "pair 2");
}

TEST(Judgement, FailsOnAnInfiniteEnclosureThatExcludesZero) {
  const WorkingPrecision precision(128);
  Judgement judgement;
  judgement.must_vanish(hull(1, infinity), 1, "pair", 0);
  EXPECT_TRUE(judgement.failed());
  Judgement everything;
  everything.must_vanish(hull(-infinity, infinity), 1, "pair", 0);
  EXPECT_FALSE(everything.failed());
  EXPECT_FALSE(everything.conclusive());
}

TEST(Judgement, IsInconclusiveWhereAFaultOfTheSizeOfTheTermsWouldNotShow) {
  const WorkingPrecision precision(128);
  Judgement narrow;
  narrow.must_vanish(hull(-0.25, 0.25), 1, "pair", 0);
  EXPECT_TRUE(narrow.conclusive());
  Judgement wide;
  wide.must_vanish(hull(-0.26, 0.26), 1, "pair", 0);
  EXPECT_FALSE(wide.conclusive());
  Judgement endless;
  endless.must_vanish(hull(-std::numeric_limits<double>::infinity(), 1), 1, "pair", 0);
  EXPECT_FALSE(endless.conclusive());
}

TEST(Shift, TheWholeMatrixAndItsBlocksMoveARowAlike) {
  const WorkingPrecision precision(192);
  for (const auto layout : {SinusoidalSpec::Layout::interleaved, SinusoidalSpec::Layout::halves}) {
    for (const std::int64_t d : {1, 2, 7, 8}) {
      Judgement judgement;
      const auto reference = *subject_named("reference");
      const auto view = view_table(reference, {.d_model = d, .layout = layout}, judgement);
      const auto row = view->row(12, Allowance::total);
      const auto offset = view->truth(-5);
      const IntervalVector difference = shift_matrix(*view, offset) * row - shifted(*view, offset, row);
      for (const auto& element : difference) {
        EXPECT_TRUE(contains_zero(element));
        EXPECT_LT(radius(element), 0x1p-90);
      }
    }
  }
}

/// A table that is right but for one element that is no number.
class OneNan final : public TableUnderTest {
 public:
  Format stored() const override { return Format::binary32; }
  std::size_t columns() const override { return 2; }
  void row(std::int64_t, std::span<double> out) const override {
    out[0] = 0;
    out[1] = std::numeric_limits<double>::quiet_NaN();
  }
};

TEST(RunLaw, FailsOnANan) {
  LawTarget subject{.id = "nan",
                    .description = "",
                    .contract = "float32",
                    .positions = Format::binary32,
                    .stored = Format::binary32};
  subject.table = [](const SinusoidalSpec&) { return std::make_unique<OneNan>(); };
  subject.domain.sinusoidal = SinusoidalSpec{.d_model = 2};
  for (const auto* id : {"sinusoidal/accuracy", "sinusoidal/bounded", "sinusoidal/constant-norm"}) {
    const auto result = run_law(*law_named(id), subject, {.cases = 5});
    EXPECT_EQ(result.status, CheckStatus::fails) << id;
    EXPECT_THAT(to_string(*result.counterexample), HasSubstr("an element that is not finite, column 1"));
  }
}

TEST(RunLaw, KeepsToTheOneSpecAnImplementationHas) {
  auto subject = *subject_named("float32-pow.float32");
  subject.domain.sinusoidal = SinusoidalSpec{.d_model = 6, .base = 500};
  subject.domain.lowest_position = 0;
  subject.domain.highest_position = 2047;
  for (const auto& law : laws()) {
    if (!law.about_rotations()) {
      const auto result = run_law(law, subject, {});
      EXPECT_EQ(result.status, CheckStatus::holds) << law.id << " " << result.reason;
      EXPECT_THAT(result.domain, HasSubstr("positions 0 .. 2047, sinusoidal, d_model 6, base 500"));
    }
  }
}

TEST(RunLaw, GivesTheSameResultForTheSameSeed) {
  const auto& law = *law_named("sinusoidal/linear-shift");
  const auto subject = *subject_named("float32-pow.float32");
  const auto first = run_law(law, subject, {.seed = 5, .cases = 30});
  const auto again = run_law(law, subject, {.seed = 5, .cases = 30});
  EXPECT_EQ(first.classes, again.classes);
  EXPECT_EQ(to_string(*first.worst), to_string(*again.worst));
  EXPECT_NE(to_string(*first.worst), to_string(*run_law(law, subject, {.seed = 6, .cases = 30}).worst));
}

TEST(RunLaw, ShrinksAndPrintsACounterexampleReadably) {
  const auto result = run_law(*law_named("sinusoidal/linear-shift"), *subject_named("broken:wrong-sign"), {});
  ASSERT_TRUE(result.counterexample);
  const auto& instance = result.counterexample->instance;
  EXPECT_LE(instance.dimension(), 2);
  EXPECT_EQ(instance.base(), 2);
  EXPECT_EQ(std::abs(instance.position("k")), 1) << to_string(*result.counterexample);
  EXPECT_EQ(instance.position("t"), 0) << to_string(*result.counterexample);
  EXPECT_THAT(to_string(*result.counterexample),
              testing::MatchesRegex("d_model = 2, base = 2, t = 0, k = -?1: .*excludes 0"));
}

TEST(RunLaw, AContractTooGenerousToProveAnythingIsInconclusive) {
  // bfloat16 arithmetic allows so much at these positions that no case is conclusive.
  auto subject = *subject_named("float32-pow.float32");
  subject.contract = "bfloat16";
  subject.coverage = {{"", 0.95}};
  const auto result = run_law(*law_named("sinusoidal/accuracy"), subject, {});
  EXPECT_EQ(result.status, CheckStatus::inconclusive);
  EXPECT_THAT(result.reason, HasSubstr("95 % are required"));
}

TEST(CaseGenerator, SimplerCasesStayInTheDomainAndComeToAnEnd) {
  for (const auto& law : laws()) {
    for (const auto* id : {"reference", "bfloat16-throughout.bfloat16"}) {
      const auto domain = domain_of(law, *subject_named(id));
      const auto generator = case_generator(law, domain, Format::bfloat16);
      Dice dice(seed_of(law.id, 1));
      for (int i = 0; i < 3; ++i) {
        LawCase instance = generator.draw(dice);
        int steps = 0;
        for (auto simpler = generator.simpler(instance); !simpler.empty() && steps < 2000; ++steps) {
          instance = simpler[static_cast<std::size_t>(dice.between(0, std::ssize(simpler) - 1))];
          EXPECT_GE(instance.dimension(), domain.smallest_dimension);
          for (const auto row : law.rows(instance)) {
            EXPECT_TRUE(domain.holds(row));
          }
          for (const auto& vector : instance.vectors) {
            EXPECT_EQ(static_cast<std::int64_t>(vector.values.size()), instance.dimension());
            for (const double value : vector.values) {
              EXPECT_TRUE(is_member(Format::bfloat16, value));
            }
          }
          simpler = generator.simpler(instance);
        }
        EXPECT_LT(steps, 2000) << to_string(instance);
      }
    }
  }
}

}  // namespace
}  // namespace vernier
