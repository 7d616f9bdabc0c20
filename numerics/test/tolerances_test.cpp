// The bounds that tolerances are made of: no honest implementation exceeds them, some come near, and broken
// ones exceed them.

#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <ranges>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/test/honest_orders.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "numerics/tolerances/greatest_rounding.hpp"
#include "numerics/tolerances/rotation_errors.hpp"
#include "numerics/tolerances/table_errors.hpp"
#include "numerics/tolerances/tolerance.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {
namespace {

using test::LimitLibrary;
using test::MadeTurns;
using test::PhaseOrder;
using test::TrueTurns;

/// A spec and some of its positions, the farthest among them.
struct Context {
  RopeSpec spec;
  std::int64_t farthest;
  TrueTurns truth;

  Context(std::int64_t width, std::int64_t base, std::int64_t last)
      : spec{.head_dim = width, .rope_theta = Rational(base)},
        farthest(last),
        truth(spec.frequencies(), some(last)) {}

  static std::vector<std::int64_t> some(std::int64_t last) {
    std::vector<std::int64_t> positions;
    for (std::int64_t p = std::max<std::int64_t>(0, last - 383); p <= last; ++p) {
      positions.push_back(p);
    }
    for (std::int64_t p = 0; p < 32 && p < last - 383; ++p) {
      positions.push_back(p);
    }
    return positions;
  }
  TrigTable table(Component component) const { return spec.table(component); }
  double base() const { return approximately(spec.rope_theta); }
  double step() const { return 2.0 / static_cast<double>(spec.head_dim); }
};

/// Contexts of a few lengths: 4096 and a little more, where phases have the largest roundings for their size.
const std::vector<Context>& contexts() {
  static const auto all = [] {
    std::vector<Context> result;
    result.emplace_back(64, 10000, 4200);
    result.emplace_back(32, 500000, 1100);
    result.emplace_back(48, 777, 16500);
    result.emplace_back(16, 1000000, 131100);
    return result;
  }();
  return all;
}

/// Those of positions that 16-bit formats hold.
const std::vector<Context>& short_contexts() {
  static const auto all = [] {
    std::vector<Context> result;
    result.emplace_back(64, 10000, 8);
    result.emplace_back(32, 500, 9);
    result.emplace_back(16, 100000, 4);
    return result;
  }();
  return all;
}

/// An order of operations, and whose implementations keep it.
struct TurnOrder {
  std::string_view contract;
  std::vector<std::string_view> ways;  ///< that give the frequencies; none: all that the contract names
  std::vector<std::string_view> recipes;
  std::vector<PhaseOrder> phases;
  double trig_ulps = 2;

  const Contract& kept() const { return *contract_named(contract); }
  BudgetModel bind(const TrigTable& table, Format stored) const {
    auto orders = frequency_orders(table.frequencies, kept());
    if (!ways.empty()) {
      orders->ways.clear();
      std::ranges::transform(ways, std::back_inserter(orders->ways),
                             [](std::string_view id) { return program::use(id); });
    }
    return bind_orders(kept(), table, stored, orders);
  }
  Format compute() const {
    return contract == "float64"    ? Format::binary64
           : contract == "float16"  ? Format::binary16
           : contract == "bfloat16" ? Format::bfloat16
                                    : Format::binary32;
  }
  bool is_narrow() const { return traits(compute()).precision < 24; }
  const std::vector<Context>& judged() const { return is_narrow() ? short_contexts() : contexts(); }
  std::string name() const {
    return std::string(contract) +
           (phases.size() == 1 ? std::string(", ") + test::name_of(phases.front()) : "");
  }
};

const std::vector<TurnOrder>& turn_orders() {
  const std::vector<PhaseOrder> direct{PhaseOrder::power,
                                       PhaseOrder::negative_power,
                                       PhaseOrder::power_of_reciprocal,
                                       PhaseOrder::exponential,
                                       PhaseOrder::reciprocal_exponential,
                                       PhaseOrder::exponential_of_two,
                                       PhaseOrder::exp_step,
                                       PhaseOrder::exp_own_step};
  static const std::vector<TurnOrder> all{
      {"float64", {}, {"float64-pow"}, direct, 4},
      {"float64", {"1/pow"}, {"float64-pow"}, {PhaseOrder::power}, 4},
      {"float32", {}, {"float32-rounded-frequency", "float32-pow", "float32-exp-log"}, direct},
      {"float32", {"1/pow"}, {"float32-pow"}, {PhaseOrder::power}},
      {"float32", {"exp-step"}, {"float32-exp-log"}, {PhaseOrder::exp_step}},
      {"float32-iterated", {}, {"float32-iterated"}, {PhaseOrder::iterated}},
      {"float32-ratio-power", {}, {"float32-ratio-power"}, {PhaseOrder::ratio_power}},
      {"float32-interpolated", {}, {"float32-interpolated"}, {PhaseOrder::interpolated}},
      {"float16", {"exp-step"}, {"float16-throughout"}, {PhaseOrder::exp_step}},
      {"bfloat16", {"exp-step"}, {"bfloat16-throughout"}, {PhaseOrder::exp_step}}};
  return all;
}

const TurnOrder& order_of(std::string_view contract) {
  return *std::ranges::find(turn_orders(), contract, &TurnOrder::contract);
}

/// Made once for each order and context, both of which are of the lists above.
const std::vector<MadeTurns>& honest_turns(const TurnOrder& order, const Context& context) {
  static std::map<std::pair<const TurnOrder*, const Context*>, std::vector<MadeTurns>> made;
  const auto [entry, is_new] = made.try_emplace({&order, &context});
  auto& all = entry->second;
  if (!is_new) {
    return all;
  }
  for (const auto& recipe : recipes()) {
    if (std::ranges::find(order.recipes, recipe.id) != order.recipes.end()) {
      all.push_back(test::made_by(recipe, context.table(Component::cosine), context.table(Component::sine),
                                  context.truth));
    }
  }
  auto at_limits = order.phases;
  if (order.ways.empty() && order.phases.size() > 1) {
    const auto orders = frequency_orders(context.table(Component::cosine).frequencies, order.kept());
    for (const auto& [id, phases] :
         {std::pair("pow-ratio", PhaseOrder::ratio_power), std::pair("times-ratio", PhaseOrder::times_ratio),
          std::pair("interpolated", PhaseOrder::interpolated)}) {
      if (orders->takes(id)) {
        at_limits.push_back(phases);
      }
    }
  }
  for (const auto phases : at_limits) {
    for (const bool upward : {true, false}) {
      all.push_back(test::made_at_limits(phases, order.compute(), upward, context.base(), context.step(),
                                         order.trig_ulps, context.truth));
    }
  }
  return all;
}

/// Formats that a table of this computation is stored in.
std::vector<Format> stored_formats(Format compute) {
  std::vector<Format> formats{compute};
  for (const auto format : all_formats()) {
    if (traits(format).precision < traits(compute).precision && traits(compute).precision >= 24) {
      formats.push_back(format);
    }
  }
  return formats;
}

double off(long double got, long double truth) {
  return static_cast<double>(std::fabs(got - truth));
}

double greatest_table_error(const MadeTurns& made, const TrueTurns& truth, Format stored) {
  double greatest = 0;
  for (std::size_t row = 0; row < truth.rows(); ++row) {
    for (std::size_t pair = 0; pair < truth.pairs(); ++pair) {
      const auto i = row * truth.pairs() + pair;
      greatest = std::max(
          {greatest, off(static_cast<long double>(round_to(stored, made.cosine[i])), truth.cosine(row, pair)),
           off(static_cast<long double>(round_to(stored, made.sine[i])), truth.sine(row, pair))});
    }
  }
  return greatest;
}

/// How near implementations of one order of operations come to its bound: the greatest error over the bound,
/// of each context.
struct Closeness {
  std::map<const Context*, double> shares = {};
  double by_c_library = 0;  ///< of the machine's C library alone, in the context where it is nearest
  int implementations = 0;

  void add(const Context& context, double bound, double seen, const std::string& name) {
    ++implementations;
    auto& share = shares[&context];
    share = std::max(share, seen / bound);
    if (name.ends_with("C library")) {
      by_c_library = std::max(by_c_library, seen / bound);
    }
  }
  /// Of the context where all stay farthest below.
  double least() const { return std::ranges::min(shares | std::views::values); }
  double greatest() const { return std::ranges::max(shares | std::views::values); }
};

void print(const std::string& order, const Closeness& found) {
  std::cout << order << ": " << found.implementations << " implementations; bound over the worst seen "
            << 1 / found.greatest() << " to " << 1 / found.least() << ", of the C library alone "
            << 1 / found.by_c_library << "\n";
}

TEST(GreatestRounding, IsReachedAndNotExceeded) {
  for (const auto format : all_formats()) {
    if (format == Format::binary64) {
      continue;  // no double lies between its numbers
    }
    const double u = traits(format).unit_roundoff();
    EXPECT_EQ(greatest_rounding(format, 1), u / 2);
    EXPECT_EQ(greatest_rounding(format, 1 + u / 8), u / 2);
    EXPECT_EQ(greatest_rounding(format, 1 + 3 * u / 4), 3 * u / 4);
    EXPECT_EQ(greatest_rounding(format, 1 + 4 * u), u);
    EXPECT_EQ(greatest_rounding(format, 0), 0);
    EXPECT_EQ(greatest_rounding(format, traits(format).smallest() / 8), traits(format).smallest() / 8);
    EXPECT_EQ(greatest_rounding(format, traits(format).smallest() * 8), traits(format).smallest() / 2);
    EXPECT_TRUE(std::isinf(greatest_rounding(format, traits(format).largest() * 1.5)));
  }
}

RC_GTEST_PROP(GreatestRounding, BoundsTheRoundingOfEverySmallerNumber, ()) {
  const auto format = *rc::gen::element(Format::binary32, Format::binary16, Format::bfloat16);
  const auto share = [] { return static_cast<double>(*rc::gen::inRange(0, 1 << 30)) / (1 << 30); };
  const double reach = std::ldexp(1 + share(), *rc::gen::inRange(-20, 14));
  const double value = reach * share();
  RC_ASSERT(std::fabs(round_to(format, value) - value) <= greatest_rounding(format, reach));
}

TEST(Octaves, CoverTheRange) {
  const auto all = octaves({0, 1, 100});
  ASSERT_EQ(all.size(), 8U);
  EXPECT_EQ(all.front().farthest, 0);
  EXPECT_EQ(all[3].nearest, 4);
  EXPECT_EQ(all[3].farthest, 7);
  EXPECT_EQ(all.back().nearest, 64);
  EXPECT_EQ(all.back().farthest, 99);
  EXPECT_EQ(octaves({-5, 1, 8}).front().nearest, 0);
  EXPECT_EQ(octaves({-5, 1, 8}).back().farthest, 5);
  EXPECT_EQ(octaves({100, 1, 8}).size(), 1U);
  EXPECT_TRUE(octaves({0, 1, 0}).empty());
}

RC_GTEST_PROP(TableErrors, AreNoLessThanAnyElementMayBeOff, ()) {
  const auto& order = turn_orders()[*rc::gen::inRange<std::size_t>(0, turn_orders().size())];
  const auto& judged = order.judged();
  const auto& context = judged[*rc::gen::inRange<std::size_t>(0, judged.size())];
  const auto formats = stored_formats(order.compute());
  const auto stored = formats[*rc::gen::inRange<std::size_t>(0, formats.size())];
  const auto model = order.bind(context.table(Component::cosine), stored);
  const auto bound = table_errors(model, context.farthest);
  const auto row = *rc::gen::inRange<std::size_t>(0, context.truth.rows());
  const auto pair = *rc::gen::inRange<std::size_t>(0, context.truth.pairs());
  const auto position = context.truth.position(row);
  const double v = static_cast<double>(std::fabs(context.truth.cosine(row, pair)));
  const double partner = static_cast<double>(std::fabs(context.truth.sine(row, pair)));
  const double radians = greatest_phase_error(model, static_cast<int>(pair), position);
  RC_ASSERT(radians <= model.phase_error(position, static_cast<int>(pair)) * (1 + 1e-9));
  RC_ASSERT(moved_by_turn(v, partner, radians) + model.trig(position, static_cast<int>(pair), v) <=
            bound.before_storage.before_storage() * (1 + 1e-12));
}

TEST(TableErrors, NoHonestImplementationExceedsThemAndSomeComeWithinHalf) {
  int implementations = 0;
  for (const auto& order : turn_orders()) {
    std::map<Format, Closeness> closeness;
    for (const auto& context : order.judged()) {
      for (const auto& made : honest_turns(order, context)) {
        for (const auto stored : stored_formats(order.compute())) {
          const auto model = order.bind(context.table(Component::cosine), stored);
          const double bound = table_errors(model, context.farthest).total.total();
          const double seen = greatest_table_error(made, context.truth, stored);
          EXPECT_LE(seen, bound) << order.contract << ", " << made.name << ", " << traits(stored).name;
          closeness[stored].add(context, bound, seen, made.name);
          ++implementations;
        }
      }
    }
    for (const auto& [stored, found] : closeness) {
      print(order.name() + " in " + std::string(traits(stored).name), found);
      EXPECT_GE(found.least(), 0.5) << order.name() << " in " << traits(stored).name;
    }
  }
  EXPECT_GE(implementations, 100);
}

TEST(TableErrors, AreExceededByNarrowFrequenciesAndByTruncation) {
  const auto& context = contexts().front();
  const auto table = context.table(Component::cosine);
  const auto narrow = std::ranges::find(recipes(), "bfloat16-frequency", &Recipe::id);
  const auto model = contract_named("float32")->bind(table, Format::binary32);
  const double bound = table_errors(model, context.farthest).total.total();
  EXPECT_GT(greatest_table_error(test::made_by(*narrow, table, context.table(Component::sine), context.truth),
                                 context.truth, Format::binary32),
            100 * bound);
  const auto stored = contract_named("float32")->bind(table, Format::bfloat16);
  const double nearest_bound = table_errors(stored, 63).total.total();
  // Cut off where it should be rounded: off by up to an ulp, 2^-8.
  double greatest = 0;
  for (int i = 1; i < 4096; ++i) {
    const double value = 0.5 + i / 8192.0;
    const double nearest = round_to(Format::bfloat16, value);
    const double cut = nearest > value ? next_down(Format::bfloat16, nearest) : nearest;
    greatest = std::max(greatest, value - cut);
  }
  EXPECT_GT(greatest, 1.5 * nearest_bound);
}

struct DeclaredRotation {
  std::string_view contract;
  Format tables;
  Format math;
  Format vectors;
};

const std::vector<DeclaredRotation>& declared_rotations() {
  using enum Format;
  static const std::vector<DeclaredRotation> all{
      {"float32", binary32, binary32, binary32}, {"float32", binary32, binary32, binary16},
      {"float32", binary32, binary32, bfloat16}, {"float32", binary16, binary32, binary16},
      {"float32", bfloat16, binary32, bfloat16}, {"float32", bfloat16, binary32, binary32},
      {"float32", binary16, binary16, binary16}, {"float32", bfloat16, bfloat16, bfloat16},
      {"float32", binary32, bfloat16, bfloat16}, {"float64", binary64, binary64, binary64},
      {"float64", binary64, binary64, bfloat16}, {"float32-iterated", binary32, binary32, binary32}};
  return all;
}

/// Inputs up to the bound, mostly near it: that is where the errors are.
double draw_input(std::mt19937_64& generator, Format format, double bound) {
  const double share = std::ldexp(static_cast<double>(generator() >> 11), -53);
  const double sign = (generator() & 1) == 0 ? 1 : -1;
  return sign * round_to(format, bound * (generator() % 4 == 0 ? share : 1 - 0.2 * share * share));
}

template <class Rotate>
double greatest_rotation_error(const MadeTurns& made, const TrueTurns& truth, const RotationOrder& order,
                               Rotate rotate) {
  std::mt19937_64 generator(made.cosine.size() + static_cast<std::size_t>(made.name.size()));
  double greatest = 0;
  for (std::size_t row = 0; row < truth.rows(); row += 2) {
    for (std::size_t pair = 0; pair < truth.pairs(); ++pair) {
      const auto i = row * truth.pairs() + pair;
      const double c = round_to(order.tables, made.cosine[i]);
      const double s = round_to(order.tables, made.sine[i]);
      for (int times = 0; times < 5; ++times) {
        const double x0 = draw_input(generator, order.vectors, order.input_bound);
        const double x1 = draw_input(generator, order.vectors, order.input_bound);
        const auto [y0, y1] = rotate(c, s, x0, x1);
        const auto tc = truth.cosine(row, pair);
        const auto ts = truth.sine(row, pair);
        const auto a = static_cast<long double>(x0);
        const auto b = static_cast<long double>(x1);
        greatest = std::max({greatest, off(static_cast<long double>(y0), a * tc - b * ts),
                             off(static_cast<long double>(y1), a * ts + b * tc)});
      }
    }
  }
  return greatest;
}

TEST(RotationErrors, NoHonestImplementationExceedsThemAndSomeComeWithinHalf) {
  int implementations = 0;
  for (const auto& declared : declared_rotations()) {
    const auto& order = order_of(declared.contract);
    for (const bool is_fused : {false, true}) {
      const RotationOrder rotation{declared.tables, declared.math, declared.vectors, is_fused, 4};
      Closeness closeness;
      for (const auto& context : contexts()) {
        const auto model = order.bind(context.table(Component::cosine), rotation.tables);
        const double bound = rotation_errors(model, rotation, context.farthest).total.total();
        for (const auto& made : honest_turns(order, context)) {
          const double seen = greatest_rotation_error(made, context.truth, rotation,
                                                      [&](double c, double s, double x0, double x1) {
                                                        return test::rotated(rotation, c, s, x0, x1);
                                                      });
          EXPECT_LE(seen, bound) << made.name;
          closeness.add(context, bound, seen, made.name);
          ++implementations;
        }
      }
      const auto name = std::string(declared.contract) + ", table " +
                        std::string(traits(rotation.tables).name) + ", math " +
                        std::string(traits(rotation.math).name) + ", vectors " +
                        std::string(traits(rotation.vectors).name) + (is_fused ? ", fused" : "");
      print(name, closeness);
      EXPECT_GE(closeness.least(), 0.5) << name;
    }
  }
  EXPECT_GE(implementations, 100);
}

TEST(RotationErrors, AreExceededByNarrowerArithmetic) {
  const auto& context = short_contexts().front();
  const auto& order = order_of("float32");
  const auto& made = honest_turns(order, context).front();
  const RotationOrder declared{Format::binary32, Format::binary32, Format::binary32, false, 4};
  const auto model = order.bind(context.table(Component::cosine), declared.tables);
  auto done = declared;
  done.math = Format::binary16;
  EXPECT_GT(greatest_rotation_error(
                made, context.truth, declared,
                [&](double c, double s, double x0, double x1) { return test::rotated(done, c, s, x0, x1); }),
            100 * rotation_errors(model, declared, context.farthest).total.total());
}

TEST(RotationErrors, ProductsOfShortNumbersAreExactInFloat32) {
  using enum Format;
  EXPECT_TRUE(has_exact_products({bfloat16, binary32, bfloat16}));
  EXPECT_TRUE(has_exact_products({binary16, binary32, binary16}));
  EXPECT_TRUE(has_exact_products({bfloat16, binary32, binary16}));
  EXPECT_FALSE(has_exact_products({binary32, binary32, bfloat16}));
  EXPECT_FALSE(has_exact_products({bfloat16, bfloat16, bfloat16}));
  EXPECT_FALSE(has_exact_products({binary32, bfloat16, bfloat16}));
}

bool is_close(const Tolerance& tolerance, double got, double expected) {
  return std::fabs(got - expected) <= tolerance.absolute + tolerance.relative * std::fabs(expected);
}

/// Of one declared order: the certified truth, rounded or not, and every pair of honest implementations.
TEST(SmallestTolerance, HoldsOfAllHonestImplementationsAndNotOfHalfOfIt) {
  const auto& context = contexts().front();
  const auto& order = order_of("float32");
  const auto& all = honest_turns(order, context);
  for (const auto stored : {Format::binary32, Format::binary16, Format::bfloat16}) {
    const auto model = order.bind(context.table(Component::cosine), stored);
    const auto errors = table_errors(model, context.farthest);
    const auto certified = smallest_tolerance(errors, stored, Expected::certified);
    const auto rounded = smallest_tolerance(errors, stored, Expected::rounded);
    const auto another = smallest_tolerance(errors, stored, Expected::another);
    double needed = 0;
    double needed_by_pairs = 0;
    for (std::size_t i = 0; i < all.front().cosine.size(); ++i) {
      const auto truth =
          static_cast<double>(context.truth.cosine(i / context.truth.pairs(), i % context.truth.pairs()));
      for (const auto& made : all) {
        const double got = round_to(stored, made.cosine[i]);
        ASSERT_TRUE(is_close(certified, got, truth)) << made.name;
        ASSERT_TRUE(is_close(rounded, got, round_to(stored, truth))) << made.name;
        needed = std::max(needed, std::fabs(got - truth) - certified.relative * std::fabs(truth));
        for (const auto& other : all) {
          const double expected = round_to(stored, other.cosine[i]);
          ASSERT_TRUE(is_close(another, got, expected)) << made.name << " and " << other.name;
          needed_by_pairs =
              std::max(needed_by_pairs, std::fabs(got - expected) - another.relative * std::fabs(expected));
        }
      }
    }
    std::cout << traits(stored).name << ": atol " << certified.absolute << ", needed " << needed
              << "; between two " << another.absolute << ", needed " << needed_by_pairs << "\n";
    EXPECT_NEAR(absolute_part_needed(errors, stored, Expected::certified, 1, 1), certified.absolute, 1e-15);
    EXPECT_LE(absolute_part_needed(errors, stored, Expected::certified, 0, 1), errors.total.total());
    EXPECT_GE(absolute_part_needed(errors, stored, Expected::certified, 0, 1), errors.total.total() * 0.5);
    EXPECT_LE(certified.absolute, 2 * needed);
    EXPECT_LE(another.absolute, 2 * needed_by_pairs);
  }
}

}  // namespace
}  // namespace vernier
