// The certifier certified in the four ways in which FLINT tests its arithmetic: a result contains the same
// computed with a much higher precision; results of two precisions overlap; functional equations hold; the
// radius keeps its allowance.

#include <array>
#include <cmath>
#include <iostream>
#include <random>

#include <gtest/gtest.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

/// Random entries of random tables: bases, steps and positions of every kind the reference takes.
class RandomEntries {
 public:
  GeometricFrequencies frequencies() {
    static const std::array bases{"10000", "500000", "1000000", "10000.5", "1.0000001", "2", "1e30", "100"};
    const int pairs = pick(1, 128);
    return {*parse_rational(bases[static_cast<std::size_t>(pick(0, 7))]),
            Rational(1, pick(0, 1) == 0 ? pairs : pairs + 1), pairs};
  }
  /// Small, large and extreme, of both signs.
  std::int64_t position() {
    const int bits = pick(0, 31);
    const auto magnitude = std::uniform_int_distribution<std::int64_t>(0, std::int64_t{1} << bits)(engine_);
    return pick(0, 1) == 0 ? magnitude : -magnitude;
  }
  int pick(int least, int greatest) { return std::uniform_int_distribution<int>(least, greatest)(engine_); }

 private:
  std::mt19937_64 engine_{test_seed()};
};

TrigTable both_components(const GeometricFrequencies& frequencies, const Rational& amplitude) {
  TrigTable table{"encoding", frequencies, amplitude, {}, std::nullopt};
  for (int pair = 0; pair < frequencies.pairs; ++pair) {
    table.columns.push_back({pair, Component::sine});
    table.columns.push_back({pair, Component::cosine});
  }
  return table;
}

Interval at_precision(unsigned bits, const Real& number) {
  const WorkingPrecision precision(bits);
  return number();
}

bool overlap(const Interval& a, const Interval& b) {
  return lower_end(a) <= upper_end(b) && lower_end(b) <= upper_end(a);
}

TEST(Containment, EveryEntryContainsItselfAtAMuchHigherPrecision) {
  RandomEntries random;
  for (int i = 0; i < 1000; ++i) {
    const auto table =
        both_components(random.frequencies(), Rational(random.pick(1, 99), random.pick(1, 99)));
    const auto column = static_cast<std::size_t>(random.pick(0, static_cast<int>(table.columns.size()) - 1));
    const auto entry = table.entry(random.position(), column);
    const auto bits = static_cast<unsigned>(random.pick(30, 500));
    ASSERT_TRUE(lies_within(at_precision(bits + 1000, entry), at_precision(bits, entry))) << bits << " bits";
  }
}

TEST(Overlap, EveryEntryOverlapsItselfAtAnotherPrecision) {
  RandomEntries random;
  for (int i = 0; i < 1000; ++i) {
    const auto table = both_components(random.frequencies(), 1);
    const auto column = static_cast<std::size_t>(random.pick(0, static_cast<int>(table.columns.size()) - 1));
    const auto entry = table.entry(random.position(), column);
    const auto bits = static_cast<unsigned>(random.pick(30, 500));
    const auto other = static_cast<unsigned>(random.pick(30, 500));
    ASSERT_TRUE(overlap(at_precision(bits, entry), at_precision(other, entry)))
        << bits << " and " << other << " bits";
  }
}

/// c^2 + s^2 = 1, the addition formulas, and the sums of exponents: the difference of both sides contains
/// zero, and is narrow.
TEST(FunctionalEquations, ContainZero) {
  RandomEntries random;
  for (int i = 0; i < 500; ++i) {
    const auto frequencies = random.frequencies();
    const auto table = both_components(frequencies, 1);
    const WorkingPrecision precision(static_cast<unsigned>(random.pick(100, 400)));
    const int pair = random.pick(0, frequencies.pairs - 1);
    const auto sine = [&](std::int64_t p) { return table.entry(p, 2 * static_cast<std::size_t>(pair))(); };
    const auto cosine = [&](std::int64_t p) {
      return table.entry(p, 2 * static_cast<std::size_t>(pair) + 1)();
    };
    const auto p = random.position() / 2;
    const auto q = random.position() / 2;
    const Interval pythagoras = sine(p) * sine(p) + cosine(p) * cosine(p) - 1;
    const Interval sum_of_sines = sine(p) * cosine(q) + cosine(p) * sine(q) - sine(p + q);
    const Interval sum_of_cosines = cosine(p) * cosine(q) - sine(p) * sine(q) - cosine(p + q);
    for (const auto& zero : {pythagoras, sum_of_sines, sum_of_cosines}) {
      ASSERT_TRUE(contains_zero(zero));
      ASSERT_LT(radius(zero), 0x1p-60);
    }
    const int other = random.pick(0, frequencies.pairs - 1 - pair);
    const Interval product = frequencies.at(pair) * frequencies.at(other) - frequencies.at(pair + other);
    ASSERT_TRUE(contains_zero(product));
    ASSERT_LT(radius(product), 0x1p-90);
  }
}

/// The first frequency is 1 exactly, and tensor2tensor's last is 1/base to the last bit of any precision.
TEST(FunctionalEquations, HoldAtTheEndsOfTheFrequencies) {
  const WorkingPrecision precision(300);
  SinusoidalSpec spec;
  spec.d_model = 512;
  spec.frequency = SinusoidalSpec::FrequencyRule::tensor2tensor;
  const auto frequencies = spec.frequencies();
  EXPECT_TRUE(contains(frequencies.at(0), 1));
  EXPECT_EQ(radius(frequencies.at(0)), 0);
  EXPECT_TRUE(contains(frequencies.at(frequencies.pairs - 1), Rational(1, 10000)));
  EXPECT_LT(radius(frequencies.at(frequencies.pairs - 1)), 0x1p-300);
}

struct Certificates {
  int entries = 0;
  double largest_share = 0;   ///< of the radius that the true error uses
  double largest_radius = 0;  ///< relative to the amplitude
};

/// Checks the streamed enclosures of some rows, entries and partners, against 512 bits (the seeds have 256).
void certify(CertifiedTable& table, std::int64_t first, int rows, Certificates& certificates) {
  const double amplitude = approximately(table.table().amplitude);
  std::vector<Enclosure> entries(table.columns());
  std::vector<Enclosure> partners(table.columns());
  for (std::int64_t position = first; position < first + rows; ++position) {
    table.row(position, entries, partners);
    for (std::size_t c = 0; c < table.columns(); ++c) {
      const auto truth = at_precision(512, table.table().entry(position, c));
      // Each value is also the partner of the other component of its pair, in the next column: see
      // both_components.
      for (const auto& enclosure : {entries[c], partners[c ^ 1]}) {
        ASSERT_TRUE(lies_within(truth, enclosure)) << "position " << position << ", column " << c;
        ++certificates.entries;
        certificates.largest_radius = std::max(certificates.largest_radius, enclosure.radius / amplitude);
        if (enclosure.radius > 0) {
          const double error = approximately(abs(lower_end(truth) - exact_value(enclosure.middle)));
          certificates.largest_share = std::max(certificates.largest_share, error / enclosure.radius);
        }
      }
    }
  }
}

/// The allowance 2^-98 |amplitude|: a combined row is off by 32 u^2 M = 2^-101 M, and M = |A1 B1| + |A2 B2|
/// <= 1 (Cauchy and Schwarz) but for its roundings; scaling adds the amplitude's own 2^-100 and 6 u^2 for the
/// product: 1.6 * 2^-100 in all.
TEST(RadiusAllowance, CertifiedRowsContainTheTruthAndKeepTheirAllowance) {
  RandomEntries random;
  Certificates certificates;
  for (int i = 0; i < 30; ++i) {
    auto frequencies = random.frequencies();
    frequencies.pairs = std::min(frequencies.pairs, 12);
    const Rational amplitude = i % 2 == 0 ? Rational(1) : Rational(random.pick(1, 99), random.pick(1, 99));
    CertifiedTable table(both_components(frequencies, amplitude), random.pick(1, 5000));
    const auto first = std::min(random.position(), largest_position - 8);
    certify(table, first, 8, certificates);
    certify(table, -4, 8, certificates);
  }
  std::cout << certificates.entries << " certified enclosures contain the truth; the error uses at most "
            << certificates.largest_share << " of the radius; largest radius 2^"
            << std::log2(certificates.largest_radius) << " of the amplitude\n";
  EXPECT_LE(certificates.largest_radius, 0x1p-98);
  EXPECT_GT(certificates.largest_share, 0.01) << "the radius says nothing about the error";
}

/// Frequencies so low that sines fall below 2^-80, where products of seeds are not taken: the rows come from
/// direct evaluation.
TEST(RadiusAllowance, HoldsWhereSeedsAreTooSmall) {
  Certificates certificates;
  CertifiedTable table(both_components({*parse_rational("1e30"), Rational(1, 12), 12}, Rational(1, 3)));
  certify(table, 1, 4, certificates);
  certify(table, 4095, 4, certificates);
  EXPECT_LE(certificates.largest_radius, 0x1p-98);
}

/// The enclosures decide nearly everything, so most answers never reach Ziv's loop. Widened 2^20 and 2^60
/// times they decide less and less and the loop takes over; no answer may change by that.
TEST(Stages, WiderEnclosuresChangeNoAnswer) {
  SinusoidalSpec spec;
  spec.d_model = 16;
  const TrigTable definition = spec.table();
  CertifiedTable table(definition);
  std::vector<Enclosure> row(table.columns());
  std::array<int, 3> undecided{};
  for (std::int64_t position = 0; position < 200; ++position) {
    table.row(position, row);
    for (std::size_t c = 0; c < row.size(); ++c) {
      for (const Format format : all_formats()) {
        const auto answer = table.rounded_entry(format, position, c, row[c]);
        ASSERT_TRUE(answer.has_value());
        for (std::size_t stage = 0; stage < undecided.size(); ++stage) {
          Enclosure wider = row[c];
          wider.radius *= std::array{1.0, 0x1p20, 0x1p60}[stage];
          undecided[stage] += rounded(format, wider).has_value() ? 0 : 1;
          ASSERT_EQ(table.rounded_entry(format, position, c, wider), answer);
        }
      }
    }
  }
  EXPECT_EQ(undecided[0], 0);
  EXPECT_GT(undecided[2], 1000) << "the loop was not forced";
}

}  // namespace
}  // namespace vernier
