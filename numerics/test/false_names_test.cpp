// What a kind of finding must not be told of: honest tensors, and faults of its neighbours.

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/case_diagnosis.hpp"
#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/told_findings.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A row of a table of sines and cosines in float32, of a position.
using RowCode = std::function<std::vector<double>(double position)>;

Case made_case(const std::string& spec, const std::map<std::string, RowCode>& tables, int rows) {
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  for (const auto& [role, row] : tables) {
    std::vector<double> values;
    for (int position = 0; position < rows; ++position) {
      const auto one = row(position);
      values.insert(values.end(), one.begin(), one.end());
    }
    const Shape shape{static_cast<std::size_t>(rows), values.size() / static_cast<std::size_t>(rows)};
    parts.tensors.emplace(role, NamedTensor{role, tensor_of(Format::binary32, shape, values)});
  }
  return assemble_case(parts, parsed(spec));
}

/// The first explanation of the tables by edits of what they should be; none where there is none.
std::optional<Explanation> explained(const std::string& spec, const std::map<std::string, RowCode>& tables,
                                     int rows) {
  const auto diagnosis = diagnose_tables(made_case(spec, tables, rows), 1);
  return diagnosis.is_explained() ? std::optional(diagnosis.explanations.front()) : std::nullopt;
}

std::string told_of_tables(const std::string& spec, const std::map<std::string, RowCode>& tables, int rows) {
  const auto explanation = explained(spec, tables, rows);
  return explanation ? sentence_of(*explanation) : "unexplained";
}

/// Half sines and half cosines of these frequencies.
RowCode halves(std::vector<double> frequencies) {
  return [frequencies = std::move(frequencies)](double position) {
    std::vector<double> row;
    for (const double w : frequencies) {
      row.push_back(std::sin(position * w));
    }
    for (const double w : frequencies) {
      row.push_back(std::cos(position * w));
    }
    return row;
  };
}

/// 1/b^(i/n), changed.
std::vector<double> powers(
    int n, const std::function<double(double)>& change = [](double w) { return w; }) {
  std::vector<double> result;
  for (int i = 0; i < n; ++i) {
    result.push_back(change(std::pow(1e4, -static_cast<double>(i) / n)));
  }
  return result;
}

constexpr auto bands = R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves", "frequency": "linear",
    "first": "pi", "last": "32pi", "position_scale": "1/100"})";

/// Small integers are numbers of every format: that shows no rounding.
TEST(FalseNames, LinearBandsWithoutPiAreNotComputedInSixteenBits) {
  std::vector<double> integers(32);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    integers[i] = static_cast<double>(i + 1) / 100;
  }
  EXPECT_THAT(told_of_tables(bands, {{"encoding", halves(integers)}}, 400), HasSubstr("multiplied by 1/pi"));
}

TEST(FalseNames, FrequenciesAreRoundedApartFromTheScaleOfPositions) {
  for (const auto& [words, scale] : {std::pair{"3/2", 1.5}, {"16/9", 16.0 / 9}, {"1/3", 1.0 / 3}}) {
    const auto spec = std::string(R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves",
        "position_scale": ")") +
                      words + "\"}";
    for (const auto format : {Format::bfloat16, Format::binary16}) {
      const auto frequencies = powers(32, [&, by = scale](double w) { return round_to(format, w) * by; });
      EXPECT_THAT(told_of_tables(spec, {{"encoding", halves(frequencies)}}, 3000),
                  HasSubstr("the frequencies are rounded to " + std::string(traits(format).name)))
          << words;
    }
  }
}

/// Each is a number of bfloat16, and none is near the declared one.
TEST(FalseNames, PowersOfTwoAreNotComputedInSixteenBits) {
  std::vector<double> binary(32);
  for (std::size_t i = 0; i < binary.size(); ++i) {
    binary[i] = std::exp2(-static_cast<double>(i) / 2.5);
    binary[i] = std::exp2(std::round(std::log2(binary[i])));
  }
  EXPECT_THAT(told_of_tables(R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves"})",
                             {{"encoding", halves(binary)}}, 3000),
              Not(testing::AnyOf(HasSubstr("bfloat16"), HasSubstr("float16"))));
}

/// A table of few rows fits much that is exotic. One number fits it better.
TEST(FalseNames, AConstantIsToldAsThatInShortTables) {
  constexpr auto rope = R"({"scheme": "rope", "head_dim": 128})";
  const auto all = [](double value) -> RowCode {
    return [=](double) { return std::vector<double>(64, value); };
  };
  EXPECT_EQ(told_of_tables(rope, {{"cos", all(1)}}, 4), "every element of cos is 1");
  EXPECT_EQ(told_of_tables(rope, {{"cos", all(0)}, {"sin", all(0)}}, 64),
            "every element of cos and sin is 0");
  EXPECT_EQ(told_of_tables(rope, {{"cos", all(0.5)}, {"sin", all(0)}}, 4),
            "every element of cos is 0.5, and every element of sin is 0");
  EXPECT_EQ(told_of_tables(rope, {{"cos", all(0.125)}, {"sin", all(0.125)}}, 16),
            "every element of cos and sin is 0.125");
}

/// Cosines of slow pairs are 1, so that zeros among them are whole numbers: elsewhere they are not.
TEST(FalseNames, ZerosOfSomeRowsAreNotToldAsWholeNumbersOfSomeColumns) {
  const RowCode every_third_is_zero = [](double p) {
    std::vector<double> row(8);
    for (std::size_t i = 0; i < 4 && std::fmod(p, 3) != 2; ++i) {
      const double phase = p * std::pow(1e12, -static_cast<double>(i) / 4);
      row[i] = std::sin(phase);
      row[4 + i] = std::cos(phase);
    }
    return row;
  };
  const auto all = diagnose(
      made_case(R"({"scheme": "sinusoidal", "d_model": 8, "base": 1000000000000, "layout": "halves"})",
                {{"encoding", every_third_is_zero}}, 99),
      1);
  ASSERT_TRUE(all.at(0).is_explained());
  EXPECT_THAT(sentence_of(all.front().explanations.front()),
              testing::AllOf(HasSubstr("rows 2 of every 3"), HasSubstr("zero")));
}

/// Ones and zeros of a table and its partner, or the factor of the scaling, are not what memory holds.
/// In 16 bits a table a million times as large, cut off at 1, could be anything.
TEST(FalseNames, RowsOfZerosAreNotToldAsValuesThatAreCutOff) {
  constexpr int rows = 33;
  std::vector<double> values;
  for (int p = 0; p < rows; ++p) {
    for (int i = 0; i < 8; ++i) {
      const double phase = p * std::pow(1000.0, -i / 8.0);
      const double kept = p % 8 == 7 ? 0 : 1;
      values.push_back(round_to(Format::binary16, kept * std::sin(phase)));
      values.push_back(round_to(Format::binary16, kept * std::cos(phase)));
    }
  }
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  parts.tensors.emplace("encoding", NamedTensor{"encoding", tensor_of(Format::binary16, {rows, 16}, values)});
  const auto diagnosis = diagnose_tables(
      assemble_case(parts, parsed(R"({"scheme": "sinusoidal", "d_model": 16, "base": 1000})")), 1);
  ASSERT_TRUE(diagnosis.is_explained());
  EXPECT_THAT(sentence_of(diagnosis.explanations.front()), HasSubstr("are zero"));
}

/// Sines alone tell no frequencies: that all positions are others is read off the rows.
TEST(FalseNames, AFactorOfPositionsIsNamedBySinesAlone) {
  const RowCode sines = [](double position) {
    std::vector<double> row;
    for (int i = 0; i < 8; ++i) {
      row.push_back(std::sin(1.01 * position * std::pow(29.0, -i / 7.0)));
    }
    return row;
  };
  EXPECT_EQ(told_of_tables(R"({"scheme": "sine_only", "d_model": 8, "base": 29, "reading": "descending"})",
                           {{"encoding", sines}}, 300),
            "positions are multiplied by 1.01");
}

TEST(FalseNames, RowsOfPositionZeroAreNotToldAsOverwritten) {
  const auto all = [](double value) -> RowCode {
    return [=](double) { return std::vector<double>(32, value); };
  };
  constexpr auto longrope = R"({"scheme": "rope", "head_dim": 64, "rope_scaling": {"rope_type": "yarn",
      "factor": 4, "original_max_position_embeddings": 4096}})";
  const double factor = 0.1 * std::log(4.0) + 1;
  EXPECT_EQ(told_of_tables(longrope, {{"cos", all(factor)}, {"sin", all(0)}}, 2),
            "every row holds position 0");
  EXPECT_EQ(told_of_tables(longrope, {{"cos", all(factor)}}, 2), "every row holds position 0");
  EXPECT_EQ(told_of_tables(longrope, {{"cos", all(1)}, {"sin", all(0)}}, 64),
            "every element of cos is 1, and every element of sin is 0");
  constexpr auto rope = R"({"scheme": "rope", "head_dim": 64})";
  EXPECT_EQ(told_of_tables(rope, {{"cos", all(1)}, {"sin", all(0)}}, 64),
            "no pair turns: every frequency is zero");
}

/// Of an odd width every library has floor(d/2) in the exponents.
TEST(FalseNames, ASpecOfAnOddWidthIsAdvisedWhatItDoesNotHave) {
  const auto spec =
      parsed(R"({"scheme": "sinusoidal", "d_model": 65, "layout": "halves", "odd_width": "zero"})");
  const auto row = [](double position) {
    auto values = halves(powers(32))(position);
    values.push_back(0);
    return values;
  };
  const auto found = explained(spec->spec().dump(), {{"encoding", row}}, 400);
  ASSERT_TRUE(found);
  EXPECT_EQ(sentence_of(*found), "the exponents are i/32, not i/32.5");
  EXPECT_EQ(found->findings.front().edit.dump(),
            R"([{"op":"add","path":"/downscale_freq_shift","value":0}])");
}

/// What real kernels were found to do beyond what is searched for, and the kinds that are true of it.
struct Foreign {
  std::string_view words;
  /// The element that is stored: of a position and a pair, cosine or sine.
  std::function<double(int position, int pair, bool is_sine)> element;
  std::vector<std::string_view> true_kinds = {};
};

double rotary(double position, int pair, bool is_sine, const std::function<double(double)>& round = nullptr) {
  const double w = std::pow(1e4, -pair / 16.0);
  const double phase = position * (round ? round(w) : w);
  return is_sine ? std::sin(phase) : std::cos(phase);
}

/// Cut off to so many bits, toward zero.
double cut(double x, int bits) {
  int exponent = 0;
  const double significand = std::frexp(x, &exponent);
  return std::ldexp(std::trunc(std::ldexp(significand, bits)), exponent - bits);
}

const std::vector<Foreign>& foreign_faults() {
  static const std::vector<Foreign> all{
      {"pair i turns as pair i//2",
       [](int p, int i, bool s) { return rotary(p, i / 2, s); },
       {"frequency/other-pair"}},
      {"pair i turns as pair 2 i mod 16",
       [](int p, int i, bool s) { return rotary(p, 2 * i % 16, s); },
       {"frequency/other-pair"}},
      {"pair i turns as pair i + 1",
       [](int p, int i, bool s) { return rotary(p, std::min(i + 1, 15), s); },
       {"frequency/exponent", "frequency/other-pair"}},
      {"pairs from 8 on turn as pair 8",
       [](int p, int i, bool s) { return rotary(p, std::min(i, 8), s); },
       {"frequency/other-pair"}},
      {"the sine is that of the next pair",
       [](int p, int i, bool s) { return rotary(p, (s ? i + 1 : i) % 16, s); },
       {"frequency/other-pair"}},
      {"the sine has no sign",
       [](int p, int i, bool s) { return s ? std::fabs(rotary(p, i, s)) : rotary(p, i, s); },
       {"mapping/parts"}},
      {"the sine is zero",
       [](int p, int i, bool s) { return s ? 0 : rotary(p, i, s); },
       {"damage/row-zero", "damage/constant", "mapping/parts"}},
      {"both are sines", [](int p, int i, bool) { return rotary(p, i, true); }, {"mapping/parts"}},
      {"every 16th row is zero",
       [](int p, int i, bool s) { return p % 16 == 3 ? 0 : rotary(p, i, s); },
       {"damage/row-zero"}},
      {"rows from 100 on are zero",
       [](int p, int i, bool s) { return p >= 100 ? 0 : rotary(p, i, s); },
       {"damage/row-zero"}},
      {"the last row of each tile of 64 is the next tile's first",
       [](int p, int i, bool s) { return rotary(p % 64 == 63 ? p + 1 : p, i, s); },
       {"damage/row-copy", "position/rows", "position/block"}},
      {"rows start anew with each pack of 100",
       [](int p, int i, bool s) { return rotary(p % 100, i, s); },
       {"position/wrapped"}},
      {"one row is another table's", [](int p, int i, bool s) { return p == 77 ? 0.25 : rotary(p, i, s); }},
      {"positions and frequencies are cut to 11 bits",
       [](int p, int i, bool s) { return rotary(cut(p, 11), i, s, [](double w) { return cut(w, 11); }); },
       {"frequency/format"}},
      {"steps of 1/32767",
       [](int p, int i, bool s) { return std::round(rotary(p, i, s) * 32767) / 32767; },
       {"trigonometry/low-accuracy", "storage/steps"}},
      {"cut to integers",
       [](int p, int i, bool s) { return std::trunc(rotary(p, i, s)); },
       {"damage/row-zero", "damage/constant", "storage/integers"}},
      {"periods in bfloat16",
       [](int p, int i, bool s) {
         return rotary(p, i, s, [](double w) { return 1 / round_to(Format::bfloat16, 1 / w); });
       },
       {"frequency/format"}},
      {"phases in 11 bits",
       [](int p, int i, bool s) {
         const double phase = cut(p * std::pow(1e4, -i / 16.0), 11);
         return s ? std::sin(phase) : std::cos(phase);
       },
       {"phase/format"}},
      {"odd positions are negated",
       [](int p, int i, bool s) { return rotary(p % 2 == 1 ? -p : p, i, s); },
       {"position/reversed"}},
      {"squares of positions", [](int p, int i, bool s) { return rotary(p * p, i, s); }},
      {"a window", [](int p, int i, bool s) { return rotary(p, i, s) * (1 - p / 600.0); }},
      {"pairs in turn take the position of another axis",
       [](int p, int i, bool s) { return rotary(i % 2 == 0 ? p / 10 : p % 10, i, s); },
       {"position/staircase", "position/wrapped"}}};
  return all;
}

TEST(FalseNames, AreNotGivenToWhatIsNotSearchedFor) {
  constexpr auto spec = R"({"scheme": "rope", "head_dim": 32})";
  for (const auto& fault : foreign_faults()) {
    const auto row = [&](bool is_sine) -> RowCode {
      return [&fault, is_sine](double position) {
        std::vector<double> values;
        for (int pair = 0; pair < 16; ++pair) {
          values.push_back(fault.element(static_cast<int>(position), pair, is_sine));
        }
        return values;
      };
    };
    const auto found = explained(spec, {{"cos", row(false)}, {"sin", row(true)}}, 160);
    for (const auto& finding : found ? found->findings : std::vector<Finding>()) {
      EXPECT_THAT(fault.true_kinds, Contains(finding.kind->id)) << fault.words << ": " << finding.sentence;
    }
  }
}

/// The phase of a pair in a row.
using PairPhase = std::function<double(std::size_t row, std::size_t pair)>;

/// Cosines and sines in float32 of rope, each pair in `copies` columns, of which the last have other phases.
std::vector<Diagnosis> diagnoses_of(const std::string& spec, const std::vector<std::int64_t>& positions,
                                    const PairPhase& phase, const PairPhase& second = nullptr) {
  constexpr std::size_t pairs = 16;
  CaseInput parts{"case.json", "test", "", {}, std::nullopt};
  parts.tensors.emplace("positions", NamedTensor{"positions", positions_tensor(positions)});
  for (const bool is_sine : {false, true}) {
    std::vector<double> values;
    for (std::size_t row = 0; row < positions.size(); ++row) {
      for (const auto* of_half : {&phase, &second}) {
        for (std::size_t pair = 0; pair < pairs && *of_half; ++pair) {
          const double x = (*of_half)(row, pair);
          values.push_back(is_sine ? std::sin(x) : std::cos(x));
        }
      }
    }
    const std::string role = is_sine ? "sin" : "cos";
    const Shape shape{positions.size(), values.size() / positions.size()};
    parts.tensors.emplace(role, NamedTensor{role, tensor_of(Format::binary32, shape, values)});
  }
  return diagnose(assemble_case(parts, parsed(spec)), 1);
}

constexpr auto rope_of_16_pairs = R"({"scheme": "rope", "head_dim": 32})";

std::vector<std::int64_t> every(std::int64_t step, std::int64_t first, std::size_t count) {
  auto positions = positions_from(0, count);
  std::ranges::transform(positions, positions.begin(), [=](std::int64_t i) { return first + step * i; });
  return positions;
}

/// A place that is no whole number makes the phases of its row inexact, not those of others; and a move by
/// less than its rounding is none.
TEST(FalseNames, PlacesMovedByAHairExplainNoErrors) {
  const auto positions = every(5007, 5000, 24);
  const auto w = powers(16);
  const auto told = [&](const std::map<std::size_t, double>& moved_by) {
    const auto diagnoses = diagnoses_of(rope_of_16_pairs, positions, [&](std::size_t row, std::size_t pair) {
      const double moved = pair == 0 && moved_by.contains(row) ? moved_by.at(row) : 0;
      return static_cast<double>(positions[row]) * w[pair] + moved;
    });
    return diagnoses.empty()                  ? "conforming"
           : diagnoses.front().is_explained() ? sentence_of(diagnoses.front().explanations.front())
                                              : "unexplained";
  };
  EXPECT_EQ(told({}), "conforming");
  for (const auto& [by, others] : {std::pair{1.5e-6, 6e-7}, {-2.5e-6, -8e-7}}) {
    EXPECT_EQ(told({{23, by}, {16, others}, {19, others}, {21, others}}), "unexplained");
  }
}

/// At every 3000th position a frequency is one of many, most of which the angle of the first row refutes.
TEST(FalseNames, ARecoveredFrequencyIsNoneOfMany) {
  const auto w = powers(16);
  for (const std::int64_t step : {3000, 1}) {
    const auto positions = every(step, 7, 24);
    const auto factor = [](std::size_t pair) {
      return pair < 5 ? 0.25 + 0.06 * static_cast<double>(pair) : 1;
    };
    const auto diagnoses = diagnoses_of(rope_of_16_pairs, positions, [&](std::size_t row, std::size_t pair) {
      const bool is_damaged = pair > 7 && row == pair;
      return static_cast<double>(positions[row]) * w[pair] * factor(pair) + (is_damaged ? 1 : 0);
    });
    ASSERT_FALSE(diagnoses.empty());
    const auto& frequencies = diagnoses.front().frequencies;
    EXPECT_EQ(frequencies.size(), step == 1 ? 8U : 0U);
    for (const auto& one : frequencies) {
      const auto pair = static_cast<std::size_t>(one.pair);
      EXPECT_NEAR(one.found, w[pair] * factor(pair), one.uncertainty + 1e-12);
      EXPECT_LT(pair, 8U) << "no frequency has the damaged row";
    }
  }
}

/// Each pair stands in two columns, and the second half has frequencies of its own.
TEST(FalseNames, APairWithAWrongColumnDoesNotTurnAsDeclared) {
  const auto w = powers(16);
  const auto positions = positions_from(0, 64);
  const std::map<std::size_t, double> slower{{8, 0.77}, {9, 0.6}};
  const std::map<std::size_t, double> slower_second{{0, 0.9},  {1, 0.83}, {2, 0.71},
                                                    {3, 0.67}, {8, 0.77}, {9, 0.6}};
  const auto phases = [&](const std::map<std::size_t, double>& factors) -> PairPhase {
    return [&](std::size_t row, std::size_t pair) {
      return static_cast<double>(positions[row]) * w[pair] * (factors.contains(pair) ? factors.at(pair) : 1);
    };
  };
  const auto diagnoses = diagnoses_of(rope_of_16_pairs, positions, phases(slower), phases(slower_second));
  ASSERT_FALSE(diagnoses.empty());
  EXPECT_THAT(diagnoses.front().held, HasSubstr("pairs 8, 9 turn by 0.0077"));
  EXPECT_THAT(diagnoses.front().held, HasSubstr("10 pairs turn as declared"));
  for (const auto& one : diagnoses.front().frequencies) {
    EXPECT_EQ(one.differs(), slower.contains(static_cast<std::size_t>(one.pair)));
    EXPECT_GT(one.pair, 3);
  }
}

/// Rows that begin 4800 positions on, with the roundings of float32 phases there: no pair turns otherwise.
TEST(FalseNames, RoundedPhasesAreNoOtherFrequency) {
  const std::vector<std::int64_t> positions{199, 198, 197, 196, 195, 194, 193, 192, 154, 153, 118, 117,
                                            81,  80,  45,  44,  7,   6,   5,   4,   3,   2,   1,   0};
  for (const float shift : {4800.0F, 6000.0F}) {
    std::vector<double> values;
    for (const auto position : positions) {
      for (int i = 0; i < 64; i += 2) {
        const float w = std::exp(static_cast<float>(i) * (-std::log(1e4F) / 64.0F));
        const float x = (static_cast<float>(position) + shift) * w;
        values.insert(values.end(), {std::sin(double{x}), std::cos(double{x})});
      }
    }
    CaseInput parts{"case.json", "test", "", {}, std::nullopt};
    parts.tensors.emplace("positions", NamedTensor{"positions", positions_tensor(positions)});
    parts.tensors.emplace(
        "encoding", NamedTensor{"encoding", tensor_of(Format::binary32, {positions.size(), 64}, values)});
    const auto diagnoses =
        diagnose(assemble_case(parts, parsed(R"({"scheme": "sinusoidal", "d_model": 64})")), 1);
    ASSERT_FALSE(diagnoses.empty());
    EXPECT_THAT(likeliest_with_ids(diagnoses.front()),
                HasSubstr(fmt::format("positions are larger by {}", shift)));
  }
}

TEST(FalseNames, OnlyARampIsInverted) {
  const auto positions = positions_from(0, 64);
  const auto w = powers(16);
  for (const std::string scaling : {R"("linear", "factor": 8)", R"("yarn", "factor": 8,
       "original_max_position_embeddings": 64)"}) {
    const auto diagnoses = diagnoses_of(
        R"({"scheme": "rope", "head_dim": 32, "rope_scaling": {"rope_type": )" + scaling + "}}", positions,
        [&](std::size_t row, std::size_t pair) { return static_cast<double>(positions[row]) * w[pair]; });
    for (const auto& diagnosis : diagnoses) {
      for (const auto& one : diagnosis.explanations) {
        EXPECT_THAT(sentence_of(one), Not(HasSubstr("ramp")));
      }
    }
  }
}

/// Any length up to the original one takes the short list: none of them is the cause.
TEST(FalseNames, OtherFactorsAreToldAsThatWhateverTheLength) {
  std::vector<double> lists[2];
  for (int i = 0; i < 16; ++i) {
    lists[0].push_back(1 + 0.01 * i);
    lists[1].push_back(1 + 0.7 * i);
  }
  const auto positions = every(7, 0, 48);
  // The last, without a length: the context chooses.
  for (const auto& [length, used] :
       {std::pair{100, "long factors are used, not the short ones of sequence_length 100"},
        {4097, "short factors are used, not the long ones of sequence_length 4097"},
        {0, "short factors are used, not the long ones of max_position_embeddings 131072"}}) {
    auto spec = OrderedJson::parse(R"({"scheme": "rope", "head_dim": 32, "max_position_embeddings": 131072,
        "rope_scaling": {"rope_type": "longrope", "attention_factor": 1, "original_max_position_embeddings": 4096}})");
    spec["rope_scaling"]["short_factor"] = lists[0];
    spec["rope_scaling"]["long_factor"] = lists[1];
    if (length > 0) {
      spec["sequence_length"] = length;
    }
    const auto w = powers(16);
    const auto diagnoses = diagnoses_of(spec.dump(), positions, [&](std::size_t row, std::size_t pair) {
      return static_cast<double>(positions[row]) * w[pair] / lists[length == 100 ? 1 : 0][pair];
    });
    ASSERT_TRUE(!diagnoses.empty() && diagnoses.front().is_explained());
    const auto told = all_with_ids(diagnoses.front());
    EXPECT_EQ(told.front(), std::string("frequency/other-list the ") + used);
    EXPECT_THAT(told, Not(Contains(testing::ContainsRegex(" (sequence_length|max_position_embeddings) is"))));
    EXPECT_EQ(std::set<std::string>(told.begin(), told.end()).size(), told.size());
    EXPECT_THAT(std::string(diagnoses.front().explanations.front().findings.front().kind->advice),
                Not(HasSubstr("the configured context decides")));
  }
}

}  // namespace
}  // namespace vernier
