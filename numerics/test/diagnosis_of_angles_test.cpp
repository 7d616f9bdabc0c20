// Frequencies and positions at fault, alone and together: what the diagnosis makes of tables whose rows are
// computed from these frequencies at those places; and what it must not make of others.

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/told_findings.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// RoPE tables of sines and cosines by frequencies in float32.
struct Angles {
  int pairs = 8;
  double base = 10000;
  std::size_t rows = 600;
  Format stored = Format::binary32;
  std::function<double(double w, std::size_t pair)> frequency = [](double w, std::size_t) { return w; };
  std::function<double(double p)> place = [](double p) { return p; };
  std::function<double(double phase)> cosine = [](double phase) { return std::cos(phase); };
  /// What is stored of the cosine or sine.
  std::function<double(double x, bool is_sine, std::size_t row, std::size_t pair)> value =
      [](double x, bool, std::size_t, std::size_t) { return x; };
};

Case case_of(const Angles& angles) {
  std::map<std::string, NamedTensor, std::less<>> tensors;
  const auto positions = positions_from(0, angles.rows);
  for (const bool is_sine : {false, true}) {
    std::vector<double> values;
    for (std::size_t row = 0; row < positions.size(); ++row) {
      for (std::size_t pair = 0; pair < static_cast<std::size_t>(angles.pairs); ++pair) {
        const double exact = std::pow(angles.base, -static_cast<double>(pair) / angles.pairs);
        const double w = round_to(Format::binary32, angles.frequency(exact, pair));
        const double phase =
            round_to(Format::binary32, angles.place(static_cast<double>(positions[row])) * w);
        const double x = is_sine ? std::sin(phase) : angles.cosine(phase);
        values.push_back(round_to(angles.stored, angles.value(x, is_sine, row, pair)));
      }
    }
    tensors.emplace(
        is_sine ? "sin" : "cos",
        NamedTensor{"made", tensor_of(angles.stored,
                                      {positions.size(), static_cast<std::size_t>(angles.pairs)}, values)});
  }
  tensors.emplace("positions", NamedTensor{"made", integer_tensor({positions.size()}, positions)});
  const auto spec = R"({"scheme": "rope", "head_dim": )" + std::to_string(2 * angles.pairs) +
                    R"(, "rope_theta": )" + std::to_string(static_cast<int>(angles.base)) + "}";
  return assemble_case({"a test", "made", "", std::move(tensors), std::nullopt}, parsed(spec));
}

/// The likeliest explanation as ids, and what it says; nothing unexplained.
std::string named(const Angles& angles) {
  const auto diagnosis = diagnose_tables(case_of(angles), 2);
  return diagnosis.is_explained() ? likeliest_with_ids(diagnosis) : "";
}

TEST(DiagnosisOfFrequencies, NamesAPairThatIsOffByLittle) {
  const auto off = [](double share) {
    return [share](double w, std::size_t pair) { return pair == 3 ? w * (1 + share) : w; };
  };
  for (const auto stored : {Format::binary32, Format::binary16, Format::bfloat16}) {
    EXPECT_THAT(named({.stored = stored, .frequency = off(0.05)}),
                HasSubstr("frequency/one-pair the frequency of pair 3 is"));
  }
  EXPECT_THAT(named({.rows = 3000, .frequency = off(6e-6)}),
              HasSubstr("frequency/one-pair the frequency of pair 3 is"));
}

TEST(DiagnosisOfFrequencies, NamesWhatACastMakesOfThem) {
  const auto cut_off = [](double w, std::size_t) {
    const double nearest = round_to(Format::bfloat16, w);
    return nearest > w ? next_down(Format::bfloat16, nearest) : nearest;
  };
  EXPECT_THAT(named({.frequency = cut_off}),
              HasSubstr("frequency/format the frequencies are cut off to bfloat16"));
  const auto flushed = [](double w, std::size_t) {
    const double nearest = round_to(Format::binary16, w);
    return nearest < 0x1p-14 ? 0 : nearest;
  };
  EXPECT_THAT(named({.base = 5000000, .frequency = flushed}),
              HasSubstr("frequency/format the frequencies are rounded to float16, and those below"));
}

TEST(DiagnosisOfFrequencies, NamesABufferThatWasNeverFilled) {
  const auto garbage = [](double least, double greatest) {
    return [=, bits = std::mt19937_64(7)](double, std::size_t pair) {
      auto of_pair = bits;
      of_pair.discard(2 * pair);
      const double share = static_cast<double>(of_pair() >> 11) * 0x1p-53;
      const double sign = of_pair() % 2 == 0 ? 1 : -1;
      return sign * least * std::pow(greatest / least, share);
    };
  };
  for (const auto stored : {Format::binary32, Format::bfloat16}) {
    // Up to half a turn a position: of more the roundings alone would tell.
    EXPECT_THAT(named({.stored = stored, .frequency = garbage(1e-6, 3)}), HasSubstr("frequency/unknown"));
    EXPECT_THAT(named({.stored = stored, .frequency = garbage(1e-30, 1e-12)}),
                HasSubstr("frequency/zero no pair turns: every frequency is next to zero"));
  }
  EXPECT_THAT(named({.frequency = [](double, std::size_t) { return 0; }}),
              HasSubstr("frequency/zero no pair turns: every frequency is zero"));
}

/// Frequencies that no formula gives explain nothing but frequencies.
TEST(DiagnosisOfFrequencies, TellsNoFrequenciesOfWhatIsNone) {
  // Every row of the second half is off by a phase of its own.
  const auto shaken = [](double p) { return p < 300 ? p : p + 0.3 * std::sin(12.9898 * p); };
  EXPECT_EQ(named({.place = shaken}), "");
  // Single elements are no pairs that turn a thousand times a position.
  EXPECT_THAT(
      named({.value = [](double x, bool is_sine, std::size_t row,
                         std::size_t pair) { return is_sine && row == 31 && pair == 4 ? x + 0.5 : x; }}),
      AllOf(HasSubstr("damage/element"), Not(HasSubstr("frequency"))));
}

TEST(DiagnosisOfPositions, ReadsRowsOfFewBits) {
  // The fastest pair turns by 0.04 a position, of which bfloat16 shows one position only just.
  const auto slow = [](Angles angles) {
    angles.stored = Format::bfloat16;
    angles.rows = 1700;
    return named(angles);
  };
  EXPECT_THAT(slow({.place = [](double p) { return std::fmod(p, 1269); }}), HasSubstr("position/wrapped"));
  EXPECT_THAT(slow({.place = [](double p) { return std::min(p, 1203.0); }}),
              HasSubstr("position/clamped positions beyond 1203"));
  EXPECT_THAT(slow({.place = [](double p) { return p + 2; }}), HasSubstr("position/offset"));
}

TEST(DiagnosisOfPositions, NamesTheLastRowByItself) {
  EXPECT_THAT(named({.place = [](double p) { return p == 599 ? 598.0 : p; }}),
              HasSubstr("position/rows row 599 (position 599) holds the values of position 598"));
}

TEST(DiagnosisOfPositions, ReadsThemBesideFrequencies) {
  const auto swapped = [](double w, std::size_t pair) {
    const double ratio = std::pow(10000, -1.0 / 8);
    return pair == 4 ? w * ratio : pair == 5 ? w / ratio : w;
  };
  EXPECT_THAT(
      named({.frequency = swapped, .place = [](double p) { return p < 346 ? p : p + 2; }}),
      AllOf(HasSubstr("frequency/other-pair position/jump"), HasSubstr("larger by 2 from position 346 on")));
  const auto other_base = [](double, std::size_t pair) {
    return std::pow(500000, -static_cast<double>(pair) / 8);
  };
  EXPECT_THAT(
      named({.frequency = other_base, .place = [](double p) { return std::fmod(p, 408); }}),
      HasSubstr("frequency/base position/wrapped the base is 500000, not 10000, and positions wrap at 408"));
  EXPECT_THAT(
      named({.frequency = swapped, .place = [](double p) { return p / 4; }}),
      HasSubstr("every frequency is multiplied by 1/4 (or, the same here, every position), and pair 5: each "
                "pair turns at the frequency of the pair before it"));
}

TEST(DiagnosisOfPositions, ReadsThemBesideWhatIsStored) {
  EXPECT_THAT(named({.place = [](double p) { return p >= 300 && p < 304 ? p + 1 : p; },
                     .value = [](double x, auto...) { return round_to(Format::bfloat16, x); }}),
              HasSubstr("position/block storage/format positions 300 to 303 are larger by 1"));
  EXPECT_THAT(named({.place = [](double p) { return p >= 300 && p < 304 ? p + 1 : p; },
                     .value = [](double x, bool is_sine, std::size_t,
                                 std::size_t pair) { return is_sine && pair == 2 ? 0 : x; }}),
              AllOf(HasSubstr("position/block"), HasSubstr("damage/column-zero")));
}

/// Rows that hold no position at all are no map of positions.
TEST(DiagnosisOfPositions, ReadsNoneOffRowsThatHoldNone) {
  EXPECT_EQ(named({.place = [](double p) { return p < 300 ? p : p + 0.3 + 0.4 * std::sin(78.233 * p); }}),
            "");
}

/// Beyond 65504 float16 has no numbers, and infinity has no cosine: no row was overwritten.
TEST(DiagnosisOfAngles, NamesPositionsThatOverflowTheirFormat) {
  const auto narrow = [](double p) { return round_to(Format::binary16, p); };
  EXPECT_EQ(named({.pairs = 2, .rows = 65600, .place = narrow}),
            "position/format positions are rounded to float16, and infinite beyond its largest number");
}

/// Single elements that are off are not what a sine is good to.
TEST(DiagnosisOfAngles, CallsNoSineInaccurateThatIsRightInMostElements) {
  const auto value = [](double x, bool is_sine, std::size_t row, std::size_t pair) {
    return is_sine || (8 * row + pair) % 23 != 5 ? x : x + (row % 2 == 0 ? 1e-3 : -1e-3);
  };
  EXPECT_THAT(named({.value = value}), Not(HasSubstr("low-accuracy")));
}

TEST(DiagnosisOfAngles, NamesTheOnePositionThatAllRowsHold) {
  for (const double one : {1, 7, 100}) {
    EXPECT_EQ(named({.place = [=](double) { return one; }}),
              "position/constant every row holds position " + std::to_string(static_cast<int>(one)));
  }
}

/// The sum with pi/2 is rounded, and its phase is no more that of the sine.
TEST(DiagnosisOfAngles, NamesACosineThatIsASineAQuarterTurnOn) {
  const auto quarter = std::numbers::pi_v<float> / 2;
  const auto after = [=](double x) { return std::sin(static_cast<double>(quarter + static_cast<float>(x))); };
  const auto before = [=](double x) {
    return std::sin(static_cast<double>(quarter - static_cast<float>(x)));
  };
  EXPECT_THAT(named({.rows = 3000, .cosine = after}),
              HasSubstr("trigonometry/quarter-turn the cosine of a phase x is "
                        "sin(x + pi/2), whose argument is rounded to float32"));
  EXPECT_THAT(named({.rows = 3000, .cosine = before}), HasSubstr("sin(pi/2 - x)"));
  // Neighbours: a sum that is not rounded is honest, and one with another number is no quarter turn.
  EXPECT_EQ(named({.rows = 3000, .cosine = [](double x) { return std::sin(x + std::numbers::pi / 2); }}), "");
  EXPECT_THAT(named({.rows = 3000, .cosine = [](double x) { return std::sin(x + 1.5707); }}),
              Not(HasSubstr("quarter-turn")));
}

}  // namespace
}  // namespace vernier
