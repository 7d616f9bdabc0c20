// The independent oracle on encodings by several positions and by scaled ones: tables and rotated vectors of
// M-RoPE, axial RoPE and xPos again in Arb, from the codes that define them, at positions that are in no
// order of text or patches.

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "reference/test/oracle_agreement.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::agree;
using oracle::AgreementTally;
using oracle::Ball;
using oracle::library_bits;

/// What a pair turns by, in the words of the code that defines it.
struct Turn {
  std::size_t axis = 0;
  int numerator = 0;  ///< the frequency is base^(-numerator/denominator)
  int denominator = 1;
  int base = 10000;
};

Ball phase(const Turn& turn, const std::vector<std::int64_t>& token) {
  return Ball(token[turn.axis]) *
         power(Ball(turn.base), Ball(0) - Ball(turn.numerator) / Ball(turn.denominator));
}

/// transformers: freqs chunked by mrope_section, the i-th chunk from axis i.
std::vector<Turn> chunked(const std::array<int, 3>& section, int head_dim) {
  std::vector<Turn> turns;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < section[axis]; ++i) {
      turns.push_back({axis, 2 * static_cast<int>(turns.size()), head_dim});
    }
  }
  return turns;
}

/// transformers, apply_interleaved_mrope: all by time, then freqs_t[..., offset : 3 length : 3] overwritten.
std::vector<Turn> overwritten(const std::array<int, 3>& section, int head_dim) {
  std::vector<Turn> turns;
  for (int pair = 0; pair < head_dim / 2; ++pair) {
    turns.push_back({0, 2 * pair, head_dim});
  }
  for (const std::size_t axis : {1U, 2U}) {
    for (auto pair = axis; pair < 3 * static_cast<std::size_t>(section[axis]); pair += 3) {
      turns[pair].axis = axis;
    }
  }
  return turns;
}

/// ggml, ggml_mrope_cache_init: by sector % 3, and by theta_e where none of the three conditions holds.
std::vector<Turn> by_sector(const std::array<int, 3>& section, int head_dim) {
  std::vector<Turn> turns;
  for (int sector = 0; sector < head_dim / 2; ++sector) {
    std::size_t axis = 3;
    for (const int one : {1, 2, 0}) {
      if (sector % 3 == one && sector < 3 * section[static_cast<std::size_t>(one)]) {
        axis = static_cast<std::size_t>(one);
      }
    }
    turns.push_back({axis, 2 * sector, head_dim});
  }
  return turns;
}

/// transformers, modeling_pixtral: freqs[::2] times the row, then freqs[1::2] times the column.
std::vector<Turn> pixtral(int head_dim) {
  std::vector<Turn> turns;
  for (const std::size_t axis : {0U, 1U}) {
    for (int i = static_cast<int>(axis); i < head_dim / 2; i += 2) {
      turns.push_back({axis, 2 * i, head_dim});
    }
  }
  return turns;
}

/// Two halves with the frequencies of a head half as wide each.
std::vector<Turn> two_halves(int head_dim, std::size_t first_axis) {
  std::vector<Turn> turns;
  for (const std::size_t axis : {first_axis, 1 - first_axis}) {
    for (int i = 0; i < head_dim / 4; ++i) {
      turns.push_back({axis, 2 * i, head_dim / 2});
    }
  }
  return turns;
}

/// diffusers, FluxPosEmbed and its kin: get_1d_rotary_pos_embed of each axis, one behind the other.
std::vector<Turn> one_behind_the_other(const std::vector<int>& widths, int base) {
  std::vector<Turn> turns;
  for (std::size_t axis = 0; axis < widths.size(); ++axis) {
    for (int i = 0; i < widths[axis]; i += 2) {
      turns.push_back({axis, i, widths[axis], base});
    }
  }
  return turns;
}

/// diffusers, get_2d_rotary_pos_embed_lumina: the pairs of the axes stacked, then flattened.
std::vector<Turn> stacked(std::size_t axes, int width) {
  std::vector<Turn> turns;
  for (int i = 0; i < width; i += 2) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      turns.push_back({axis, i, width});
    }
  }
  return turns;
}

/// How many pairs have their first dimensions side by side, block after block.
using Halves = std::vector<int>;

Halves interleaved(int pairs) {
  Halves result(static_cast<std::size_t>(pairs));
  std::ranges::fill(result, 1);
  return result;
}

/// The dimensions of a pair.
std::pair<std::size_t, std::size_t> dimensions(const Halves& halves, int pair) {
  int before = 0;
  auto half = halves.begin();
  for (; pair - before >= *half; ++half) {
    before += *half;
  }
  const auto first = static_cast<std::size_t>(before) + static_cast<std::size_t>(pair);
  return {first, first + static_cast<std::size_t>(*half)};
}

struct MultiAxis {
  std::string spec;
  std::size_t axes;
  std::vector<Turn> turns;
  Halves halves;
};

std::string mrope(const std::string& keys, int head_dim) {
  return R"({"scheme": "rope", "head_dim": )" + std::to_string(head_dim) +
         R"(, "rope_scaling": {"rope_type": "default", )" + keys + "}}";
}

std::string axial(const std::string& keys, int head_dim) {
  return R"({"scheme": "axial_rope", "grid_width": 9, "head_dim": )" + std::to_string(head_dim) +
         R"(, "reading": )" + keys + "}";
}

std::string listed(const std::string& keys) {
  return R"({"scheme": "axial_rope", )" + keys + "}";
}

std::string times(int count, const std::string& text) {
  std::string result;
  for (int i = 0; i < count; ++i) {
    result += text;
  }
  return result;
}

/// By axes that are written as digits, one a pair.
std::vector<Turn> turns_along(const std::string& axes) {
  std::vector<Turn> turns;
  for (const char axis : axes) {
    turns.push_back({static_cast<std::size_t>(axis - '0'), 2 * static_cast<int>(turns.size()),
                     2 * static_cast<int>(axes.size())});
  }
  return turns;
}

std::vector<MultiAxis> multi_axis_cases() {
  return {
      // transformers, modeling_ernie4_5_vl_moe: height and width stacked, then flattened; time behind them.
      {mrope(R"("mrope_section": [22, 22, 20], "mrope_reading": "ernie")", 128),
       3,
       turns_along(times(22, "12") + times(20, "0")),
       {64}},
      // vLLM, xdrope.py: the i-th section by the i-th position.
      {mrope(R"("mrope_section": [16, 8, 24, 16], "mrope_reading": "xdrope")", 128),
       4,
       turns_along(times(16, "0") + times(8, "1") + times(24, "2") + times(16, "3")),
       {64}},
      // vLLM, get_mrope_interleaved_id_list(24, 20, 20, force_last=True), run.
      {mrope(R"("mrope_section": [24, 20, 20], "mrope_interleaved": true, "mrope_reading": "openpangu")",
             128),
       3,
       turns_along(times(7, "012") + "010" + times(7, "201") + "0" + times(5, "201") + "200"),
       {64}},
      {mrope(R"("mrope_section": [1, 1, 2], "mrope_interleaved": true, "mrope_reading": "openpangu")", 8),
       3,
       turns_along("1220"),
       {4}},
      {mrope(R"("pair_axes": [3, 0, 0, 1])", 8), 4, turns_along("3001"), {4}},
      {mrope(R"("mrope_section": [16, 24, 24])", 128), 3, chunked({16, 24, 24}, 128), {64}},
      {mrope(R"("mrope_section": [16, 24, 24], "mrope_reading": "ggml")", 128),
       4,
       chunked({16, 24, 24}, 128),
       {64}},
      {mrope(R"("mrope_section": [24, 20, 20], "mrope_interleaved": true)", 128),
       3,
       overwritten({24, 20, 20}, 128),
       {64}},
      {mrope(R"("mrope_section": [24, 20, 20], "mrope_interleaved": true, "mrope_reading": "ggml")", 128),
       4,
       by_sector({24, 20, 20}, 128),
       {64}},
      {axial(R"("pixtral")", 64), 2, pixtral(64), {32}},
      {axial(R"("pixtral", "layout": "interleaved")", 64), 2, pixtral(64), interleaved(32)},
      {axial(R"("llama4_vision")", 88), 2, two_halves(88, 1), interleaved(44)},
      {axial(R"("ggml_vision")", 80), 2, two_halves(80, 0), {40}},
      {listed(R"("head_dim": 128, "axes": [{"dims": 16}, {"dims": 56}, {"dims": 56}])"), 3,
       one_behind_the_other({16, 56, 56}, 10000), interleaved(64)},
      {listed(R"("head_dim": 128, "rope_theta": 256, "layout": "half",
                 "axes": [{"dims": 44}, {"dims": 42}, {"dims": 42}])"),
       3,
       one_behind_the_other({44, 42, 42}, 256),
       {64}},
      {listed(R"("head_dim": 96, "layout": "half_per_axis",
                 "axes": [{"dims": 32}, {"dims": 40}, {"dims": 24}])"),
       3,
       one_behind_the_other({32, 40, 24}, 10000),
       {16, 20, 12}},
      {listed(R"("head_dim": 96, "arrangement": "alternating",
                 "axes": [{"dims": 32}, {"dims": 32}, {"dims": 32}])"),
       3, stacked(3, 32), interleaved(48)},
  };
}

/// Positions of every size and sign, one a axis.
std::vector<std::int64_t> random_token(std::mt19937_64& engine, std::size_t axes) {
  std::vector<std::int64_t> token;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto magnitude = static_cast<std::int64_t>(engine() >> (33 + engine() % 31));
    token.push_back(engine() % 4 == 0 ? -magnitude : magnitude);
  }
  return token;
}

/// The pair that each column of a table belongs to.
std::vector<int> pairs_of_columns(std::size_t width, const Halves& halves) {
  const int pairs = std::accumulate(halves.begin(), halves.end(), 0);
  std::vector<int> result(width);
  for (int pair = 0; pair < pairs; ++pair) {
    const auto [first, second] = dimensions(halves, pair);
    if (width == static_cast<std::size_t>(pairs)) {
      result[static_cast<std::size_t>(pair)] = pair;
    } else {
      result[first] = result[second] = pair;
    }
  }
  return result;
}

TEST(PositionOracle, TablesOfSeveralPositionsEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const auto& which : multi_axis_cases()) {
    const auto tables = parsed(which.spec)->all<TurnedTable>(&TurnedTable::axes);
    ASSERT_EQ(tables.at(0).axes->positions.count, which.axes) << which.spec;
    for (int draw = 0; draw < 8; ++draw) {
      const auto token = random_token(engine, which.axes);
      for (const auto& table : tables) {
        const auto pairs = pairs_of_columns(columns_of(table), which.halves);
        for (std::size_t column = 0; column < pairs.size(); ++column) {
          const auto& turn = which.turns[static_cast<std::size_t>(pairs[column])];
          const auto angle = phase(turn, token);
          tally.add(
              agree(table.entry(token, column)(), table.sines.role == "sin" ? sine(angle) : cosine(angle)),
              which.spec + ", " + table.sines.role + ", column " + std::to_string(column));
        }
      }
    }
  }
  std::cout << tally.numbers
            << " entries of tables by several positions compared with Arb: " << tally.disagreements
            << " disagreements\n";
  EXPECT_EQ(tally.disagreements, 0U);
}

/// What a definition makes of a vector, from its dimensions, columns, axes and scale.
std::vector<Interval> made_by(const HeadRotation& rotation, const std::vector<std::int64_t>& token,
                              const std::vector<std::int64_t>& input) {
  std::vector<Interval> result;
  for (const auto x : input) {
    result.push_back(enclose(x));
  }
  for (const auto& dimension : rotation.rotated) {
    const auto pair = static_cast<std::size_t>(dimension.pair);
    const auto position = token[rotation.axes.empty() ? 0 : static_cast<std::size_t>(rotation.axes[pair])];
    const int frequency = rotation.table.columns[pair].pair;
    const Interval scale =
        rotation.scale ? rotation.scale->at(position, dimension.pair)() : enclose(std::int64_t{1});
    const Interval c = rotation.table.value(position, frequency, Component::cosine)();
    const Interval s = rotation.table.value(position, frequency, Component::sine)();
    result[dimension.out] =
        scale * (enclose(input[dimension.own]) * c + enclose(dimension.sign * input[dimension.other]) * s);
  }
  return result;
}

/// (a + ib) e^(i phase), or back by the phase, times the scale.
void compare_vector(const HeadRotation& rotation, const std::vector<std::int64_t>& token,
                    const Halves& halves, const std::function<Ball(int pair)>& angle_of,
                    const std::function<Ball(int pair)>& scale_of, const std::string& what,
                    AgreementTally& tally) {
  std::vector<std::int64_t> input;
  for (std::size_t i = 0; i < rotation.head_dim; ++i) {
    input.push_back(static_cast<std::int64_t>(i * i % 23) - 11);
  }
  const auto ours = made_by(rotation, token, input);
  for (int pair = 0; pair < static_cast<int>(rotation.pairs.size()); ++pair) {
    const auto [first, second] = dimensions(halves, pair);
    const auto angle = rotation.turns_back() ? Ball(0) - angle_of(pair) : angle_of(pair);
    const Ball a(input[first]);
    const Ball b(input[second]);
    tally.add(agree(ours[first], scale_of(pair) * (a * cosine(angle) - b * sine(angle))), what);
    tally.add(agree(ours[second], scale_of(pair) * (a * sine(angle) + b * cosine(angle))), what);
  }
}

TEST(PositionOracle, VectorsOfSeveralPositionsEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const auto& which : multi_axis_cases()) {
    const auto rotations = parsed(which.spec)->all<HeadRotation>();
    ASSERT_EQ(rotations.size(), 2U) << which.spec;
    for (int draw = 0; draw < 8; ++draw) {
      const auto token = random_token(engine, which.axes);
      for (const auto& rotation : rotations) {
        compare_vector(
            rotation, token, which.halves,
            [&](int pair) { return phase(which.turns[static_cast<std::size_t>(pair)], token); },
            [](int) { return Ball(1); }, which.spec, tally);
      }
    }
  }
  std::cout << tally.numbers
            << " elements of vectors by several positions compared with Arb: " << tally.disagreements
            << " disagreements\n";
  EXPECT_EQ(tally.disagreements, 0U);
}

/// Sines, then cosines, of offsets that are held to a clamp if there is one.
TEST(PositionOracle, TransformerXlsRowsEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  constexpr int pairs = 12;
  const auto free = parsed(R"({"scheme": "transformer_xl", "d_model": 24})")->plain_tables().at(0);
  const auto clamped =
      parsed(R"({"scheme": "transformer_xl", "d_model": 24, "clamp_len": 400})")->all<ExactTable>().at(0);
  AgreementTally tally;
  for (int draw = 0; draw < 40; ++draw) {
    const auto offset = random_token(engine, 1);
    const std::vector<std::int64_t> held{std::min<std::int64_t>(offset[0], 400)};
    for (int column = 0; column < 2 * pairs; ++column) {
      const Turn turn{0, 2 * (column % pairs), 2 * pairs};
      const auto trig = [&](const Ball& angle) { return column < pairs ? sine(angle) : cosine(angle); };
      const auto place = static_cast<std::size_t>(column);
      tally.add(agree(free.entry(offset[0], place)(), trig(phase(turn, offset))), "without a clamp");
      tally.add(agree(clamped.entry(offset[0], place)(), trig(phase(turn, held))), "with a clamp");
    }
  }
  EXPECT_EQ(tally.disagreements, 0U);
}

struct Xpos {
  std::string keys;
  int head_dim;
  std::string scale_base;
  std::int64_t centre;
  Halves halves;
  int interpolation_factor = 1;

  std::string spec() const {
    return R"({"scheme": "xpos", "head_dim": )" + std::to_string(head_dim) + R"(, "scale_base": )" +
           scale_base + ", " + keys + "}";
  }
  Ball angle(std::int64_t position, int pair) const {
    return phase({0, 2 * pair, head_dim}, {position}) / Ball(interpolation_factor);
  }
  /// ((2i + 0.4 d)/(1.4 d))^((p - c)/B)
  Ball scale(std::int64_t position, int pair, bool of_keys) const {
    const Ball width(head_dim);
    const Ball ratio = (Ball(2 * std::int64_t{pair}) + Ball("0.4") * width) / (Ball("1.4") * width);
    const Ball exponent = Ball(of_keys ? centre - position : position - centre) / Ball(scale_base);
    return power(ratio, exponent);
  }
};

TEST(PositionOracle, XposEqualsArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const auto& which :
       {Xpos{R"("sequence_length": 2047)", 64, "512", 1024, interleaved(32)},
        Xpos{R"("sequence_length": 2047, "centre": "flash_attn")", 128, "512", 1023, {64}},
        Xpos{R"("sequence_length": 4095, "centre": "x_transformers")", 20, "300.25", 2047, interleaved(10)},
        Xpos{R"("sequence_length": 4095, "centre": "x_transformers", "frequency_scale": "1/3")", 20, "512",
             2047, interleaved(10), 3}}) {
    const auto encoding = parsed(which.spec());
    for (int draw = 0; draw < 8; ++draw) {
      const auto position = static_cast<std::int64_t>(engine() % 300000) - 100000;
      for (const auto& table : encoding->all<TurnedTable>(&TurnedTable::scale)) {
        const auto role = role_of(table);
        const auto pairs = pairs_of_columns(columns_of(table), which.halves);
        const bool of_keys = role.ends_with("_k");
        for (std::size_t column = 0; column < pairs.size(); ++column) {
          const int pair = pairs[column];
          const auto angle = which.angle(position, pair);
          const Ball trig = role == "scale" ? Ball(1) : role.starts_with("cos") ? cosine(angle) : sine(angle);
          tally.add(agree(table.entry(position, column)(), which.scale(position, pair, of_keys) * trig),
                    which.spec() + ", " + std::string(role));
        }
      }
      for (const auto& rotation : encoding->all<HeadRotation>()) {
        compare_vector(
            rotation, {position}, which.halves, [&](int pair) { return which.angle(position, pair); },
            [&](int pair) { return which.scale(position, pair, rotation.is_of_keys); },
            which.spec() + ", " + std::string(rotation.role()), tally);
      }
    }
  }
  std::cout << tally.numbers << " numbers of xPos compared with Arb: " << tally.disagreements
            << " disagreements\n";
  EXPECT_EQ(tally.disagreements, 0U);
}

}  // namespace
}  // namespace vernier
