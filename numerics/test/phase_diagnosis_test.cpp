// Tables whose phases, sines, amplitudes or roundings are faulty, computed here from the frequencies of a
// spec: the diagnosis must name the fault, and nothing where noise exceeds the budget a little.

#include <cmath>
#include <functional>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/told_findings.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct PhaseTurn {
  double cosine;
  double sine;
};

PhaseTurn turn_by(double phase) {
  return {std::cos(phase), std::sin(phase)};
}

/// An implementation, stage by stage.
struct Maker {
  std::string spec = R"({"scheme": "rope", "head_dim": 16})";
  std::size_t rows = 700;
  Format compute = Format::binary32;
  Format stored = Format::binary32;
  std::function<double(double)> place = [](double p) { return p; };
  std::function<double(double frequency)> frequency = [](double w) { return w; };
  std::function<double(double place, std::size_t pair, double phase)> phase = [](double, std::size_t,
                                                                                 double f) { return f; };
  std::function<PhaseTurn(double)> turn = turn_by;
  std::function<double(double)> amplitude = [](double a) { return a; };
  std::function<double(double value, double amplitude)> store = [](double v, double) { return v; };
};

Diagnosis diagnosed(const Maker& maker) {
  const auto encoding = parsed(maker.spec);
  std::map<std::string, NamedTensor, std::less<>> tensors;
  const auto positions = positions_from(0, maker.rows);
  for (const auto& table : encoding->plain_tables()) {
    const auto width = table.columns.size();
    if (tensors.contains(table.role)) {
      continue;
    }
    const double declared = round_to(maker.compute, approximately(table.amplitude));
    const double amplitude = maker.amplitude(declared);
    std::vector<double> values;
    for (const auto position : positions) {
      for (const auto& [pair, component] : table.columns) {
        const double place = maker.place(static_cast<double>(position));
        const double frequency =
            round_to(maker.compute, maker.frequency(table.frequencies.approximate(pair)));
        const double phase =
            maker.phase(place, static_cast<std::size_t>(pair), round_to(maker.compute, place * frequency));
        const auto turn = maker.turn(phase);
        const double value = component == Component::sine ? turn.sine : turn.cosine;
        values.push_back(round_to(
            maker.stored,
            maker.store(round_to(maker.compute, amplitude * round_to(maker.compute, value)), amplitude)));
      }
    }
    tensors.emplace(table.role,
                    NamedTensor{"made", tensor_of(maker.stored, {positions.size(), width}, values)});
  }
  tensors.emplace("positions", NamedTensor{"made", integer_tensor({positions.size()}, positions)});
  const auto subject =
      assemble_case({"a test", "made", "", std::move(tensors), std::nullopt}, parsed(maker.spec));
  return diagnose_tables(subject, 2);
}

/// The likeliest explanation as ids, and what it says.
std::string named(const Maker& maker) {
  return likeliest_with_ids(diagnosed(maker));
}

const std::string yarn_of_16 = R"({"scheme": "rope", "head_dim": 16, "rope_scaling":
    {"rope_type": "yarn", "factor": 12, "original_max_position_embeddings": 60}})";

/// Either sign, without a pattern.
double sign_of(double place, std::size_t pair) {
  auto bits = static_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15U + pair * 0xbf58476d1ce4e5b9U;
  bits ^= bits >> 31;
  bits *= 0x94d049bb133111ebU;
  return (bits >> 40) % 2 == 0 ? -1 : 1;
}

TEST(PhaseDiagnosis, NamesNothingWhereNoiseExceedsTheBudgetALittle) {
  for (const double share : {1.05, 1.2}) {
    for (const auto* spec : {R"({"scheme": "sinusoidal", "d_model": 14, "base": 5000000})",
                             R"({"scheme": "sinusoidal", "d_model": 8, "frequency": "tensor2tensor"})"}) {
      const auto encoding = parsed(spec);
      const auto table = encoding->plain_tables().front();
      const auto bound = contract_named("float32")->bind(table, Format::binary32);
      const auto maker =
          Maker{.spec = spec,
                .rows = 2100,
                .phase =
                    [&](double place, std::size_t pair, double phase) {
                      return phase * (1 + share * sign_of(place, pair) *
                                              bound.relative_phase_error(static_cast<int>(pair)));
                    },
                .turn = turn_by};
      EXPECT_THAT(diagnosed(maker).explanations, IsEmpty()) << spec << ", noise of " << share << " budgets";
    }
  }
}

TEST(PhaseDiagnosis, NamesFastFunctionsByTheirAbsoluteErrors) {
  const auto fast = [](double phase) -> PhaseTurn {
    const auto coarse = [](float value) { return std::ldexp(std::nearbyint(std::ldexp(value, 22)), -22); };
    const float turns = static_cast<float>(phase) * (0.5F / std::numbers::pi_v<float>);
    const float rest = (turns - std::nearbyint(turns)) * 2 * std::numbers::pi_v<float>;
    return {coarse(std::cos(rest)), coarse(std::sin(rest))};
  };
  EXPECT_THAT(named({.turn = fast}),
              AllOf(HasSubstr("trigonometry/low-accuracy"), HasSubstr("however small they are")));
  EXPECT_THAT(named({.frequency = [](double w) { return std::pow(w, 1.25); }, .turn = fast}),
              AllOf(HasSubstr("frequency/base"), HasSubstr("trigonometry/low-accuracy")));
  // What goes with the values is no noise.
  EXPECT_THAT(
      diagnosed({.phase = [](double, std::size_t pair,
                             double f) { return f * (1 + 1e-4 * std::sin(static_cast<double>(pair + 1))); }})
          .explanations,
      testing::Each(
          testing::Field(&Explanation::findings,
                         testing::Each(testing::Field(
                             &Finding::kind, testing::Ne(fault_kind_named("trigonometry/low-accuracy")))))));
}

TEST(PhaseDiagnosis, NamesWhatIsRoundedAfterTheReduction) {
  const auto round_reduced = [](double phase) {
    return turn_by(static_cast<float>(std::fmod(phase, 2 * std::numbers::pi)));
  };
  EXPECT_THAT(named({.rows = 8192, .turn = round_reduced}), HasSubstr("trigonometry/rounded-reduction"));
  // Up to half a turn nothing is rounded: noise there is something else.
  const auto noisy = [&](double phase) {
    const auto turn = round_reduced(phase);
    return PhaseTurn{turn.cosine, phase < 3 ? turn.sine + 0x1p-22 * std::cos(1e5 * phase) : turn.sine};
  };
  EXPECT_THAT(named({.rows = 8192, .turn = noisy}),
              testing::Not(HasSubstr("trigonometry/rounded-reduction")));
}

TEST(PhaseDiagnosis, NamesARoundedPeriod) {
  const auto reduced = [](double phase) {
    constexpr float period = 6.2831855F;
    const auto x = static_cast<float>(phase);
    return turn_by(static_cast<double>(x - std::floor(x / period) * period));
  };
  EXPECT_THAT(all_with_ids(diagnosed({.rows = 8192, .turn = reduced})),
              testing::ElementsAre(
                  "trigonometry/range-reduction arguments are reduced by 6.2831855, 2 pi in float32"));
}

TEST(PhaseDiagnosis, NamesNoLowAccuracyWhereTheAmplitudeIsOff) {
  // One pair stands still besides, so that neither is the whole of it.
  EXPECT_THAT(named({.stored = Format::binary16,
                     .frequency = [](double w) { return w < 1e-3 && w > 5e-4 ? 0 : w; },
                     .amplitude = [](double a) { return a * 1.0189; }}),
              testing::Not(HasSubstr("low-accuracy")));
}

TEST(PhaseDiagnosis, NamesShiftsAndLookUpsInFloat64) {
  EXPECT_THAT(named({.compute = Format::binary64,
                     .stored = Format::binary64,
                     .phase = [](double, std::size_t, double f) { return f + 0.32319429219; }}),
              HasSubstr("phase/shift every phase is shifted by 0.323194292"));
  EXPECT_THAT(named({.rows = 1200,
                     .compute = Format::binary64,
                     .stored = Format::binary64,
                     .turn =
                         [](double phase) {
                           const double step = 2 * std::numbers::pi / 4096;
                           return turn_by(std::nearbyint(phase / step) * step);
                         }}),
              HasSubstr("trigonometry/lookup sines and cosines are looked up in a table of 4096 entries"));
}

TEST(PhaseDiagnosis, NamesPhasesThatAreNotReducedByElementsOfOneComponent) {
  EXPECT_THAT(named({.spec = R"({"scheme": "sine_only", "d_model": 64, "base": 37,
                                "reading": "ascending_from_one"})",
                     .turn =
                         [](double phase) {
                           return phase <= 11 ? turn_by(phase) : PhaseTurn{0, 0};
                         }}),
              HasSubstr("trigonometry/no-reduction"));
}

/// Frequencies that ascend in place of descending.
TEST(PhaseDiagnosis, NamesTheKeyOfOtherFrequencies) {
  EXPECT_THAT(all_with_ids(diagnosed({.spec = R"({"scheme": "sine_only", "d_model": 8, "base": 37,
                                                  "reading": "descending"})",
                                      .rows = 300,
                                      .frequency = [](double w) { return 1 / w; }})),
              testing::ElementsAre("spec/key reading is ascending_from_one, not descending"));
}

TEST(PhaseDiagnosis, NamesAmplitudesAfterARounding) {
  const auto late = [](double value, double amplitude) {
    return round_to(Format::binary16, value / amplitude) * round_to(Format::binary16, amplitude);
  };
  EXPECT_THAT(named({.spec = yarn_of_16, .stored = Format::binary16, .store = late}),
              HasSubstr("storage/order"));
  EXPECT_THAT(named({.spec = yarn_of_16,
                     .stored = Format::binary16,
                     .turn = [](double phase) { return turn_by(-phase); },
                     .store = late}),
              AllOf(HasSubstr("direction/sign"), HasSubstr("storage/order")));
  EXPECT_THAT(diagnosed({.spec = yarn_of_16, .stored = Format::binary16}).explanations, IsEmpty());
}

TEST(PhaseDiagnosis, NamesFlushedValuesOfFewRows) {
  EXPECT_THAT(named({.rows = 3000,
                     .stored = Format::binary16,
                     .store = [](double v, double) { return std::fabs(v) < 0x1p-14 ? 0 : v; }}),
              HasSubstr("storage/flushed"));
}

TEST(PhaseDiagnosis, MeasuresASecondEditBesideTheFirst) {
  EXPECT_THAT(named({.compute = Format::binary64,
                     .stored = Format::binary64,
                     .frequency = [](double w) { return std::pow(w, 1.25); },
                     .amplitude = [](double a) { return a * 1.179328364; }}),
              AllOf(HasSubstr("frequency/base "), HasSubstr("the base is 100000, not 10000"),
                    HasSubstr("amplitude/factor")));
  EXPECT_THAT(named({.frequency = [](double w) { return std::pow(w, 1.25); },
                     .phase = [](double, std::size_t, double f) { return f + 0.0525897; }}),
              AllOf(HasSubstr("frequency/base "), HasSubstr("the base is 100000, not 10000"),
                    HasSubstr("phase/shift "), HasSubstr("every phase is shifted by 0.0525")));
  EXPECT_THAT(named({.rows = 170,
                     .stored = Format::binary16,
                     .place = [](double p) { return std::fmod(p, 123); },
                     .phase = [](double, std::size_t, double f) { return round_to(Format::bfloat16, f); }}),
              AllOf(HasSubstr("position/wrapped phase/format positions wrap at 123"),
                    HasSubstr("phases are rounded to bfloat16")));
}

TEST(PhaseDiagnosis, MeasuresAShiftBesideADamagedElement) {
  int left = 5000;
  EXPECT_THAT(named({.stored = Format::bfloat16,
                     .phase = [](double, std::size_t, double f) { return f - 0.2798684; },
                     .store = [&](double v, double) { return --left == 0 ? v + 0.0625 : v; }}),
              AllOf(HasSubstr("phase/shift damage/element every phase is shifted by -0.279"),
                    HasSubstr("is 1.0625, not")));
}

}  // namespace
}  // namespace vernier
