// The families of frequencies, and the tables of sines that have other frequencies than the paper's.

#include "reference/frequencies/frequencies.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

TrigTable table_of_spec(const std::string& text) {
  return parsed(text)->plain_tables().at(0);
}

double float64_entry(const std::string& spec, std::int64_t position, std::size_t column) {
  return correctly_rounded(Format::binary64, table_of_spec(spec).entry(position, column)).value();
}

/// One spec of every family and reading.
const std::vector<std::string> frequency_specs{
    R"({"scheme": "sine_powers_of_two", "d_model": 160})",
    R"({"scheme": "sine_only", "d_model": 8})",
    R"({"scheme": "sine_only", "d_model": 8, "reading": "ascending_to_one"})",
    R"({"scheme": "sine_only", "d_model": 8, "reading": "ascending_from_one", "base": 500.5})",
    R"({"scheme": "sine_only", "d_model": 8, "reading": "descending_to_one"})",
    R"({"scheme": "frequency_list", "frequencies": [0.1, "1/3", 1, 12345.678, "1e-25"], "order": "cos_sin"})",
    R"({"scheme": "frequency_family", "d_model": 8, "base": 1000})",
    R"({"scheme": "frequency_family", "d_model": 8, "family": "power", "exponent": 0.5})",
    R"({"scheme": "sinusoidal", "d_model": 20, "frequency": "geometric", "first": 1, "last": 512})",
    R"({"scheme": "sinusoidal", "d_model": 9, "frequency": "geometric", "first": "7pi", "last": "pi/3"})",
    R"({"scheme": "sinusoidal", "d_model": 1, "frequency": "geometric", "first": 3, "last": 3})",
    R"({"scheme": "sinusoidal", "d_model": 16, "frequency": "linear", "first": "pi", "last": "112pi"})",
    R"({"scheme": "sinusoidal", "d_model": 8, "position_scale": "1/3"})",
    R"({"scheme": "rope", "head_dim": 8, "rope_scaling": {"rope_type": "linear", "factor": 2.5}})",
    R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "yarn", "factor": 4,
        "original_max_position_embeddings": 512}})"};

/// The quick enclosures, and the double, of each frequency are of the same number as `at`, at twice the
/// precision.
void expect_agreement(const Frequencies& frequencies, const std::string& label) {
  const auto quick = [&] {
    const WorkingPrecision coarse(128);
    return frequencies.enclosures();
  }();
  ASSERT_EQ(quick.size(), static_cast<std::size_t>(frequencies.pairs()));
  const WorkingPrecision fine(256);
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    const auto truth = frequencies.at(pair);
    EXPECT_TRUE(lies_within(truth, quick[static_cast<std::size_t>(pair)])) << label << ' ' << pair;
    const double w = middle(truth);
    EXPECT_LE(std::fabs(frequencies.approximate(pair) - w), 256 * 0x1p-53 * w) << label << ' ' << pair;
    EXPECT_EQ(frequencies.is_one(pair), contains(truth, 1)) << label << ' ' << pair;
    // Twice |ln w| ulp of double would do; no frequency here is further from one than e^111.
    const double magnitude = std::fabs(std::log(w));
    EXPECT_TRUE(w == 0 ? std::isinf(frequencies.log_magnitude(pair))
                       : std::fabs(frequencies.log_magnitude(pair) - magnitude) <= 256 * 0x1p-53)
        << label << ' ' << pair;
  }
}

TEST(Frequencies, AgreeHoweverTheyAreAskedFor) {
  for (const auto& spec : frequency_specs) {
    expect_agreement(table_of_spec(spec).frequencies, spec);
  }
}

TEST(Frequencies, OfSeveralAxesAreThoseOfEachInTurn) {
  const GeometricFrequencies progression{10000, Rational(1, 3), 3};
  const Frequencies listed(ListedFrequencies{{Rational(1, 7), 1}});
  const Frequencies joined(JoinedFrequencies{{progression, listed}});
  ASSERT_EQ(joined.pairs(), 5);
  expect_agreement(joined, "joined");
  EXPECT_TRUE(joined.is_one(0) && joined.is_one(4));
  EXPECT_EQ(joined.exact(3), (Constant{Rational(1, 7), 0}));
}

TEST(Frequencies, AreNoProgressionOnceTheyAreMultiplied) {
  const GeometricFrequencies progression{10000, Rational(1, 3), 3};
  ASSERT_NE(Frequencies(progression).geometric(), nullptr);
  EXPECT_EQ(*Frequencies(progression).geometric(), progression);
  EXPECT_EQ(Frequencies(progression, Constant{2, 0}, {}).geometric(), nullptr);
}

/// First and last frequencies of d = 512.
TEST(SineOnly, HasTheFrequenciesOfFourReadings) {
  const auto ends = [](const std::string& reading) {
    const auto w = table_of_spec(R"({"scheme": "sine_only", "d_model": 512, "reading": ")" + reading + "\"}")
                       .frequencies;
    return std::pair(w.approximate(0), w.approximate(511));
  };
  const auto expect_ends = [&](const std::string& reading, double first, double last) {
    EXPECT_NEAR(ends(reading).first / first, 1, 1e-14) << reading;
    EXPECT_NEAR(ends(reading).second / last, 1, 1e-14) << reading;
  };
  expect_ends("descending", 1, 1e-4);
  expect_ends("ascending_to_one", 1e-4, 0.9821718891880378);
  expect_ends("ascending_from_one", 1, 1e4);
  expect_ends("descending_to_one", 1e4, 1.018151721718182);
}

/// mpmath at 50 digits: sin(3 * 10000^e) with e = -2/7, 2/8 - 1, 2/7, 1 - 2/8.
TEST(SineOnly, HasItsGoldenValues) {
  const auto value = [](const std::string& reading) {
    return float64_entry(R"({"scheme": "sine_only", "d_model": 8, "reading": ")" + reading + "\"}", 3, 2);
  };
  EXPECT_EQ(value("descending"), 0.21423219005262736);
  EXPECT_EQ(value("ascending_to_one"), 0.002999995500002025);
  EXPECT_EQ(value("ascending_from_one"), -0.7474135363250588);
  EXPECT_EQ(value("descending_to_one"), 0.21918997428281808);
}

/// PE_0 = 0; from column 150 on a float32 table of position 1 holds nothing,
/// as sin(2^-150) lies below the midpoint of zero and the smallest subnormal.
TEST(SinePowersOfTwo, VanishesAtZeroAndUnderflowsInTheEnd) {
  const auto sines = table_of_spec(R"({"scheme": "sine_powers_of_two", "d_model": 160})");
  const auto rounded = [&](std::int64_t position, std::size_t column, Format format) {
    return correctly_rounded(format, sines.entry(position, column)).value();
  };
  for (const std::size_t column : {0U, 1U, 159U}) {
    EXPECT_EQ(rounded(0, column, Format::binary64), 0);
  }
  EXPECT_EQ(rounded(5000, 3, Format::binary64), 0.17601627283386595) << "mpmath: sin(5000/8)";
  EXPECT_EQ(rounded(1, 149, Format::binary32), 0x1p-149);
  EXPECT_EQ(rounded(1, 150, Format::binary32), 0);
  EXPECT_EQ(rounded(1, 150, Format::binary64), 0x1p-150);
}

/// The smallest frequency of the intended reading is larger than that of the powers of
/// two exactly from d = 15 on.
TEST(SinePowersOfTwo, ReachesLowerThanOneInTenThousandFromFifteenColumnsOn) {
  for (int d = 2; d <= 20; ++d) {
    const auto keys = std::string("\"d_model\": ") + std::to_string(d) + "}";
    const auto least = [&](const std::string& scheme) {
      return table_of_spec(R"({"scheme": ")" + scheme + "\", " + keys).frequencies.approximate(d - 1);
    };
    EXPECT_EQ(least("sine_only") > least("sine_powers_of_two"), d >= 15) << d;
  }
}

TEST(FrequencyList, HasPairsInTheOrderAskedFor) {
  const std::string spec = R"({"scheme": "frequency_list", "frequencies": [0.1, "1/3"])";
  EXPECT_EQ(float64_entry(spec + "}", 7, 3), -0.6907581397498763) << "mpmath: cos(7/3)";
  EXPECT_EQ(float64_entry(spec + R"(, "order": "cos_sin"})", 7, 2), -0.6907581397498763);
}

/// The exponential family is the paper's progression; the power starts with a frequency of zero.
TEST(FrequencyFamily, SamplesItsFunction) {
  const auto paper = table_of_spec(R"({"scheme": "sinusoidal", "d_model": 8})");
  EXPECT_EQ(table_of_spec(R"({"scheme": "frequency_family", "d_model": 8})").frequencies, paper.frequencies);
  const std::string power =
      R"({"scheme": "frequency_family", "d_model": 8, "family": "power", "exponent": 0.5})";
  EXPECT_EQ(float64_entry(power, 5, 0), 0);
  EXPECT_EQ(float64_entry(power, 5, 1), 1);
  EXPECT_EQ(float64_entry(power, 5, 6), -0.9278232527433042) << "mpmath: sin(5 sqrt(3/4))";
}

/// Certified rows enclose the entries as the reference gives them one by one, for frequencies above one, tiny
/// ones and zero, too.
TEST(CertifiedTable, EnclosesEveryFamily) {
  for (const auto& spec : frequency_specs) {
    const auto wanted = table_of_spec(spec);
    CertifiedTable certified(wanted);
    std::vector<Enclosure> row(certified.columns());
    for (const std::int64_t position :
         {std::int64_t{-3}, std::int64_t{0}, std::int64_t{1}, std::int64_t{4097}, largest_position}) {
      certified.row(position, row);
      const WorkingPrecision precision(512);
      for (std::size_t column = 0; column < row.size(); ++column) {
        EXPECT_TRUE(lies_within(wanted.entry(position, column)(), row[column]))
            << spec << ' ' << position << ' ' << column;
      }
    }
  }
}

/// The ladder writes the same values as Ziv's loop, element by element.
TEST(RoundedTable, IsCorrectlyRoundedForEveryFamily) {
  for (const auto& spec : frequency_specs) {
    const auto wanted = table_of_spec(spec);
    const RoundedTable ladder(wanted, {-2, 1, 70}, Format::binary32);
    std::vector<float> got(70 * wanted.columns.size());
    ladder.write(0, 70, std::as_writable_bytes(std::span(got)));
    for (std::int64_t row = 0; row < 70; row += 3) {
      for (std::size_t column = 0; column < wanted.columns.size(); ++column) {
        const auto truth = correctly_rounded(Format::binary32, wanted.entry(row - 2, column));
        EXPECT_EQ(static_cast<double>(got[static_cast<std::size_t>(row) * wanted.columns.size() + column]),
                  truth)
            << spec << ' ' << row << ' ' << column;
      }
    }
  }
}

TEST(BadSpecs, OfOtherFrequenciesAreRefusedWithFileKeyFoundAndExpected) {
  const auto expect_refused = [](const std::string& spec, const std::string& sentence) {
    EXPECT_THAT(refusal_of_spec(spec), StrEq("case.json: " + sentence)) << spec;
  };
  expect_refused(R"({"scheme": "sine_powers_of_two", "d_model": 513})",
                 "spec.d_model: found 513, expected an integer from 1 to 512");
  expect_refused(R"({"scheme": "sine_only", "d_model": 1})",
                 "spec.d_model: found 1, expected at least 2, as the frequencies divide by d_model - 1");
  expect_refused(R"({"scheme": "sine_only", "d_model": 8, "reading": "C"})",
                 "spec.reading: found the string \"C\", expected \"descending\", \"ascending_to_one\", "
                 "\"ascending_from_one\" or \"descending_to_one\"");
  expect_refused(R"({"scheme": "frequency_list"})",
                 "spec.frequencies: missing, expected an array of at least one frequency");
  expect_refused(R"({"scheme": "frequency_list", "frequencies": []})",
                 "spec.frequencies: found an array, expected an array of at least one frequency");
  expect_refused(R"({"scheme": "frequency_list", "frequencies": [1, 0]})",
                 "spec.frequencies[1]: found 0, expected a number from 1e-30 to 1e30, or one written as text "
                 "(\"0.1\", \"1/3\")");
  expect_refused(R"({"scheme": "frequency_family", "d_model": 7})",
                 "spec.d_model: found 7, expected an even number, two columns a frequency");
  expect_refused(R"({"scheme": "frequency_family", "d_model": 8, "family": "power"})",
                 "spec.exponent: missing, expected a number greater than 0 and at most 100");
  expect_refused(R"({"scheme": "frequency_family", "d_model": 8, "exponent": 2})",
                 "spec: found the unknown key \"exponent\", expected only scheme, d_model, family, base, "
                 "order, position_unit, position_scale, position_offset, frequency_scale");
}

}  // namespace
}  // namespace vernier
