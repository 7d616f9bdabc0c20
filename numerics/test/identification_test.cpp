// Phasors measured from tables of known frequencies, and the phases found behind them.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <ranges>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/identification/attribution.hpp"
#include "numerics/identification/error_split.hpp"
#include "numerics/identification/trigonometry_audit.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {
namespace {

/// The frequency that a recipe has come by: its phase at position 1, which the product leaves as it is.
double frequency_of(const Recipe& recipe, const Frequencies& frequencies, int pair) {
  const auto phases = recipe.prepare(frequencies);
  double phase = 0;
  const double one = 1;
  for (int i = 0; i <= pair; ++i) {
    phases.advance(i, std::span(&one, 1), std::span(&phase, 1));
  }
  double used = 0;
  phases.divide(pair, std::span(&phase, 1), std::span(&used, 1));
  return used;
}

/// Cosine and sine of RoPE as a recipe makes them.
std::vector<TableTensor> tables_of(const RopeSpec& spec, const Recipe& recipe, Format stored,
                                   std::span<const std::int64_t> positions) {
  std::vector<TableTensor> tables;
  for (const auto component : {Component::cosine, Component::sine}) {
    const auto table = spec.table(component);
    const auto values = values_of(RecipeTable(recipe, table, stored), positions);
    // What is computed in float64 is held to float32 here, whose phases are looked for.
    const auto contract = recipe.compute() == Format::binary64 ? "float32" : recipe.contract;
    tables.push_back({table, tensor_of(stored, {positions.size(), table.columns.size()}, values),
                      contract_named(contract)});
  }
  return tables;
}

RowView viewed(const std::vector<TableTensor>& tables, std::span<const std::int64_t> positions) {
  return view_of_tables(tables, {{.positions = positions}});
}

Attribution attribution_of(const std::vector<TableTensor>& tables, std::span<const std::int64_t> positions) {
  return attribute_phases(viewed(tables, positions), positions);
}

/// The same with some elements changed.
TableTensor with_values(const TableTensor& tensor, const std::function<double(std::size_t, double)>& change) {
  std::vector<double> values(tensor.rows() * tensor.columns());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = change(i, tensor.tensor.number(i));
  }
  return {tensor.table, tensor_of(tensor.stored(), tensor.tensor.shape(), values), tensor.contract};
}

std::vector<std::int64_t> scattered_positions(std::size_t count, std::int64_t last) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> positions;
  for (std::size_t i = 0; i < count; ++i) {
    positions.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last + 1)));
  }
  return positions;
}

const RopeSpec llama2{.head_dim = 128};

TEST(Identification, AFloat32TableYieldsItsExactFloat32FrequenciesFrom256Rows) {
  const auto positions = positions_from(0, 256);
  for (const auto* id : {"float32-pow", "float32-exp-log"}) {
    const auto& recipe = recipe_named(id);
    const auto found = attribution_of(tables_of(llama2, recipe, Format::binary32, positions), positions);
    ASSERT_TRUE(found.certified()) << id;
    for (int pair = 0; pair < 64; ++pair) {
      EXPECT_EQ(found.best(pair).frequency, frequency_of(recipe, llama2.frequencies(), pair))
          << id << ", pair " << pair;
    }
  }
}

TEST(Identification, PositionsMayBeScatteredAndInAnyOrder) {
  const auto positions = scattered_positions(600, 131071);
  const auto& recipe = recipe_named("float32-pow");
  const auto found = attribution_of(tables_of(llama2, recipe, Format::binary32, positions), positions);
  ASSERT_TRUE(found.certified());
  for (int pair = 0; pair < 64; ++pair) {
    EXPECT_EQ(found.best(pair).frequency, frequency_of(recipe, llama2.frequencies(), pair))
        << "pair " << pair;
  }
}

TEST(Identification, MeasuresWithinItsUncertaintyInEveryFormat) {
  // From 4096 rows; the worst pair of each format in an experiment that shares no code with this: 9e-9,
  // 4e-5 and 2e-4 relative.
  const auto positions = positions_from(0, 4096);
  const std::pair<Format, double> expectations[]{
      {Format::binary32, 2e-8}, {Format::binary16, 1e-4}, {Format::bfloat16, 5e-4}};
  const auto& recipe = recipe_named("float32-pow");
  for (const auto& [stored, greatest] : expectations) {
    const auto tables = tables_of(llama2, recipe, stored, positions);
    for (int pair = 0; pair < 64; ++pair) {
      const auto phasor = fit_pair(viewed(tables, positions), positions, pair);
      ASSERT_TRUE(phasor) << traits(stored).name << ", pair " << pair;
      const double used = frequency_of(recipe, llama2.frequencies(), pair);
      EXPECT_LE(std::fabs(phasor->frequency - used), 4 * phasor->uncertainty)
          << traits(stored).name << " " << pair;
      EXPECT_LE(std::fabs(phasor->frequency / used - 1), greatest)
          << traits(stored).name << ", pair " << pair;
      EXPECT_NEAR(phasor->amplitude, 1, 2 * traits(stored).unit_roundoff());
      EXPECT_EQ(phasor->horizon, 4095);
    }
  }
}

TEST(Identification, ATwentiethOfTheRowsMayBeGarbage) {
  const auto positions = positions_from(0, 2000);
  auto tables = tables_of(llama2, recipe_named("float32-pow"), Format::binary32, positions);
  for (auto& tensor : tables) {
    std::mt19937_64 random(7);
    tensor = with_values(tensor, [&](std::size_t i, double value) {
      return (i / 64) % 20 == 3
                 ? static_cast<double>(static_cast<float>(std::sin(static_cast<double>(random()))))
                 : value;
    });
  }
  const auto found = attribution_of(tables, positions);
  ASSERT_TRUE(found.certified());
  for (int pair = 0; pair < 64; ++pair) {
    EXPECT_EQ(found.best(pair).frequency,
              frequency_of(recipe_named("float32-pow"), llama2.frequencies(), pair));
  }
}

TEST(Identification, TellsTheDirectionThePhaseAndTheAmplitude) {
  PairSignal signal;
  for (std::int64_t p = 5; p < 300; ++p) {
    signal.positions.push_back(p);
    signal.points.push_back(std::polar(1.25, 0.75 - 0.3 * static_cast<double>(p)));
  }
  const auto phasor = fit_phasor(signal);
  ASSERT_TRUE(phasor);
  EXPECT_NEAR(phasor->frequency, -0.3, 1e-12);
  EXPECT_NEAR(phasor->phase, 0.75, 1e-10);
  EXPECT_NEAR(phasor->amplitude, 1.25, 1e-12);
  EXPECT_FALSE(phasor->ambiguity);
}

TEST(Identification, SaysWhatThePositionsCannotTellApart) {
  const auto tone_of = [](double frequency, double expected) {
    PairSignal signal;
    for (std::int64_t p = 0; p < 4096; p += 16) {
      signal.positions.push_back(p);
      signal.points.push_back(std::polar(1.0, frequency * static_cast<double>(p)));
    }
    return fit_phasor(signal, expected);
  };
  const auto phasor = tone_of(0.9, 0.9);
  ASSERT_TRUE(phasor && phasor->ambiguity);
  EXPECT_NEAR(phasor->frequency, 0.9, 1e-9);
  EXPECT_NEAR(*phasor->ambiguity, 2 * std::numbers::pi / 16, 1e-12);
  EXPECT_NEAR(tone_of(0.9 + *phasor->ambiguity, 0.9)->frequency, 0.9, 1e-9)
      << "another phasor, the same points";
}

TEST(Identification, StopsWhereTheToneStops) {
  PairSignal wrapped;
  for (std::int64_t p = 0; p < 4096; ++p) {
    wrapped.positions.push_back(p);
    wrapped.points.push_back(std::polar(1.0, 0.1 * static_cast<double>(p % 520)));
  }
  const auto phasor = fit_phasor(wrapped);
  ASSERT_TRUE(phasor);
  EXPECT_NEAR(phasor->frequency, 0.1, 1e-3);
  EXPECT_LT(phasor->horizon, 1024);
}

TEST(Identification, FindsNoToneInNoise) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(-std::numbers::pi, std::numbers::pi);
  PairSignal noise;
  for (std::int64_t p = 0; p < 1000; ++p) {
    noise.positions.push_back(p);
    noise.points.push_back(std::polar(1.0, angle(random)));
  }
  EXPECT_FALSE(fit_phasor(noise));
  noise.positions.resize(7);
  noise.points.resize(7);
  EXPECT_FALSE(fit_phasor(noise)) << "too few points";
}

TEST(Attribution, NamesTheWayPhasesAreComputed) {
  const auto positions = scattered_positions(400, 65535);
  const std::pair<const char*, const char*> expectations[]{
      {"float32-pow", "the float32 product of the position and a float32 frequency"},
      {"float32-iterated", "the phase of the pair before times a float32 ratio"},
      {"float64-pow", "the true frequency and a phase in float64"}};
  for (const auto& [id, description] : expectations) {
    const auto found =
        attribution_of(tables_of(llama2, recipe_named(id), Format::binary32, positions), positions);
    ASSERT_TRUE(found.certified()) << id;
    EXPECT_THAT(std::string(found.model->description), testing::StartsWith(description)) << id;
  }
}

/// The part of a stage in the errors of a tensor.
StageError error_of(const ErrorSplit& split, std::string_view stage) {
  return *std::ranges::find(split.stages, stage, &StageError::stage);
}

TEST(ErrorSplit, LeavesNothingOver) {
  const auto positions = scattered_positions(400, 65535);
  const std::set<std::int64_t> rows(positions.begin(), positions.end());
  for (const auto* id : {"float32-pow", "float32-iterated", "float64-pow"}) {
    for (const auto stored : {Format::binary32, Format::binary16}) {
      const auto tables = tables_of(llama2, recipe_named(id), stored, positions);
      const auto found = attribution_of(tables, positions);
      if (!found.certified()) {
        EXPECT_EQ(stored, Format::binary16) << id;
        continue;
      }
      const auto known =
          std::ranges::count_if(std::views::iota(0, 64), [&](int i) { return found.explains(i); });
      const auto view = viewed(tables, positions);
      for (const auto& split : split_errors(view.parts(), positions, found)) {
        EXPECT_EQ(split.elements, rows.size() * static_cast<std::size_t>(known)) << id;
        double sum = 0;
        for (const auto& stage : split.stages) {
          sum += stage.share;
          EXPECT_LE(split.greatest, (stage.left + stage.greatest) * (1 + 0x1p-40)) << id << stage.stage;
        }
        EXPECT_NEAR(sum, 1, 1e-9) << id;
      }
    }
  }
}

TEST(ErrorSplit, FrequencyAndPhaseShareTheErrorOfAFloat32Table) {
  // 0.50 and 0.50 in an experiment with PyTorch's table of this model to position 131071.
  const auto positions = scattered_positions(700, 131071);
  const auto tables = tables_of(llama2, recipe_named("float32-pow"), Format::binary32, positions);
  const auto found = attribution_of(tables, positions);
  ASSERT_TRUE(found.certified());
  const auto split = split_errors(viewed(tables, positions).parts(), positions, found).front();
  EXPECT_NEAR(error_of(split, "frequency").share, 0.5, 0.15);
  EXPECT_NEAR(error_of(split, "phase").share, 0.5, 0.15);
  EXPECT_LT(std::fabs(error_of(split, "trigonometry").share), 1e-3);
  // Either rounding alone is half an ulp of float32 of a phase of 131071: 2^-7 at most.
  EXPECT_LT(error_of(split, "frequency").left, 0x1p-7);
  EXPECT_GT(error_of(split, "storage").left, 0.9 * split.greatest);
}

TEST(Attribution, AReductionByARoundedTwoPiIsTheTrigonometrysFault) {
  const auto positions = scattered_positions(700, 131071);
  auto tables = tables_of(llama2, recipe_named("float32-pow"), Format::binary32, positions);
  std::vector<float> frequencies;
  for (int pair = 0; pair < 64; ++pair) {
    frequencies.push_back(
        static_cast<float>(frequency_of(recipe_named("float32-pow"), llama2.frequencies(), pair)));
  }
  for (auto& tensor : tables) {
    const bool is_sine = tensor.table.sines.columns.front().component == Component::sine;
    tensor = with_values(tensor, [&](std::size_t i, double) {
      const float phase = static_cast<float>(positions[i / 64]) * frequencies[i % 64];
      const float reduced = phase - 6.2831853F * std::rint(phase / 6.2831853F);
      return static_cast<double>(is_sine ? std::sin(reduced) : std::cos(reduced));
    });
  }
  const auto found = attribution_of(tables, positions);
  ASSERT_TRUE(found.certified());
  EXPECT_THAT(std::string(found.model->description),
              testing::HasSubstr("reduced by one float32 value of 2 pi"));
  const auto split = split_errors(viewed(tables, positions).parts(), positions, found).front();
  EXPECT_GT(error_of(split, "trigonometry").share, 0.5)
      << "the reduction is the trigonometry's part, not the phase's";
}

/// What a look at every element finds of the trigonometry.
struct PlainReport {
  std::uint64_t judged = 0;
  std::uint64_t failing = 0;
  double worst = 0;
};

PlainReport look_at_all(const TableTensor& tensor, std::span<const std::int64_t> positions,
                        const Attribution& attribution) {
  const auto model = tensor.model();
  PlainReport report;
  for (std::size_t r = 0; r < positions.size(); ++r) {
    for (std::size_t c = 0; c < tensor.columns(); ++c) {
      const double got = tensor.tensor.number(r * tensor.columns() + c);
      const auto& [pair, component] = tensor.table.sines.columns[c];
      if (!std::isfinite(got)) {
        continue;
      }
      const auto ratio_at = [&, component = component](double phase, double amplitude) {
        const long double exact = phase;
        const auto value = amplitude * (component == Component::sine ? std::sin(exact) : std::cos(exact));
        return static_cast<double>(std::fabs(got - value)) /
               trigonometry_limit(model, static_cast<double>(value));
      };
      double least = std::numeric_limits<double>::infinity();
      if (tensor.table.sines.frequencies.is_one(pair)) {
        least = ratio_at(static_cast<double>(positions[r]), model.amplitude());
      } else {
        for (const auto& one : attribution.pairs[static_cast<std::size_t>(pair)]) {
          least = std::min(least, ratio_at(one.model->intended_phase(positions[r], pair, one.candidate),
                                           attribution.amplitude));
          if (least <= 1) {
            break;
          }
        }
      }
      ++report.judged;
      report.failing += least > 1 ? 1 : 0;
      report.worst = std::max(report.worst, least);
    }
  }
  return report;
}

TEST(Identification, ScreenedTrigonometryIsThatOfEveryElement) {
  auto positions = positions_from(0, 1500);
  for (std::int64_t far = 1 << 12; far < std::int64_t{1} << 24; far = 2 * far + 37) {
    positions.push_back(far);
  }
  std::mt19937_64 random(11);
  const auto kept = [](double value) { return value; };
  const auto off = [&](double value) {  // by up to eight roundings, here and there
    const double by = std::ldexp(static_cast<double>(random() % 17) - 8, -24);
    return random() % 500 == 0 ? static_cast<double>(static_cast<float>(value + by)) : value;
  };
  const auto broken = [&](double value) { return random() % 2000 == 0 ? std::nan("") : off(value); };
  for (const auto* id : {"float32-pow", "float32-exp-log", "float64-pow"}) {
    for (const auto& change : {std::function<double(double)>(kept), std::function<double(double)>(off),
                               std::function<double(double)>(broken)}) {
      auto tables = tables_of(llama2, recipe_named(id), Format::binary32, positions);
      for (auto& tensor : tables) {
        tensor = with_values(tensor, [&](std::size_t, double value) { return change(value); });
      }
      const auto attribution = attribution_of(tables, positions);
      ASSERT_TRUE(attribution.certified());
      const auto view = viewed(tables, positions);
      for (std::size_t i = 0; i < tables.size(); ++i) {
        const auto& tensor = tables[i];
        const auto& part = view.parts()[i];
        const auto knowledge = phase_knowledge(part, &attribution);
        ASSERT_EQ(std::ranges::count(knowledge, PhaseKnowledge::unknown), 0);
        const auto report = audit_trigonometry(part, positions, knowledge, &attribution);
        const auto plain = look_at_all(tensor, positions, attribution);
        EXPECT_EQ(report.judged, plain.judged);
        EXPECT_EQ(report.failing, plain.failing);
        ASSERT_TRUE(report.worst);
        EXPECT_NEAR(report.worst->budget_ratio(), plain.worst, 1e-6 * plain.worst);
      }
    }
  }
}

}  // namespace
}  // namespace vernier
