// The independent oracle on schemes that shipped models run beside the common ones: RIFLEx, rotations at the
// end of a head, one axis, frequencies of a head, and Zipformer's and Inkling's formulas. Each again from the
// code that defines it, in Arb.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <ranges>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "reference/test/oracle_agreement.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::agree;
using oracle::AgreementTally;
using oracle::Ball;
using oracle::drawn_position;
using oracle::library_bits;
using oracle::tell;

/// theta^(-2i/d)
std::vector<Ball> plain_frequencies(int dims) {
  std::vector<Ball> result;
  for (int i = 0; i < dims / 2; ++i) {
    result.push_back(power(Ball(10000), Ball(-2 * i) / Ball(dims)));
  }
  return result;
}

/// freqs[k-1] = 0.9 * 2 * torch.pi / L_test
std::vector<Ball> of_riflex(int dims, std::size_t k, std::int64_t length) {
  auto result = plain_frequencies(dims);
  result[k - 1] = Ball("0.9") * Ball(2) * Ball::pi() / Ball(length);
  return result;
}

struct Shipped {
  std::string spec;
  std::vector<Ball> frequencies;
  int before = 0;  ///< dimensions of the head before those that rotate
  bool is_half = true;
};

std::vector<Shipped> shipped_rotations() {
  const auto rope = [](int dims, const std::string& keys) {
    return fmt::format(R"({{"scheme": "rope", "head_dim": {}, {}}})", dims, keys);
  };
  return {
      {rope(44, R"("rope_scaling": {"rope_type": "riflex", "pair": 3, "length": 66})"), of_riflex(44, 4, 66)},
      {rope(16, R"("rope_scaling": {"rope_type": "riflex", "pair": 1, "length": 54})"), of_riflex(16, 2, 54)},
      {rope(192, R"("layout": "interleaved", "rotary_dim": 64, "rotary_offset": 128)"), plain_frequencies(64),
       128, false},
      {rope(80, R"("rotary_dim": 32, "rotary_offset": 17)"), plain_frequencies(32), 17},
  };
}

/// The dimension of a pair's first or second component among those that rotate.
std::size_t dimension_of(const Shipped& which, std::size_t pair, bool is_second) {
  const auto own =
      which.is_half ? pair + (is_second ? which.frequencies.size() : 0) : 2 * pair + (is_second ? 1 : 0);
  return own + static_cast<std::size_t>(which.before);
}

void compare_rotations(const Shipped& which, std::int64_t position, AgreementTally& tally) {
  const auto encoding = parsed(which.spec);
  const auto pairs = which.frequencies.size();
  std::vector<Ball> cosines;
  std::vector<Ball> sines;
  for (const auto& w : which.frequencies) {
    cosines.push_back(cosine(Ball(position) * w));
    sines.push_back(sine(Ball(position) * w));
  }
  for (const auto& table : encoding->plain_tables()) {
    const auto& expected = table.role == "sin" ? sines : cosines;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto pair = table.columns.size() == pairs ? c : which.is_half ? c % pairs : c / 2;
      tally.add(agree(table.entry(position, c)(), expected[pair]),
                fmt::format("{}, {} {}, column {}", which.spec, table.role, position, c));
    }
  }
  for (const auto& rotation : encoding->all<HeadRotation>()) {
    const auto input = [](std::size_t i) { return static_cast<std::int64_t>(i * i % 23) - 11; };
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < rotation.head_dim; ++i) {
      const auto first = static_cast<std::size_t>(which.before);
      if (i < first || i >= first + 2 * pairs) {
        still.push_back(i);
      }
    }
    tally.add(rotation.passed_through() == still, which.spec);
    for (const auto& d : rotation.rotated) {
      const auto pair = static_cast<std::size_t>(d.pair);
      const bool is_second = d.out == dimension_of(which, pair, true);
      const Ball a(input(dimension_of(which, pair, false)));
      const Ball b(input(dimension_of(which, pair, true)));
      const Ball s = rotation.turns_back() ? Ball(0) - sines[pair] : sines[pair];
      const Ball expected = is_second ? a * s + b * cosines[pair] : a * cosines[pair] - b * s;
      const Interval ours =
          enclose(input(d.own)) * rotation.table.value(position, d.pair, Component::cosine)() +
          enclose(d.sign * input(d.other)) * rotation.table.value(position, d.pair, Component::sine)();
      tally.add(agree(ours, expected), fmt::format("{}, vectors at {}, {}", which.spec, position, d.out));
    }
  }
}

TEST(ShippedOracle, RotationsEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const auto& which : shipped_rotations()) {
    // The intrinsic frequency of RIFLEx is a rational part of a turn: 9/10 of one in L.
    for (const std::int64_t position : {0, 5, 10, 66, 110, 540}) {
      compare_rotations(which, position, tally);
    }
    for (int draw = 0; draw < 12; ++draw) {
      compare_rotations(which, drawn_position(engine), tally);
    }
  }
  tell(tally, "RIFLEx and rotations within a head", 10000);
}

/// LTX-2, audio: theta^linspace(0, 1, n) pi/2 of one axis, and RIFLEx on one of two axes; FoPE's frequencies
/// of each head. cos and sin by the pair.
TEST(ShippedOracle, OneAxisAndFrequenciesOfHeadsEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  struct OfAxes {
    std::string keys;
    std::vector<std::size_t> axes;
    std::vector<Ball> frequencies;
    Ball step = Ball(1);
  };
  std::vector<OfAxes> cases(3);
  cases[0].keys = R"("head_dim": 64, "axes": [{"dims": 64, "frequency": "geometric", "first": "pi/2",
                     "last": "10000pi/2", "position_scale": "1/20"}])";
  cases[0].step = Ball(1) / Ball(20);
  for (int i = 0; i < 32; ++i) {
    cases[0].axes.push_back(0);
    cases[0].frequencies.push_back(power(Ball(10000), Ball(i) / Ball(31)) * Ball::pi() / Ball(2));
  }
  cases[1].keys = R"("head_dim": 86, "axes": [{"dims": 44, "rope_scaling": {"rope_type": "riflex", "pair": 5,
                     "length": 132}}, {"dims": 42}])";
  for (const auto& [axis, of_axis] :
       {std::pair(std::size_t{0}, of_riflex(44, 6, 132)), {1, plain_frequencies(42)}}) {
    cases[1].axes.insert(cases[1].axes.end(), of_axis.size(), axis);
    cases[1].frequencies.insert(cases[1].frequencies.end(), of_axis.begin(), of_axis.end());
  }
  std::vector<std::vector<double>> heads;
  for (int head = 0; head < 4; ++head) {
    auto& own = heads.emplace_back();
    for (int i = 0; i < 16; ++i) {
      own.push_back(std::ldexp(static_cast<double>(engine() % 4096), -12));
      cases[2].axes.push_back(0);
      cases[2].frequencies.push_back(Ball(static_cast<std::int64_t>(std::ldexp(own.back(), 12))) /
                                     Ball(4096));
    }
  }
  cases[2].keys =
      fmt::format(R"("head_dim": 32, "arrangement": "mixed", "frequencies": [[{}]])", fmt::join(heads, ", "));
  AgreementTally tally;
  for (const auto& which : cases) {
    const auto encoding = parsed(R"({"scheme": "axial_rope", )" + which.keys + "}");
    for (int draw = 0; draw < 30; ++draw) {
      std::vector<std::int64_t> given;
      std::vector<std::int64_t> places;
      for (std::size_t axis = 0; axis <= which.axes.back(); ++axis) {
        given.push_back(drawn_position(engine));
        places.push_back(encoding->positions_along(axis).place(given.back()));
      }
      for (const auto& table : encoding->all<TurnedTable>(&TurnedTable::axes)) {
        if (columns_of(table) != which.axes.size()) {
          continue;
        }
        for (std::size_t c = 0; c < which.axes.size(); ++c) {
          const Ball angle = Ball(given[which.axes[c]]) * which.step * which.frequencies[c];
          tally.add(agree(table.entry(places, c)(), table.sines.role == "sin" ? sine(angle) : cosine(angle)),
                    fmt::format("{}, column {}", which.keys, c));
        }
      }
    }
  }
  tell(tally, "one axis, RIFLEx on one of two, and frequencies of heads", 8000);
}

/// Time2Vec and random Fourier features: sin(w t + b), and cosines, of tokens with one position.
TEST(ShippedOracle, FeaturesWithPhasesEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const bool in_turns : {false, true}) {
    std::vector<std::int64_t> w;
    std::vector<std::int64_t> b;
    std::vector<std::string> frequencies;
    std::vector<std::string> phases;
    for (int i = 0; i < 24; ++i) {
      w.push_back(static_cast<std::int64_t>(engine() % 2000) - 1000);
      b.push_back(static_cast<std::int64_t>(engine() % 200) - 100);
      frequencies.push_back(fmt::format(R"("{}/128")", w.back()));
      phases.push_back(fmt::format(R"("{}/32")", b.back()));
    }
    const auto spec = fmt::format(
        R"({{"scheme": "fourier_features", "frequencies": [[{}]], "phases": [{}], "position_offset": 0.25{}}})",
        fmt::join(frequencies, ", "), fmt::join(phases, ", "),
        in_turns ? R"(, "frequency_scale": "2pi")" : "");
    const auto table = parsed(spec)->all<TurnedTable>(&TurnedTable::axes).at(0);
    for (int draw = 0; draw < 100; ++draw) {
      const auto t = draw < 20 ? draw - 10 : drawn_position(engine);
      const auto places = std::vector{table.map(0).place(t), table.map(1).place(1)};
      for (std::size_t c = 0; c < 48; ++c) {
        const Ball sum = (Ball(t) + Ball("0.25")) * Ball(w[c % 24]) / Ball(128) + Ball(b[c % 24]) / Ball(32);
        const Ball phase = in_turns ? sum * Ball(2) * Ball::pi() : sum;
        tally.add(agree(table.entry(places, c)(), c < 24 ? sine(phase) : cosine(phase)),
                  fmt::format("{}, {}, column {}", spec, t, c));
      }
    }
  }
  tell(tally, "features with phases", 9000);
}

Ball arctangent(const Ball& x) {
  Ball result;
  arb_atan(result.get(), x.get(), oracle::oracle_bits);
  return result;
}

/// icefall, CompactRelPositionalEncoding.extend_pe, line by line.
TEST(ShippedOracle, CompactPositionsEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const auto& [width, factor] : {std::pair(48, "1"), {192, "1.5"}, {6, "3"}}) {
    const auto spec = fmt::format(R"({{"scheme": "compact_positions", "d_model": {}, "length_factor": {}}})",
                                  width, factor);
    const auto table = parsed(spec)->all<ExactTable>().at(0);
    for (int draw = 0; draw < 120; ++draw) {
      const auto x = draw < 40 ? draw - 20 : drawn_position(engine);
      const Ball compression_length = square_root(Ball(width));
      const Ball grown = logarithm(Ball(std::abs(x)) + compression_length) - logarithm(compression_length);
      const Ball x_compressed = compression_length * Ball(x < 0 ? -1 : x > 0 ? 1 : 0) * grown;
      const Ball length_scale = Ball(std::string(factor)) * Ball(width) / (Ball(2) * Ball::pi());
      const Ball x_atan = arctangent(x_compressed / length_scale);
      for (int c = 0; c < width; ++c) {
        const Ball turned = x_atan * Ball(1 + c / 2);
        const Ball expected = c + 1 == width ? Ball(1)
                              : x == 0       ? Ball(c % 2 == 0 ? 1 : 0)
                              : c % 2 == 0   ? cosine(turned)
                                             : sine(turned);
        tally.add(agree(table.entry(x, static_cast<std::size_t>(c))(), expected),
                  fmt::format("{}, offset {}, column {}", spec, x, c));
      }
    }
  }
  tell(tally, "compact positions", 25000);
}

/// vLLM, FourierRotaryEmbedding._compute_cos_sin_cache: einsum("htD, hDd -> thd") of cosines and of sines,
/// and padding by ones.
TEST(ShippedOracle, FourierSumsEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  constexpr int heads = 2;
  constexpr int frequencies = 5;
  constexpr int columns = 4;
  constexpr int pairs = 6;
  for (const auto* base : {"10000", "500000", "256"}) {
    std::array<std::vector<std::vector<std::vector<double>>>, 2> coefficients;
    for (auto& of_component : coefficients) {
      of_component.assign(heads, {frequencies, std::vector<double>(columns)});
      for (auto& number : of_component | std::views::join | std::views::join) {
        number = std::ldexp(static_cast<double>(engine() % 4096) - 2048, -11);
      }
    }
    const auto spec = fmt::format(
        R"({{"scheme": "fourier_sums", "head_dim": {}, "rope_theta": {}, "cosine_coefficients": {}, "sine_coefficients": {}}})",
        2 * pairs, base, coefficients[0], coefficients[1]);
    const auto tables = parsed(spec)->all<ExactTable>();
    for (int draw = 0; draw < 150; ++draw) {
      const auto p = draw < 40 ? draw - 20 : drawn_position(engine);
      for (std::size_t component = 0; component < 2; ++component) {
        for (int column = 0; column < heads * pairs; ++column) {
          const auto head = static_cast<std::size_t>(column / pairs);
          const auto pair = static_cast<std::size_t>(column % pairs);
          Ball expected(pair < columns ? 0 : 1);
          for (std::size_t k = 0; pair < columns && k < frequencies; ++k) {
            const Ball exponent = Ball(2 * static_cast<std::int64_t>(k)) / Ball(2 * pairs);
            const Ball phase = Ball(p) / power(Ball(std::string(base)), exponent);
            const Ball turned = p == 0           ? Ball(component == 0 ? 1 : 0)
                                : component == 0 ? cosine(phase)
                                                 : sine(phase);
            expected = expected + turned * Ball(fmt::format("{}", coefficients[component][head][k][pair]));
          }
          tally.add(agree(tables.at(component).entry(p, static_cast<std::size_t>(column))(), expected),
                    fmt::format("{}, position {}, column {}", spec, p, column));
        }
      }
    }
  }
  tell(tally, "Fourier sums", 10000);
}

/// diffusers: cos and sin of get_1d_rotary_pos_embed along a grid, _pad_for_3d_conv (replicate), avg_pool3d.
TEST(ShippedOracle, AveragesOverBlocksEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  constexpr std::array<int, 3> dims{4, 6, 6};
  for (int draw = 0; draw < 40; ++draw) {
    std::array<std::int64_t, 3> pool{};
    std::array<std::int64_t, 3> length{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      pool[axis] = 1 + static_cast<std::int64_t>(engine() % 5);
      length[axis] = 1 + static_cast<std::int64_t>(engine() % 9);
    }
    const auto start = static_cast<std::int64_t>(engine() % 100);
    const auto spec = fmt::format(
        R"({{"scheme": "axial_rope", "head_dim": 16, "rope_theta": 10000, "axes": [{{"dims": 4, )"
        R"("position_offset": {}}}, {{"dims": 6}}, {{"dims": 6}}], "pool": [{}], "grid": [{}, {}]}})",
        start, fmt::join(pool, ", "), length[1], length[2]);
    const auto encoding = parsed(spec);
    const auto rows = (length[1] + pool[1] - 1) / pool[1];
    const auto columns = (length[2] + pool[2] - 1) / pool[2];
    for (const auto& table : encoding->all<ExactTable>()) {
      const bool is_wide = table.columns == 16;
      for (std::int64_t token = 0; token < 3 * rows * columns; token += 1 + token / 8) {
        const std::array block{token / columns / rows, token / columns % rows, token % columns};
        std::size_t c = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto w = plain_frequencies(dims[axis]);
          for (int of_axis = 0; of_axis < dims[axis]; of_axis += is_wide ? 1 : 2, ++c) {
            Ball sum(0);
            for (std::int64_t j = block[axis] * pool[axis]; j < (block[axis] + 1) * pool[axis]; ++j) {
              const auto place = axis == 0 ? j + start : std::min(j, length[axis] - 1);
              const Ball phase = Ball(place) * w[static_cast<std::size_t>(of_axis / 2)];
              sum = sum + (table.role == "cos" ? cosine(phase) : sine(phase));
            }
            tally.add(agree(table.entry(token, c)(), sum / Ball(pool[axis])),
                      fmt::format("{}, {}, token {}, column {}", spec, table.role, token, c));
          }
        }
      }
    }
  }
  tell(tally, "averages over blocks", 20000);
}

}  // namespace
}  // namespace vernier
