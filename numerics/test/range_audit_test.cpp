// The audit by kernels against the plain one, element by element: counts, places, the worst and the first
// failing element are the same, sums and histograms are as close as range_audit.hpp says. On every
// instruction set of this machine, for every format, and for implementations that break in every way the
// kernels must not overlook.

#include "numerics/audit/range_audit.hpp"

#include <cfenv>
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "made_tensors.hpp"
#include "numerics/audit/auditor.hpp"
#include "numerics/audit/kernel.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

enum class RangeFault { none, off_by_an_ulp, not_finite, huge, zeros, signs };

constexpr std::array range_faults{RangeFault::none, RangeFault::off_by_an_ulp, RangeFault::not_finite,
                                  RangeFault::huge, RangeFault::zeros,         RangeFault::signs};

/// A recipe's table with a fault.
class Faulty final : public TableUnderTest {
 public:
  Faulty(const Recipe& recipe, const TrigTable& table, Format stored, RangeFault fault)
      : honest_(recipe, table, stored), fault_(fault) {}

  Format stored() const override { return honest_.stored(); }
  std::size_t columns() const override { return honest_.columns(); }
  void row(std::int64_t position, std::span<double> out) const override {
    honest_.row(position, out);
    for (std::size_t c = 0; c < out.size(); ++c) {
      const auto at = static_cast<std::int64_t>(c) + position * static_cast<std::int64_t>(out.size());
      out[c] = changed(at, out[c]);
    }
  }

 private:
  double changed(std::int64_t at, double value) const {
    switch (fault_) {
      case RangeFault::off_by_an_ulp:
        return at % 97 == 0 && std::isfinite(value) ? next_up(stored(), value) : value;
      case RangeFault::not_finite:
        return at % 1009 == 0   ? std::numeric_limits<double>::quiet_NaN()
               : at % 1013 == 0 ? round_to(stored(), -infinity)
                                : value;
      case RangeFault::huge:
        return at % 499 == 0   ? round_to(stored(), std::min(traits(stored()).largest(), 1e30))
               : at % 503 == 0 ? 5
                               : value;
      case RangeFault::zeros:
        return 0;
      case RangeFault::signs:
        return at % 5 == 0 ? -value : value;
      case RangeFault::none:
        break;
    }
    return value;
  }

  RecipeTable honest_;
  RangeFault fault_;
};

struct Work {
  TrigTable table;
  const TableUnderTest& implementation;
  BudgetModel model;
  PositionRange positions;
};

/// What an audit is, by the plain auditor.
AuditReport audited_plainly(const Work& work) {
  CertifiedTable truth(work.table, work.positions.count);
  Auditor auditor(work.model, work.implementation.stored(), work.table.frequencies.pairs());
  std::vector<double> got(truth.columns());
  std::vector<Enclosure> values(got.size());
  std::vector<Enclosure> partners(got.size());
  for (std::int64_t row = 0; row < work.positions.count; ++row) {
    const auto position = work.positions.at(row);
    work.implementation.row(position, got);
    truth.row(position, values, partners);
    auditor.add_row(truth, row, position, got, values, partners);
  }
  return auditor.report();
}

AuditReport by_kernels(const Work& work, const AuditOptions& options) {
  const MadeRows rows(work.implementation, work.positions);
  const RangeInput subject{&rows, work.model};
  return audit_range(work.table, work.positions, std::span(&subject, 1), options).front();
}

void expect_same_place(const Place& a, const Place& b) {
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.row, b.row);
}

void expect_same_element(const std::optional<ElementReport>& a, const std::optional<ElementReport>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (a) {
    expect_same_place(a->place, b->place);
    if (a->budget_ratio != b->budget_ratio) {
      EXPECT_NEAR(a->budget_ratio, b->budget_ratio, b->budget_ratio * 1e-9);
    }
  }
}

/// Close to 2^-17 of the mean magnitude.
void expect_close(const ErrorSummary& fast, const ErrorSummary& slow) {
  EXPECT_EQ(fast.count(), slow.count());
  EXPECT_NEAR(fast.mean(), slow.mean(), slow.mean() * 0x1p-17);
  EXPECT_NEAR(fast.signed_mean(), slow.signed_mean(), slow.mean() * 0x1p-17);
  EXPECT_NEAR(fast.rms(), slow.rms(), slow.rms() * 0x1p-17);
  EXPECT_NEAR(fast.greatest(), slow.greatest(), slow.greatest() * 1e-14);
  if (slow.count() > 0) {
    expect_same_place(fast.greatest_place(), slow.greatest_place());
  }
}

/// Errors that the plain audit counts below `floor` may be counted with it; all others are in their bins, but
/// for those so near an edge that an uncertainty of 2^-14 decides: one in a thousand at most.
void expect_same_histogram(const ErrorSummary& fast, const ErrorSummary& slow, double floor) {
  std::uint64_t below_fast = 0;
  std::uint64_t below_slow = 0;
  std::uint64_t different = 0;
  for (std::size_t bin = 0; bin < ErrorSummary::bins; ++bin) {
    const auto a = fast.histogram()[bin];
    const auto b = slow.histogram()[bin];
    if (bin <= ErrorSummary::bin_of(floor)) {
      below_fast += a;
      below_slow += b;
    } else {
      different += a > b ? a - b : b - a;
    }
  }
  EXPECT_LE(below_fast > below_slow ? below_fast - below_slow : below_slow - below_fast,
            slow.count() / 1000 + 1);
  EXPECT_LE(different, slow.count() / 1000 + 2);
}

void expect_cells(const AuditReport& fast, const AuditReport& slow) {
  ASSERT_EQ(fast.bands.size(), slow.bands.size());
  for (const auto& [index, expected] : slow.bands) {
    const auto& band = fast.bands.at(index);
    EXPECT_EQ(band.first_position, expected.first_position);
    EXPECT_EQ(band.last_position, expected.last_position);
    EXPECT_GE(band.greatest_budget, expected.greatest_budget * (1 - 1e-12));
    for (std::size_t pair = 0; pair < expected.pairs.size(); ++pair) {
      const auto& a = band.pairs[pair];
      const auto& b = expected.pairs[pair];
      EXPECT_EQ(a.finite, b.finite);
      EXPECT_NEAR(a.greatest_error, b.greatest_error, b.greatest_error * 0x1p-20 + 1e-15);
      EXPECT_NEAR(a.greatest_ulps, b.greatest_ulps, b.greatest_ulps * 0x1p-16 + 0x1p-14);
      EXPECT_NEAR(a.greatest_phase_roundings, b.greatest_phase_roundings,
                  b.greatest_phase_roundings * 0x1p-16 + 0x1p-14);
      EXPECT_EQ(a.judged, b.judged);
      EXPECT_EQ(a.failing, b.failing);
      EXPECT_EQ(a.greatest_budget_ratio > 1, b.failing > 0);
      if (std::isinf(b.greatest_budget_ratio)) {
        EXPECT_EQ(a.greatest_budget_ratio, b.greatest_budget_ratio);
      } else if (b.failing > 0) {
        // Two enclosures of a truth have other middles: by less than 2^-40 of any budget.
        EXPECT_NEAR(a.greatest_budget_ratio, b.greatest_budget_ratio, b.greatest_budget_ratio * 0x1p-40);
      } else {
        EXPECT_NEAR(a.greatest_budget_ratio, b.greatest_budget_ratio,
                    b.greatest_budget_ratio * 0x1p-13 + 0x1p-14);
      }
      EXPECT_GE(a.greatest_budget_ratio, b.greatest_budget_ratio * (1 - 0x1p-16) - 0x1p-20);
    }
  }
}

void expect_same_extent(const std::optional<FailingExtent>& fast, const std::optional<FailingExtent>& slow) {
  ASSERT_EQ(fast.has_value(), slow.has_value());
  for (const auto range : {&FailingExtent::positions, &FailingExtent::columns, &FailingExtent::pairs}) {
    if (slow) {
      EXPECT_EQ(((*fast).*range).least, ((*slow).*range).least);
      EXPECT_EQ(((*fast).*range).greatest, ((*slow).*range).greatest);
    }
  }
}

/// \param smallest the smallest ulp error that kernels tell apart
void expect_same(const AuditReport& fast, const AuditReport& slow, Format stored, double amplitude) {
  EXPECT_EQ(fast.judged, slow.judged);
  EXPECT_EQ(fast.failing, slow.failing);
  EXPECT_EQ(fast.inconclusive, slow.inconclusive);
  const auto& a = fast.statistics;
  const auto& b = slow.statistics;
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.non_finite(), b.non_finite());
  EXPECT_EQ(a.correctly_rounded(), b.correctly_rounded());
  EXPECT_EQ(a.faithful(), b.faithful());
  EXPECT_EQ(a.undecided(), b.undecided());
  ASSERT_EQ(a.first_non_finite().has_value(), b.first_non_finite().has_value());
  if (b.first_non_finite()) {
    expect_same_place(*a.first_non_finite(), *b.first_non_finite());
  }
  expect_same_element(fast.worst, slow.worst);
  expect_same_element(fast.first_failing, slow.first_failing);
  expect_same_extent(fast.failing_extent, slow.failing_extent);
  expect_close(a.ulps(), b.ulps());
  expect_close(a.absolute(), b.absolute());
  expect_close(a.phase_roundings(), b.phase_roundings());
  const double floor = std::exp2(std::ilogb(amplitude) - 25 - (traits(stored).precision - 1));
  expect_same_histogram(a.absolute(), b.absolute(), floor);
  expect_same_histogram(a.ulps(), b.ulps(), 0x1p-15);
  // An element may count as 2^(1/4) times the band that its block is binned with, an octave more, and as the
  // upper ends of two bins. Eight bits have so few errors that a percentile may be one such element.
  const double excess = traits(stored).is_storage_only() ? 2 * std::exp2(0.75)
                                                         : ErrorStatistics::phase_roundings_percentile_excess;
  for (const double share : {0.5, 0.9, 0.99, 0.999}) {
    EXPECT_GE(a.phase_roundings().percentile(share), b.phase_roundings().percentile(share) / 1.26)
        << "not an upper bound";
    EXPECT_LE(a.phase_roundings().percentile(share), b.phase_roundings().percentile(share) * excess + 0x1p-5);
  }
  expect_cells(fast, slow);
}

TrigTable both(const RopeSpec& spec) {
  auto table = spec.table(Component::cosine);
  const auto sine = spec.table(Component::sine);
  table.columns.insert(table.columns.end(), sine.columns.begin(), sine.columns.end());
  return table;
}

class RangeAuditOf : public testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Formats, RangeAuditOf, testing::ValuesIn(all_formats()),
                         [](const auto& instance) { return std::string(traits(instance.param).name); });

/// Compares on every instruction set.
void compare(const TrigTable& table, const TableUnderTest& implementation, std::string_view contract,
             const PositionRange& positions) {
  const Work work{table, implementation, contract_named(contract)->bind(table, implementation.stored()),
                  positions};
  const auto expected = audited_plainly(work);
  for (std::size_t set = 0; set < audit_kernel_sets().size(); ++set) {
    SCOPED_TRACE(audit_kernel_sets()[set].name);
    // As much room as ever, and as of tables of a hundred thousand columns.
    for (const std::size_t histogram_bytes : {AuditOptions{}.histogram_bytes, std::size_t{0}}) {
      expect_same(by_kernels(work, {.histogram_bytes = histogram_bytes, .kernel_set = set}), expected,
                  implementation.stored(), work.model.amplitude());
    }
  }
}

TEST_P(RangeAuditOf, FindsInEveryFaultWhatThePlainAuditFinds) {
  const auto table = both({.head_dim = 64});
  for (const auto fault : range_faults) {
    SCOPED_TRACE(static_cast<int>(fault));
    compare(table, Faulty(recipe_named("float32-pow"), table, GetParam(), fault), "float32", {0, 1, 1300});
  }
}

TEST_P(RangeAuditOf, JudgesOneComponentAlone) {
  for (const auto component : {Component::sine, Component::cosine}) {
    const auto table = RopeSpec{.head_dim = 32}.table(component);
    for (const auto fault : {RangeFault::none, RangeFault::off_by_an_ulp, RangeFault::not_finite}) {
      SCOPED_TRACE(static_cast<int>(fault));
      compare(table, Faulty(recipe_named("float32-pow"), table, GetParam(), fault), "float32", {0, 1, 300});
    }
  }
}

TEST_P(RangeAuditOf, CountsWhatIsNextToOne) {
  // Cosines of the slowest pairs, whose errors are smaller than all that histograms tell apart.
  const auto table = both({.head_dim = 256, .rope_theta = 1'000'000'000});
  for (const auto fault : {RangeFault::none, RangeFault::off_by_an_ulp}) {
    SCOPED_TRACE(static_cast<int>(fault));
    compare(table, Faulty(recipe_named("float64-pow"), table, GetParam(), fault), "float32", {0, 1, 40});
  }
}

/// At position 0 and where a fault crosses a power of two the gaps on both sides of a number differ.
TEST_P(RangeAuditOf, JudgesWhatIsOnlyRounded) {
  // The rarest faults, one element in 1009, stand 19 times in so many rows; the audit's blocks are those of
  // the tests around.
  auto table = both({.head_dim = 64, .rope_theta = 1'000'000'000});
  for (const int amplitude : {1, 3}) {
    table.amplitude = amplitude;
    for (const auto* contract : {"correctly-rounded", "faithful"}) {
      for (const auto fault : range_faults) {
        SCOPED_TRACE(static_cast<int>(fault));
        compare(table, Faulty(recipe_named("float64-pow"), table, GetParam(), fault), contract, {0, 1, 300});
      }
      // The first element is the amplitude; the number after it is next to no other truth.
      const Faulty moved(recipe_named("float64-pow"), table, GetParam(), RangeFault::off_by_an_ulp);
      const auto report =
          audited_plainly({table, moved, contract_named(contract)->bind(table, GetParam()), {0, 1, 1}});
      ASSERT_TRUE(report.first_failing) << contract;
      EXPECT_EQ(report.first_failing->place.column, 0U);
    }
  }
}

TEST_P(RangeAuditOf, JudgesTheRecipesOfEachContract) {
  const auto table = both({.head_dim = 32, .rope_theta = 500000});
  for (const auto& recipe : recipes()) {
    for (const auto stored : storage_formats(recipe)) {
      if (stored == GetParam()) {
        SCOPED_TRACE(recipe.id);
        compare(table, Faulty(recipe, table, stored, RangeFault::none), recipe.contract, {60000, 7, 1500});
      }
    }
  }
}

TEST_P(RangeAuditOf, TellsWhereBudgetsProveNothing) {
  // From positions where all budgets are conclusive to where most prove nothing.
  const auto table = both({.head_dim = 32});
  for (const auto* contract : {"float32", "bfloat16", "float16"}) {
    SCOPED_TRACE(contract);
    compare(table, Faulty(recipe_named("float32-pow"), table, GetParam(), RangeFault::off_by_an_ulp),
            contract, {1, 2843, 700});
  }
}

TEST_P(RangeAuditOf, JudgesAmplitudesPaddingAndOddWidths) {
  SinusoidalSpec spec{.d_model = 43, .base = Rational(20001, 2), .scale = Rational(3, 10)};
  spec.padding_idx = 100;
  const auto table = spec.table();
  for (const auto fault : {RangeFault::none, RangeFault::not_finite, RangeFault::signs}) {
    SCOPED_TRACE(static_cast<int>(fault));
    compare(table, Faulty(recipe_named("float32-pow"), table, GetParam(), fault), "float32", {0, 1, 700});
    compare(table, Faulty(recipe_named("float64-pow"), table, GetParam(), fault), "faithful", {0, 1, 700});
  }
}

TEST_P(RangeAuditOf, JudgesBothEndsOfThePositions) {
  const auto table = both({.head_dim = 16});
  const Faulty implementation(recipe_named("float64-pow"), table, GetParam(), RangeFault::none);
  compare(table, implementation, "float64", {-500, 1, 1000});
  compare(table, implementation, "float64", {300, -1, 600});
  compare(table, implementation, "float64", {largest_position - 200, 1, 201});
  compare(table, implementation, "float64", {-largest_position, 4294967, 1000});
}

TEST(RangeAudit, ReadsTensorsWhereverTheyLie) {
  const auto table = RopeSpec{.head_dim = 64}.table(Component::cosine);
  for (const auto format : all_formats()) {
    const Faulty implementation(recipe_named("float32-pow"), table, format, RangeFault::off_by_an_ulp);
    const auto positions = positions_from(10, 400);
    const auto aligned = tensor_of(format, {400, table.columns.size()}, values_of(implementation, positions));
    std::vector<std::byte> moved(aligned.bytes().size() + 1);
    std::ranges::copy(aligned.bytes(), moved.begin() + 1);
    const Tensor unaligned(element_type_of(format), aligned.shape(), std::span(moved).subspan(1), nullptr);
    const Work work{table, implementation, contract_named("float32")->bind(table, format), {10, 1, 400}};
    const auto expected = by_kernels(work, {});
    for (const auto& tensor : {aligned, unaligned}) {
      const TensorRows rows(tensor, 0);
      const RangeInput subject{&rows, work.model};
      const auto report = audit_range(table, work.positions, std::span(&subject, 1)).front();
      EXPECT_EQ(report.statistics.ulps().rms(), expected.statistics.ulps().rms());
      EXPECT_EQ(report.statistics.correctly_rounded(), expected.statistics.correctly_rounded());
      EXPECT_EQ(report.worst->budget_ratio, expected.worst->budget_ratio);
    }
  }
}

TEST(RangeAudit, DoesNotDependOnThreadsOrInstructionSets) {
  const auto table = both({.head_dim = 64});
  const Faulty implementation(recipe_named("float32-pow"), table, Format::binary32,
                              RangeFault::off_by_an_ulp);
  const Work work{
      table, implementation, contract_named("float32")->bind(table, Format::binary32), {-3000, 1, 30000}};
  const auto once = by_kernels(work, {});
  for (std::size_t set = 0; set < audit_kernel_sets().size(); ++set) {
    for (const unsigned threads : {1U, 2U, 7U}) {
      const auto again = by_kernels(work, {.threads = threads, .kernel_set = set});
      EXPECT_EQ(again.statistics.ulps().rms(), once.statistics.ulps().rms());
      EXPECT_EQ(again.statistics.phase_roundings().mean(), once.statistics.phase_roundings().mean());
      EXPECT_EQ(again.statistics.absolute().signed_mean(), once.statistics.absolute().signed_mean());
      EXPECT_EQ(again.statistics.phase_roundings().histogram(),
                once.statistics.phase_roundings().histogram());
      expect_same_element(again.worst, once.worst);
      EXPECT_EQ(again.failing, once.failing);
      EXPECT_EQ(again.records.size(), once.records.size());
    }
  }
}

TEST(RangeAudit, RecordsWhereTheErrorGrows) {
  const auto table = both({.head_dim = 64});
  const Faulty implementation(recipe_named("float32-pow"), table, Format::binary32, RangeFault::none);
  const Work work{
      table, implementation, contract_named("float32")->bind(table, Format::binary32), {0, 1, 20000}};
  const auto report = by_kernels(work, {.threads = 2});
  ASSERT_GT(report.records.size(), 3U);
  for (std::size_t i = 1; i < report.records.size(); ++i) {
    EXPECT_GT(report.records[i].greatest_error, report.records[i - 1].greatest_error);
    EXPECT_GE(report.records[i].first_row, report.records[i - 1].first_row + report.records[i - 1].rows);
  }
  const auto& greatest = report.statistics.absolute();
  EXPECT_NEAR(report.records.back().greatest_error, greatest.greatest(), greatest.greatest() * 0x1p-20);
  EXPECT_GE(greatest.greatest_place().row, report.records.back().first_row);
  EXPECT_LT(greatest.greatest_place().row, report.records.back().first_row + report.records.back().rows);
}

TEST(RangeAudit, RefusesAnotherRoundingMode) {
  const auto table = both({.head_dim = 16});
  const Faulty implementation(recipe_named("float32-pow"), table, Format::binary32, RangeFault::none);
  const Work work{
      table, implementation, contract_named("float32")->bind(table, Format::binary32), {0, 1, 100}};
  std::fesetround(FE_UPWARD);
  EXPECT_THROW(by_kernels(work, {}), InputError);
  std::fesetround(FE_TONEAREST);
}

TEST(RangeAudit, StopsWhenTheHeartbeatThrows) {
  const auto table = both({.head_dim = 16});
  const Faulty implementation(recipe_named("float32-pow"), table, Format::binary32, RangeFault::none);
  const Work work{
      table, implementation, contract_named("float32")->bind(table, Format::binary32), {0, 1, 100000}};
  AuditOptions options{.threads = 2};
  options.heartbeat = [](std::int64_t) { throw InputError("enough"); };
  EXPECT_THROW(by_kernels(work, options), InputError);
}

}  // namespace
}  // namespace vernier
