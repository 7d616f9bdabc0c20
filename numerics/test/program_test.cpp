// The ways to compute, read in every arithmetic: the real number is the declared one, what a library computes
// lies in what any may, and the fast forms have the bits of the text.

#include "numerics/program/program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/budgets/frequency_error.hpp"
#include "numerics/recipes/phase_rule.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/test/parsed.hpp"

namespace vernier::program {
namespace {

Declared declared_by(const std::string& spec) {
  return {joint_table(*parsed(spec)).frequencies, "a test"};
}

/// Unscaled, and by every scaling.
const std::vector<std::string>& specs() {
  static const auto all = [] {
    std::vector<std::string> result{
        R"({"scheme": "rope", "head_dim": 64, "rope_theta": 500000})", R"({"scheme": "rope", "head_dim": 2})",
        R"({"scheme": "sinusoidal", "d_model": 100, "frequency": "tensor2tensor"})"};
    for (
        const auto* const scaling :
        {R"({"type": "linear", "factor": 2.5})", R"({"type": "ntk", "alpha": 8})",
         R"({"rope_type": "dynamic", "factor": 2})",
         R"({"rope_type": "ntk_by_parts", "factor": 8, "original_max_position_embeddings": 2048})",
         R"({"rope_type": "ntk_mixed", "factor": 16, "mixed_b": 0.625})",
         R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 2048})",
         R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 2048, "truncate": false})",
         R"({"rope_type": "yarn", "factor": 64, "original_max_position_embeddings": 4096,
              "extrapolation_factor": 1.05})",
         R"({"rope_type": "riflex", "pair": 3, "length": 66})", R"({"rope_type": "proportional"})",
         R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
              "original_max_position_embeddings": 2048})"}) {
      result.push_back(
          R"({"scheme": "rope", "head_dim": 32, "max_position_embeddings": 8192, "sequence_length": 8192,
              "partial_rotary_factor": )" +
          std::string(std::string_view(scaling).find("proportional") == std::string_view::npos ? "1"
                                                                                               : "0.5") +
          R"(, "rope_scaling": )" + scaling + "}");
    }
    return result;
  }();
  return all;
}

/// Every way that gives frequencies, one a program, which all mean the declared ones.
std::vector<Program> programs(In in) {
  std::vector<Program> result;
  for (const auto& way : ways()) {
    const bool is_of_frequencies = way.first == Stage::exponent || way.first == Stage::order;
    if (is_of_frequencies && way.id != "ratio") {
      result.push_back({in, {use(way.id)}});
    }
  }
  return result;
}

TEST(Ways, MeanTheDeclaredFrequencies) {
  const WorkingPrecision precision(256);
  for (const auto& spec : specs()) {
    const auto declared = declared_by(spec);
    for (const auto& program : programs({})) {
      const auto sequence = sequences(program, Stage::position, Stage::narrowing).front();
      for (const auto& x : read<Exact>({}, declared, 0, sequence)) {
        const Interval truth = declared.exact.at(x.pair);
        EXPECT_LE(greatest_magnitude(Interval(x.frequency - truth)), 1e-60)
            << program.words() << ", pair " << x.pair << " of " << spec;
      }
    }
  }
}

TEST(Ways, ReachWhatEveryLibraryComputes) {
  for (const auto& spec : specs()) {
    const auto declared = declared_by(spec);
    for (const auto format : computing_formats()) {
      for (const auto library : {Library::glibc, Library::correct}) {
        for (const auto& program : programs({format, library})) {
          const auto reached = reached_frequencies(program.by_any_library(), declared);
          for (std::size_t pair = 0; const double frequency : frequencies_of(program, declared)) {
            const auto& [low, high] = reached[pair];
            const auto value = static_cast<long double>(frequency);
            EXPECT_TRUE((low <= value && value <= high) || !std::isfinite(frequency))
                << program.words() << " in " << traits(format).name << ", pair " << pair << " of " << spec
                << ": " << frequency << " not in [" << static_cast<double>(low) << ", "
                << static_cast<double>(high) << "]";
            ++pair;
          }
        }
      }
    }
  }
}

/// A function good to one ulp gives either number of the format beside the true one.
TEST(Reach, OfFunctionsIsEitherNeighbour) {
  const WorkingPrecision precision(128);
  for (const auto format : computing_formats()) {
    const Reach in({format, Library::any});
    const Exact exact;
    const auto expect_neighbours = [&](const Range& range, const Interval& truth) {
      const auto low = static_cast<double>(range.low);
      const auto high = static_cast<double>(range.high);
      EXPECT_EQ(next_up(format, low), high) << traits(format).name;
      EXPECT_TRUE(enclose(low) < truth && truth < enclose(high)) << traits(format).name << ", " << low;
    };
    for (const double argument : {0.125, 1.75, 5.0, 7.5}) {
      const Range x{argument, argument};
      const auto value = enclose(argument);
      expect_neighbours(in.exp(x), exact.exp(value));
      expect_neighbours(in.exp(in.negated(x)), exact.exp(Interval(-value)));
      expect_neighbours(in.log(x), exact.log(value));
      expect_neighbours(in.pow({3, 3}, in.negated(x)), exact.pow(enclose(3.0), Interval(-value)));
      if (argument != 5) {
        expect_neighbours(in.exp2(x), exact.exp2(value));
        expect_neighbours(in.log2({argument + 2, argument + 2}), exact.log2(Interval(value + 2)));
      }
    }
  }
}

/// What is promised of a frequency in a format, by whatever direct order of operations.
TEST(Ways, OfDirectContractsReachNoFurtherThanThesePromise) {
  for (const auto& spec : specs()) {
    const auto declared = declared_by(spec);
    for (const auto format : computing_formats()) {
      const auto orders = frequency_orders(declared.exact, *contract_named(traits(format).name));
      ASSERT_TRUE(orders) << traits(format).name << ", " << spec;
      const auto reached = reached_frequencies(*orders, declared);
      double greatest = 0;
      for (int pair = 0; pair < declared.pairs(); ++pair) {
        const auto truth = tight_enclosure([&] { return declared.exact.at(pair); }).approximately();
        const auto& [low, high] = reached[static_cast<std::size_t>(pair)];
        const auto wide = static_cast<long double>(truth);
        const auto error = static_cast<double>(std::max(high - wide, wide - low)) / truth;
        const double promised = frequency_error(declared.exact, pair, format);
        // Of an exact frequency nothing but the rounding of `truth` is left.
        if (truth != 0 && promised > 0) {
          greatest = std::max(greatest, (error - 0x1p-53) / promised);
        }
      }
      EXPECT_LE(greatest, 1) << traits(format).name << ", " << spec;
      std::cout << traits(format).name << ", " << spec << ": " << greatest << " of what is promised\n";
    }
  }
}

/// The ends of a reach are met: of all ways together, some library's frequency is the least or the greatest.
TEST(Ways, ReachNoFurtherThanSomeLibrary) {
  const auto declared = declared_by(specs().front());
  const In in{Format::bfloat16, Library::glibc};
  std::size_t met = 0;
  for (const auto& program : programs(in)) {
    const auto reached = reached_frequencies(program.by_any_library(), declared);
    for (std::size_t pair = 0; const double frequency : frequencies_of(program, declared)) {
      const auto value = static_cast<long double>(frequency);
      met += static_cast<std::size_t>(value == reached[pair].low || value == reached[pair].high);
      ++pair;
    }
  }
  EXPECT_GT(met, 0U);
}

TEST(PhaseRules, HaveTheBitsOfTheirPrograms) {
  for (const auto& spec : specs()) {
    const auto declared = declared_by(spec);
    for (const auto& recipe : every_recipe()) {
      const auto rule = phase_rule(recipe.program, declared);
      for (const std::int64_t row : {0, 1, 7, 2049, 65519, (1 << 24) + 1}) {
        const auto angles = bits_of(recipe.program, declared, Stage::argument, row);
        for (int pair = 0; pair < declared.pairs(); ++pair) {
          EXPECT_EQ(std::bit_cast<std::uint64_t>(used_phase(rule, row, pair)),
                    std::bit_cast<std::uint64_t>(angles[static_cast<std::size_t>(pair)]))
              << recipe.id << ", row " << row << ", pair " << pair << " of " << spec;
        }
      }
    }
  }
}

/// In float32, under a name or without.
TEST(Orders, AreEachARecipe) {
  for (const auto& order : ways_that_end(Stage::order)) {
    EXPECT_TRUE(std::ranges::any_of(every_recipe(), [&](const Recipe& recipe) {
      const bool is_plain = order.way == &plain_way(Stage::order) && recipe.program.ways.empty();
      return recipe.compute() == Format::binary32 && (is_plain || recipe.program.takes(order.way->id));
    })) << order.words();
  }
}

TEST(Programs, AreToldByWhatDiffers) {
  const Program iterated{{}, {use("ratio"), use("carried")}};
  EXPECT_EQ(iterated.words(), "frequency q = pow(b, -2/d); phase q times that of the pair before");
  const Program rounded{{}, {use("exp"), use("1/pow"), use("rounded-frequency", Format::bfloat16)}};
  EXPECT_EQ(rounded.words(), "frequency exp(-e ln b) or 1/pow(b, e); frequency rounded to bfloat16");
  EXPECT_EQ(Program{}.words(), "");
}

}  // namespace
}  // namespace vernier::program
