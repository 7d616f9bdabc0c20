// The hard gates of the ladder: every element equals the rounding of a 256-bit evaluation; the bits are the
// same on every instruction set, for any number of threads, for wider bounds, and however the rows are asked
// for.

#include "reference/ladder/rounded_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <iostream>
#include <random>
#include <tuple>

#include <boost/multiprecision/mpfr.hpp>
#include <gtest/gtest.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/format_label.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

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

std::span<const std::byte> bytes_of_row(const Bytes& out, std::int64_t row, const RoundedTable& table) {
  return std::span(out).subspan(static_cast<std::size_t>(row) * table.row_bytes(), table.row_bytes());
}

double element(Format format, std::span<const std::byte> bytes, std::size_t index) {
  const auto width = static_cast<std::size_t>(traits(format).bits) / 8;
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * width, width);
  return decode_bits(format, bits);
}

/// The truth of one row after another at 256 bits, each frequency by itself: evaluated where it is told to,
/// and turned from there to the following rows. It is found once for all formats.
class RoundedOracle {
 public:
  explicit RoundedOracle(const TrigTable& table) : amplitude_(table.amplitude), precision_(oracle_precision) {
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
    const Interval amplitude = enclose(amplitude_);
    for (std::size_t pair = 0; pair < frequencies_.size(); ++pair) {
      const auto both = sine_cosine(enclose(position) * frequencies_[pair]);
      points_[pair] = point(both);
      sines_[pair] = enclosure_of(amplitude * both.sine);
      cosines_[pair] = enclosure_of(amplitude * both.cosine);
    }
  }

  /// Turns every pair by its frequency, to the next position.
  void go_on() {
    assert(amplitude_.is_one());
    for (std::size_t pair = 0; pair < frequencies_.size(); ++pair) {
      const auto& by = steps_[pair];
      auto& at = points_[pair];
      // Both are next to the unit circle; 2^-255 is more than four products and two sums are rounded by.
      at = {at.sine * by.cosine + at.cosine * by.sine, at.cosine * by.cosine - at.sine * by.sine,
            (at.error + by.error) * (1 + 0x1p-40) + 0x1p-255};
      sines_[pair] = turned(at.sine, at.error);
      cosines_[pair] = turned(at.cosine, at.error);
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
    double error = 0;  ///< no less than the distance from the true point
  };

  static Point point(const SineCosine& both) {
    const auto end_of = [](const Interval& interval) {
      Number number;
      mpfr_set(number.backend().data(), &interval.backend().data()->left, MPFR_RNDN);
      return number;
    };
    return {end_of(both.sine), end_of(both.cosine), 3 * std::max(radius(both.sine), radius(both.cosine))};
  }

  static Enclosure turned(const Number& number, double error) {
    const auto high = number.convert_to<double>();
    const auto low = Number(number - high).convert_to<double>();
    return {{high, low}, error + std::fabs(low) * 0x1p-52};
  }

  static bool differs(Format format, const Enclosure& truth, double got) {
    const auto wanted = rounded(format, truth);
    if (wanted && std::isnan(*wanted)) {
      return !std::isnan(got);  // overflow where there is no infinity
    }
    return !wanted || *wanted != got || std::signbit(*wanted) != std::signbit(got);
  }

  Amplitude amplitude_;
  WorkingPrecision precision_;
  std::vector<Interval> frequencies_;
  std::vector<Point> steps_;
  std::vector<Point> points_;
  std::vector<Enclosure> sines_;
  std::vector<Enclosure> cosines_;
};

/// How many elements of a table differ from the oracle in the format, each row evaluated by itself.
/// Numbers beyond the greatest of the format become what rounding gives: infinity, or NaN.
std::uint64_t mismatches(const TrigTable& table, const PositionRange& positions, Format format) {
  const RoundedTable ladder(table, positions, format, {.overflow = Overflow::nan});
  const auto out = write_all(ladder);
  RoundedOracle oracle(table);
  std::uint64_t count = 0;
  for (std::int64_t row = 0; row < ladder.rows(); ++row) {
    oracle.go_to(positions.at(row));
    count += oracle.mismatches(format, bytes_of_row(out, row, ladder));
  }
  return count;
}

/// The ladders of one table in every format, held to the oracle together.
class InEveryFormat {
 public:
  /// \param turned how many rows the oracle turns through before it evaluates one again
  InEveryFormat(const TrigTable& table, const PositionRange& positions, std::int64_t turned)
      : positions_(positions), turned_(turned), oracle_(table) {
    for (const auto format : all_formats()) {
      ladders_.emplace_back(table, positions, format);
    }
  }

  /// Expects every element of the rows [first, last) to be correctly rounded.
  void check(std::int64_t first, std::int64_t last) {
    std::vector<Bytes> written;
    for (std::size_t i = 0; i < ladders_.size(); ++i) {
      written.emplace_back(static_cast<std::size_t>(last - first) * ladders_[i].row_bytes());
      counts_[i] += ladders_[i].write(first, last, written[i]);
    }
    std::array<std::uint64_t, formats> mismatches{};
    for (auto row = first; row < last; ++row) {
      if ((row - first) % (turned_ + 1) == 0) {
        oracle_.go_to(positions_.at(row));
      } else {
        oracle_.go_on();
      }
      for (std::size_t i = 0; i < ladders_.size(); ++i) {
        mismatches[i] +=
            oracle_.mismatches(all_formats()[i], bytes_of_row(written[i], row - first, ladders_[i]));
      }
    }
    for (std::size_t i = 0; i < formats; ++i) {
      EXPECT_EQ(mismatches[i], 0U) << traits(all_formats()[i]).name << ", rows from " << first;
    }
  }

  static constexpr std::size_t formats = std::tuple_size_v<decltype(all_formats())>;
  /// Of each format in turn.
  const std::array<StageCounts, formats>& counts() const { return counts_; }

 private:
  PositionRange positions_;
  std::int64_t turned_;
  RoundedOracle oracle_;
  std::vector<RoundedTable> ladders_;
  std::array<StageCounts, formats> counts_;
};

/// An oracle that turns is as sharp as one that evaluates: of all elements it sees the one that is off by an
/// ulp.
TEST(Ladder, OneElementOffByAnUlpIsSeenWhereverTheOracleTurns) {
  const auto table = table_of(10000, 16);
  for (const auto format : all_formats()) {
    const RoundedTable ladder(table, {70000, 1, 64}, format);
    auto out = write_all(ladder);
    RoundedOracle oracle(table);
    for (std::int64_t row = 0; row < ladder.rows(); ++row) {
      if (row == 0) {
        oracle.go_to(70000);
      } else {
        oracle.go_on();
      }
      EXPECT_EQ(oracle.mismatches(format, bytes_of_row(out, row, ladder)), 0U);
      const auto last_bit = static_cast<std::size_t>(row) * ladder.row_bytes() +
                            (static_cast<std::size_t>(row) % 32) * (ladder.row_bytes() / 32);
      out[last_bit] ^= std::byte{1};
      EXPECT_EQ(oracle.mismatches(format, bytes_of_row(out, row, ladder)), 1U);
    }
  }
}

TEST(Ladder, EveryElementOfTheTransformersTableIsCorrectlyRounded) {
  InEveryFormat table(table_of(10000, 256), {0, 1, 5000}, 63);
  table.check(0, 5000);
  for (const auto& counts : table.counts()) {
    EXPECT_EQ(counts.values, 5000U * 512U);
    EXPECT_EQ(counts.stage_three, 0U);
    std::cout << counts.stage_two << " of " << counts.values << " left to stage two, " << counts.stage_three
              << " to stage three\n";
  }
}

/// Rows here and there of Llama 3.1's table, and of tables that end at position 2^31.
TEST(Ladder, RandomRowsOfLongTablesAreCorrectlyRounded) {
  std::mt19937_64 engine(test_seed());
  const auto check = [&](const Rational& base, std::int64_t first, std::int64_t count) {
    constexpr std::int64_t run = 64;
    InEveryFormat table(table_of(base, 64), {first, 1, count}, run - 1);
    for (int i = 0; i < 64; ++i) {
      const auto begin = std::uniform_int_distribution<std::int64_t>(0, count - run)(engine);
      table.check(begin, begin + run);
    }
  };
  check(500000, 0, 131072);
  for (const int base : {10000, 500000, 1000000}) {
    check(base, largest_position - 65535, 65536);
  }
}

/// Below 2^-254 a sine vanishes in the fixed point of the seeds, and must not be taken for an exact zero.
TEST(Ladder, SinesBelowTheFixedPointOfTheSeedsAreNotZero) {
  // w_i = 10^(-0.3 i). Powers of two would do, but their sines lie nearer to midpoints of float32's
  // subnormals than the oracle can tell.
  const auto table = table_of(*parse_rational("1e96"), 320);
  InEveryFormat(table, {0, 1, 40}, 0).check(0, 40);
  InEveryFormat(table, {1, std::int64_t{1} << 28, 8}, 0).check(0, 8);
}

class LadderGate : public testing::TestWithParam<Format> {};

TEST_P(LadderGate, TheBitsAreTheSameOnEveryInstructionSet) {
  for (const auto& table : {table_of(10000, 72), table_of(500000, 64, Rational(11386, 10000))}) {
    std::optional<Bytes> first;
    for (const auto& kernels : kernel_sets()) {
      const RoundedTable ladder(table, {-100, 1, 9000}, GetParam(), {.kernels = &kernels});
      auto out = write_all(ladder);
      EXPECT_TRUE(!first || *first == out) << kernels.name;
      first = first.value_or(std::move(out));
      // Streamed with some elements of double left undecided, and where no row may be streamed.
      const RoundedTable streamed(table, {-100, 1, 9000}, GetParam(),
                                  {.kernels = &kernels, .bound_scale = 0x1p20, .streamed_bytes = 0});
      EXPECT_TRUE(write_all(streamed) == *first) << kernels.name;
      Bytes shifted(first->size() + sizeof(double));
      streamed.write(0, streamed.rows(), std::span(shifted).subspan(sizeof(double)));
      EXPECT_TRUE(std::ranges::equal(std::span(shifted).subspan(sizeof(double)), *first)) << kernels.name;
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
  EXPECT_GT(at_90.stage_three, at_90.values / (traits(GetParam()).is_storage_only() ? 50 : 10));
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
  for (const std::int64_t position : {-largest_position, std::int64_t{0}, largest_position}) {
    EXPECT_EQ(mismatches(table, {std::min(position, largest_position - 1), 1, 2}, GetParam()), 0U);
  }
}

/// Frequencies whose sines are smaller than any bounded seed go to stage three, and amplitudes scale.
TEST_P(LadderGate, ExtremeFrequenciesAndAmplitudesAreRight) {
  for (const auto& table :
       {table_of(*parse_rational("1e30"), 12), table_of(10000, 20, Rational(1, 3)),
        table_of(10000, 16, *parse_rational("1e30")), table_of(10000, 16, *parse_rational("1e-30"))}) {
    EXPECT_EQ(mismatches(table, {-3, 1, 200}, GetParam()), 0U);
  }
}

/// A table is as large as 500, half of its elements beyond 240; that of padding, and the cosines of which it
/// has none, are no elements of it.
TEST(Ladder, OverflowsAsIsDeclaredOrNotAtAll) {
  auto table = table_of(10000, 4, 500);
  constexpr auto format = Format::float8_e4m3fnuz;
  const auto elements = [&](Overflow overflow) {
    const RoundedTable ladder(table, {0, 1, 64}, format, {.overflow = overflow});
    std::vector<double> result;
    const auto out = write_all(ladder);
    for (std::int64_t row = 0; row < ladder.rows(); ++row) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        result.push_back(element(format, bytes_of_row(out, row, ladder), c));
      }
    }
    return result;
  };
  EXPECT_THROW(elements(Overflow::undeclared), InputError);
  const auto saturated = elements(Overflow::saturate);
  const auto not_numbers = elements(Overflow::nan);
  for (std::size_t i = 0; i < saturated.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i / table.columns.size());
    const double truth = *correctly_rounded(Format::binary64, table.entry(row, i % table.columns.size()));
    EXPECT_EQ(saturated[i], round_saturating(format, truth)) << i;
    EXPECT_TRUE(std::isnan(not_numbers[i]) == std::isnan(round_to(format, truth))) << i;
  }
  std::erase_if(table.columns, [](const Column& column) { return column.component == Component::cosine; });
  EXPECT_NO_THROW(write_all(RoundedTable(table, {0, 1, 1}, format))) << "the sines of 0 are zero";
  EXPECT_THROW(write_all(RoundedTable(table, {0, 1, 2}, format)), InputError);
  table.zero_position = 1;
  EXPECT_NO_THROW(write_all(RoundedTable(table, {0, 1, 2}, format)));
}

/// Timesteps times 1000/7; normalised coordinates, at quarter turns exactly; positions stored in binary. Each
/// element equals its own evaluation, as the oracle's enclosures say nothing of exact zeros.
TEST_P(LadderGate, RealPositionsAreRight) {
  for (
      const auto* spec :
      {R"({"scheme": "sinusoidal", "d_model": 32, "layout": "halves", "downscale_freq_shift": 1, "position_scale": "1000/7"})",
       R"({"scheme": "rope", "head_dim": 32, "rope_theta": 100, "position_scale": "1/8", "position_offset": "-3/4", "frequency_scale": "2pi"})",
       R"({"scheme": "rope", "head_dim": 32, "position_unit": "1/1099511627776", "position_offset": 0.5})"}) {
    const auto encoding = parsed(spec);
    const auto table = encoding->plain_tables().front();
    for (const auto& given : {PositionRange{-50, 1, 300}, PositionRange{100000, 12345, 100}}) {
      const auto places = table.positions.places(given);
      const RoundedTable ladder(table, places, GetParam());
      const auto out = write_all(ladder);
      for (std::int64_t row = 0; row < ladder.rows(); ++row) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
          const auto got = element(GetParam(), bytes_of_row(out, row, ladder), c);
          const auto wanted = correctly_rounded(GetParam(), table.entry(places.at(row), c));
          ASSERT_TRUE(wanted && *wanted == got && std::signbit(*wanted) == std::signbit(got))
              << spec << ", position " << given.at(row) << ", column " << c << ": " << got;
        }
      }
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

}  // namespace
}  // namespace vernier
