// The hard gates of the ladder: every element equals the rounding of a 256-bit evaluation; the bits are the
// same on every instruction set, for any number of threads, for wider bounds, and however the rows are asked
// for.

#include "reference/ladder/rounded_table.hpp"

#include <bit>
#include <cfenv>
#include <cstring>
#include <iostream>
#include <random>

#include <gtest/gtest.h>

#include "reference/certified_table.hpp"
#include "reference/format.hpp"
#include "reference/input_error.hpp"
#include "reference/ladder/float_environment.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/sine_cosine.hpp"
#include "reference/test/format_label.hpp"
#include "reference/test/seed.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace vernier {
namespace {

constexpr unsigned oracle_precision = 256;

TrigTable table_of(const Rational& base, int pairs, const Rational& amplitude = 1) {
  TrigTable table{
      "encoding", GeometricFrequencies{base, Rational(1, pairs), pairs}, amplitude, {}, std::nullopt};
  for (const auto component : {Component::sine, Component::cosine}) {
    for (int pair = 0; pair < pairs; ++pair) {
      table.columns.push_back({pair, component});
    }
  }
  return table;
}

using Bytes = std::vector<std::byte>;

Bytes write_all(const RoundedTable& table, StageCounts* counts = nullptr) {
  Bytes out(static_cast<std::size_t>(table.rows()) * table.row_bytes());
  const auto made = table.write(0, table.rows(), out);
  if (counts != nullptr) {
    *counts += made;
  }
  return out;
}

double element(Format format, std::span<const std::byte> bytes, std::size_t index) {
  const auto width = static_cast<std::size_t>(traits(format).bits) / 8;
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * width, width);
  return decode_bits(format, bits);
}

/// The truth of one row after another at 256 bits, each frequency by itself: evaluated where it is told to, and
/// turned from there to the following rows. It is found once for all formats.
class Oracle {
 public:
  explicit Oracle(const TrigTable& table) : table_(table), precision_(oracle_precision) {
    for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
      frequencies_.push_back(table.frequencies.at(pair));
      steps_.push_back(point(sine_cosine(frequencies_.back())));
    }
    points_.resize(frequencies_.size());
    sines_.resize(frequencies_.size());
    cosines_.resize(frequencies_.size());
  }

  /// Evaluates the sines and cosines of a position, one by one.
  void go_to(std::int64_t position) {
    const Interval amplitude = enclose(table_.amplitude);
    for (std::size_t pair = 0; pair < frequencies_.size(); ++pair) {
      const auto both = sine_cosine(enclose(position) * frequencies_[pair]);
      points_[pair] = point(both);
      sines_[pair] = enclosure_of(amplitude * both.sine);
      cosines_[pair] = enclosure_of(amplitude * both.cosine);
    }
    turns_ = 0;
  }

  /// Turns every pair by its frequency, to the next position. Four products and two sums of numbers below two
  /// are off by less than 2^-252, and what they start with by no more.
  void go_on() {
    assert(table_.amplitude == 1 && turns_ < 1024);
    ++turns_;
    for (std::size_t pair = 0; pair < frequencies_.size(); ++pair) {
      const auto& step = steps_[pair];
      const auto& from = points_[pair];
      points_[pair] = {from.sine * step.cosine + from.cosine * step.sine,
                       from.cosine * step.cosine - from.sine * step.sine};
      sines_[pair] = turned(points_[pair].sine);
      cosines_[pair] = turned(points_[pair].cosine);
    }
  }

  /// The differences of one row of the format from the oracle.
  std::uint64_t mismatches(Format format, std::span<const std::byte> row) const {
    std::uint64_t count = 0;
    const auto pairs = frequencies_.size();
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      count += differs(format, sines_[pair], element(format, row, pair)) ? 1 : 0;
      count += differs(format, cosines_[pair], element(format, row, pairs + pair)) ? 1 : 0;
    }
    return count;
  }

 private:
  using Number = boost::multiprecision::number<
      boost::multiprecision::mpfr_float_backend<78, boost::multiprecision::allocate_stack>,
      boost::multiprecision::et_off>;
  struct Point {
    Number sine;
    Number cosine;
  };

  static Point point(const SineCosine& both) {
    return {Number(Number(lower(both.sine))), Number(Number(lower(both.cosine)))};
  }

  Enclosure turned(const Number& number) const {
    const double high = number.convert_to<double>();
    const double low = Number(number - high).convert_to<double>();
    return {{high, low}, turns_ * 0x1p-250 + std::fabs(low) * 0x1p-52};
  }

  static bool differs(Format format, const Enclosure& truth, double got) {
    const auto wanted = rounded(format, truth);
    return !wanted || *wanted != got || std::signbit(*wanted) != std::signbit(got);
  }

  const TrigTable& table_;
  WorkingPrecision precision_;
  std::vector<Interval> frequencies_;
  std::vector<Point> steps_;
  std::vector<Point> points_;
  std::vector<Enclosure> sines_;
  std::vector<Enclosure> cosines_;
  int turns_ = 0;
};

/// How many elements of a table differ from the oracle in the format, each row evaluated by itself.
std::uint64_t mismatches(const TrigTable& table, const PositionRange& positions, Format format) {
  const RoundedTable ladder(table, positions, format);
  const auto out = write_all(ladder);
  Oracle oracle(table);
  std::uint64_t count = 0;
  for (std::int64_t row = 0; row < ladder.rows(); ++row) {
    oracle.go_to(positions.at(row));
    count += oracle.mismatches(
        format, std::span(out).subspan(static_cast<std::size_t>(row) * ladder.row_bytes(), ladder.row_bytes()));
  }
  return count;
}

class LadderGate : public testing::TestWithParam<Format> {};

TEST_P(LadderGate, EveryElementOfTheTransformersTableIsCorrectlyRounded) {
  const auto table = table_of(10000, 256);
  const RoundedTable ladder(table, {0, 1, 5000}, GetParam());
  StageCounts counts;
  const auto out = write_all(ladder, &counts);
  const Oracle oracle(table);
  std::uint64_t mismatches = 0;
  for (std::int64_t row = 0; row < ladder.rows(); ++row) {
    mismatches += oracle.mismatches(
        GetParam(), row, std::span(out).subspan(static_cast<std::size_t>(row) * ladder.row_bytes()));
  }
  EXPECT_EQ(mismatches, 0U);
  EXPECT_EQ(counts.values, 5000U * 512U);
  EXPECT_EQ(counts.stage_three, 0U);
  std::cout << counts.stage_two << " of " << counts.values << " left to stage two, " << counts.stage_three
            << " to stage three\n";
}

/// Elements here and there of Llama 3.1's table, and of tables that end at position 2^31.
TEST_P(LadderGate, RandomElementsOfLongTablesAreCorrectlyRounded) {
  constexpr std::int64_t run = 512;
  constexpr int samples = 250'000;
  std::mt19937_64 engine(test_seed());
  std::uint64_t mismatches = 0;
  const auto check = [&](const Rational& base, std::int64_t first, std::int64_t count, int wanted) {
    const auto table = table_of(base, 64);
    const RoundedTable ladder(table, {first, 1, count}, GetParam());
    const Oracle oracle(table);
    Bytes out(static_cast<std::size_t>(run) * ladder.row_bytes());
    constexpr int samples_of_a_run = 2048;
    for (int seen = 0; seen < wanted; seen += 2 * samples_of_a_run) {
      const auto begin = std::uniform_int_distribution<std::int64_t>(0, count - run)(engine);
      ladder.write(begin, begin + run, out);
      for (int sample = 0; sample < samples_of_a_run; ++sample) {
        const auto row = std::uniform_int_distribution<std::int64_t>(0, run - 1)(engine);
        const auto pair = std::uniform_int_distribution<std::size_t>(0, 63)(engine);
        mismatches += oracle.mismatches_of_pair(
            GetParam(), first + begin + row, pair,
            std::span(out).subspan(static_cast<std::size_t>(row) * ladder.row_bytes()));
      }
    }
  };
  check(500000, 0, 131072, samples);
  for (const int base : {10000, 500000, 1000000}) {
    check(base, largest_position - 65535, 65536, samples / 3);
  }
  EXPECT_EQ(mismatches, 0U);
}

/// Below 2^-254 a sine vanishes in the fixed point of the seeds, and must not be taken for an exact zero.
TEST_P(LadderGate, SinesBelowTheFixedPointOfTheSeedsAreNotZero) {
  // w_i = 10^(-0.3 i). Powers of two would do, but their sines lie nearer to midpoints of float32's
  // subnormals than the oracle can tell.
  const auto table = table_of(*parse_rational("1e96"), 320);
  const Oracle oracle(table);
  for (const PositionRange& positions :
       {PositionRange{0, 1, 40}, PositionRange{1, std::int64_t{1} << 28, 8}}) {
    const RoundedTable ladder(table, positions, GetParam());
    const auto out = write_all(ladder);
    std::uint64_t mismatches = 0;
    for (std::int64_t row = 0; row < ladder.rows(); ++row) {
      mismatches +=
          oracle.mismatches(GetParam(), positions.at(row),
                            std::span(out).subspan(static_cast<std::size_t>(row) * ladder.row_bytes()));
    }
    EXPECT_EQ(mismatches, 0U) << "step " << positions.step;
  }
}

TEST_P(LadderGate, TheBitsAreTheSameOnEveryInstructionSet) {
  for (const auto& table : {table_of(10000, 72), table_of(500000, 64, Rational(11386, 10000))}) {
    std::optional<Bytes> first;
    for (const auto& kernels : kernel_sets()) {
      const RoundedTable ladder(table, {-100, 1, 9000}, GetParam(), {.kernels = &kernels});
      auto out = write_all(ladder);
      EXPECT_TRUE(!first || *first == out) << kernels.name;
      first = first.value_or(std::move(out));
    }
  }
  std::cout << "instruction sets:";
  for (const auto& kernels : kernel_sets()) {
    std::cout << " " << kernels.name;
  }
  std::cout << "\n";
}

/// The bounds times 2^20 leave some of float32 to stage two; times 2^60 all of every format, and nearly all
/// of float64 to stage three; times 2^90 much of every format to stage three. No bit may change by that.
TEST_P(LadderGate, WiderBoundsForceTheLaterStagesAndChangeNoBit) {
  const auto table = table_of(500000, 16);
  const PositionRange positions{70000, 1, 400};
  const auto counts_at = [&](double scale, const Bytes& wanted) {
    StageCounts counts;
    EXPECT_EQ(write_all(RoundedTable(table, positions, GetParam(), {.bound_scale = scale}), &counts), wanted);
    return counts;
  };
  StageCounts plain;
  const auto wanted = write_all(RoundedTable(table, positions, GetParam()), &plain);
  EXPECT_EQ(plain.stage_three, 0U);
  EXPECT_LE(plain.stage_two, 1U);
  const auto at_20 = counts_at(0x1p20, wanted);
  const auto at_60 = counts_at(0x1p60, wanted);
  const auto at_90 = counts_at(0x1p90, wanted);
  if (GetParam() == Format::binary32) {
    EXPECT_GT(at_20.stage_two, at_20.values / 1000);
  }
  EXPECT_EQ(at_60.stage_two, at_60.values);
  if (GetParam() == Format::binary64) {
    EXPECT_GT(at_60.stage_three, at_60.values * 9 / 10);
  }
  EXPECT_GT(at_90.stage_three, at_90.values / 10);
}

TEST_P(LadderGate, TheNumberOfThreadsChangesNoBit) {
  const auto table = table_of(500000, 64);
  const PositionRange positions{0, 1, 50000};
  const auto one = write_all(RoundedTable(table, positions, GetParam(), {.threads = 1}));
  EXPECT_EQ(write_all(RoundedTable(table, positions, GetParam(), {.threads = 2})), one);
  EXPECT_EQ(write_all(RoundedTable(table, positions, GetParam(), {.threads = 7})), one);
}

TEST_P(LadderGate, RowsAreTheSameHoweverTheyAreAskedFor) {
  const auto table = table_of(10000, 24);
  const auto row_of = [&](const RoundedTable& ladder, std::int64_t row) {
    Bytes out(ladder.row_bytes());
    ladder.write(row, row + 1, out);
    return out;
  };
  const RoundedTable streamed(table, {-5000, 1, 20000}, GetParam());
  const auto all = write_all(streamed);
  const auto expected = [&](std::int64_t position) {
    const auto begin = all.begin() + (position + 5000) * static_cast<std::ptrdiff_t>(streamed.row_bytes());
    return Bytes(begin, begin + static_cast<std::ptrdiff_t>(streamed.row_bytes()));
  };
  for (const std::int64_t step : {7, -3, 1000}) {
    const RoundedTable strided(table, {step > 0 ? -4999 : 14000, step, 15}, GetParam());
    for (std::int64_t row = 0; row < strided.rows(); ++row) {
      EXPECT_EQ(row_of(strided, row), expected((step > 0 ? -4999 : 14000) + row * step));
    }
  }
  for (const std::int64_t position : {-5000, -1, 0, 1, 14999}) {
    EXPECT_EQ(row_of(RoundedTable(table, {position, 1, 1}, GetParam()), 0), expected(position));
    EXPECT_EQ(row_of(streamed, position + 5000), expected(position));
  }
}

TEST_P(LadderGate, ScatteredPositionsGiveTheStreamedTablesBits) {
  const auto table = table_of(500000, 8);
  const RoundedTable streamed(table, {-2000, 1, 60000}, GetParam());
  const auto all = write_all(streamed);
  CertifiedTable scattered(table);
  std::mt19937_64 engine(test_seed());
  std::vector<Enclosure> row(table.columns.size());
  for (int i = 0; i < 500; ++i) {
    const auto at = std::uniform_int_distribution<std::int64_t>(0, streamed.rows() - 1)(engine);
    const auto position = at - 2000;
    scattered.row(position, row);
    for (std::size_t c = 0; c < row.size(); ++c) {
      EXPECT_EQ(scattered.rounded_entry(GetParam(), position, c, row[c]),
                element(GetParam(), all, static_cast<std::size_t>(at) * row.size() + c))
          << position;
    }
  }
}

TEST_P(LadderGate, BothEndsOfThePositionsAndZeroAreRight) {
  const auto table = table_of(10000, 16);
  const Oracle oracle(table);
  for (const std::int64_t position : {-largest_position, std::int64_t{0}, largest_position}) {
    const auto first = std::min(position, largest_position - 1);
    const RoundedTable ladder(table, {first, 1, 2}, GetParam());
    const auto out = write_all(ladder);
    for (std::int64_t row = 0; row < 2; ++row) {
      EXPECT_EQ(oracle.mismatches(GetParam(), first + row,
                                  std::span(out).subspan(static_cast<std::size_t>(row) * ladder.row_bytes())),
                0U);
    }
  }
}

/// Frequencies whose sines are smaller than any bounded seed go to stage three, and amplitudes scale.
TEST_P(LadderGate, ExtremeFrequenciesAndAmplitudesAreRight) {
  for (const auto& table :
       {table_of(*parse_rational("1e30"), 12), table_of(10000, 20, Rational(1, 3)),
        table_of(10000, 16, *parse_rational("1e30")), table_of(10000, 16, *parse_rational("1e-30"))}) {
    const Oracle oracle(table);
    const RoundedTable ladder(table, {-3, 1, 200}, GetParam());
    const auto out = write_all(ladder);
    for (std::int64_t row = 0; row < ladder.rows(); ++row) {
      EXPECT_EQ(oracle.mismatches(GetParam(), row - 3,
                                  std::span(out).subspan(static_cast<std::size_t>(row) * ladder.row_bytes())),
                0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, LadderGate, testing::ValuesIn(all_formats()), format_label);

TEST(Ladder, LeavesAtMostOneFloat32InAMillionToStageTwo) {
  const RoundedTable ladder(table_of(500000, 64), {0, 1, 131072}, Format::binary32);
  Bytes out(static_cast<std::size_t>(ladder.rows_per_block()) * ladder.row_bytes());
  StageCounts counts;
  for (std::int64_t row = 0; row < ladder.rows(); row += ladder.rows_per_block()) {
    const auto last = std::min(row + ladder.rows_per_block(), ladder.rows());
    counts += ladder.write(row, last,
                           std::span(out).first(static_cast<std::size_t>(last - row) * ladder.row_bytes()));
  }
  std::cout << counts.stage_two << " of " << counts.values << " undecided by double\n";
  EXPECT_EQ(counts.values, 131072U * 128U);
  EXPECT_LE(static_cast<double>(counts.stage_two), 1e-6 * static_cast<double>(counts.values));
}

/// Every layout a scheme defines: the same columns from the ladder and from Ziv's loop.
TEST(Ladder, LaysOutEverySchemesColumns) {
  std::vector<TrigTable> tables;
  for (const std::int64_t d : {2, 7, 64}) {
    tables.push_back(SinusoidalEncoding({.d_model = d}).table());
    tables.push_back(SinusoidalEncoding({.d_model = d, .layout = SinusoidalSpec::Layout::halves}).table());
  }
  tables.push_back(SinusoidalEncoding({.d_model = 8, .padding_idx = 3}).table());
  for (auto& table : RopeEncoding({.head_dim = 64}).tables()) {
    tables.push_back(std::move(table));
  }
  for (const auto& table : tables) {
    const RoundedTable ladder(table, {0, 1, 9}, Format::binary32);
    const auto out = write_all(ladder);
    for (std::int64_t row = 0; row < ladder.rows(); ++row) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        EXPECT_EQ(element(Format::binary32, out, static_cast<std::size_t>(row) * table.columns.size() + c),
                  correctly_rounded(Format::binary32, table.entry(row, c)))
            << "row " << row << ", column " << c;
      }
    }
  }
}

TEST(FloatEnvironment, AnotherRoundingModeIsRefused) {
  const RoundedTable ladder(table_of(10000, 16), {0, 1, 4}, Format::binary32);
  Bytes out(4 * ladder.row_bytes());
  std::fesetround(FE_UPWARD);
  EXPECT_THROW(ladder.write(0, 4, out), InputError);
  std::fesetround(FE_TONEAREST);
  EXPECT_NO_THROW(ladder.write(0, 4, out));
}

#if defined(__SSE__)
TEST(FloatEnvironment, FlushingSubnormalsIsRefused) {
  constexpr unsigned flush_to_zero = 0x8000;
  constexpr unsigned denormals_are_zero = 0x0040;
  const auto before = _mm_getcsr();
  for (const auto flag : {flush_to_zero, denormals_are_zero}) {
    _mm_setcsr(before | flag);
    EXPECT_THROW(require_ieee_arithmetic(), InputError);
    _mm_setcsr(before);
  }
  EXPECT_NO_THROW(require_ieee_arithmetic());
}
#endif

}  // namespace
}  // namespace vernier
