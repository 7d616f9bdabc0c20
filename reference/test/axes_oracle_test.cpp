// The independent oracle on frequencies between bounds and on sinusoids of several positions: tables again in
// Arb, from the codes that define them, at positions of every size and sign.

#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reference/test/oracle_agreement.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::agree;
using oracle::Ball;
using oracle::library_bits;

Ball quotient(int above, int below) {
  return Ball(above) / Ball(below);
}

/// What a column holds, in the words of the code that defines it.
struct AxisColumn {
  std::size_t axis = 0;
  Ball frequency;
  bool is_sine = true;
};

using Columns = std::vector<AxisColumn>;
using Coordinate = std::function<Ball(std::size_t axis, const Ball& position)>;

Ball as_it_is(std::size_t /*axis*/, const Ball& position) {
  return position;
}

struct Table {
  std::string keys;
  Columns columns;
  Coordinate coordinate = as_it_is;

  std::string spec() const { return R"({"scheme": "sinusoidal", )" + keys + "}"; }
};

/// Sines of all frequencies, then their cosines.
Columns sines_then_cosines(std::size_t axis, const std::vector<Ball>& frequencies) {
  Columns result;
  for (const bool is_sine : {true, false}) {
    for (const auto& w : frequencies) {
      result.push_back({axis, w, is_sine});
    }
  }
  return result;
}

Columns joined(std::initializer_list<Columns> parts) {
  Columns result;
  for (const auto& part : parts) {
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

/// get_1d_sincos_pos_embed_from_grid of MAE: omega = arange(n)/n, 1/10000^omega.
std::vector<Ball> of_mae(int pairs) {
  std::vector<Ball> result;
  for (int i = 0; i < pairs; ++i) {
    result.push_back(Ball(1) / power(Ball(10000), quotient(i, pairs)));
  }
  return result;
}

/// theta^(linspace(0, 1, n)) pi/2 of LTX-Video.
std::vector<Ball> of_ltx(int pairs) {
  std::vector<Ball> result;
  for (int i = 0; i < pairs; ++i) {
    result.push_back(power(Ball(10000), quotient(i, pairs - 1)) * Ball::pi() / Ball(2));
  }
  return result;
}

/// 2^linspace(0, n - 1, n) of NeRF.
std::vector<Ball> of_nerf(int pairs) {
  std::vector<Ball> result;
  for (int i = 0; i < pairs; ++i) {
    result.emplace_back(std::int64_t{1} << i);
  }
  return result;
}

/// linspace(1, 112, n) pi of timm, pixel_freq_bands.
std::vector<Ball> of_bands(int pairs) {
  std::vector<Ball> result;
  for (int i = 0; i < pairs; ++i) {
    result.push_back((Ball(1) + Ball(111) * quotient(i, pairs - 1)) * Ball::pi());
  }
  return result;
}

/// PositionEmbeddingSine of DETR: y, then x, sine and cosine side by side.
Columns of_detr(int pairs) {
  Columns result;
  for (const std::size_t axis : {0U, 1U}) {
    for (const auto& w : of_mae(pairs)) {
      result.push_back({axis, w, true});
      result.push_back({axis, w, false});
    }
  }
  return result;
}

/// build_sincos2d_pos_embed of timm: stacked sines of both axes, then cosines.
Columns of_timm(int pairs) {
  Columns result;
  for (const bool is_sine : {true, false}) {
    for (const std::size_t axis : {0U, 1U}) {
      for (const auto& w : of_mae(pairs)) {
        result.push_back({axis, w, is_sine});
      }
    }
  }
  return result;
}

/// embed of NeRF's Embedder, without its input: for each frequency the sines of x, y, z, then their cosines.
Columns of_embedder(int frequencies) {
  Columns result;
  for (const auto& w : of_nerf(frequencies)) {
    for (const bool is_sine : {true, false}) {
      for (const std::size_t axis : {0U, 1U, 2U}) {
        result.push_back({axis, w, is_sine});
      }
    }
  }
  return result;
}

Columns cut(Columns columns, std::size_t width) {
  columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(width), columns.end());
  return columns;
}

std::vector<Table> tables() {
  const auto ltx = R"("frequency": "geometric", "first": "pi/2", "last": "10000pi/2")";
  return {
      {std::string(R"("d_model": 24, "layout": "halves", )") + ltx, sines_then_cosines(0, of_ltx(12))},
      {R"("d_model": 20, "layout": "halves", "frequency": "geometric", "first": 1, "last": 512)",
       sines_then_cosines(0, of_nerf(10))},
      {R"("d_model": 24, "layout": "halves", "frequency": "linear", "first": "pi", "last": "112pi")",
       sines_then_cosines(0, of_bands(12))},
      {R"("layout": "halves", "axes": [{"dims": 24}, {"dims": 16}], "block_order": [1, 0], "grid": [7])",
       joined({sines_then_cosines(1, of_mae(8)), sines_then_cosines(0, of_mae(12))})},
      {R"("layout": "halves", "axes": [{"dims": 16}, {"dims": 12}, {"dims": 12}], "d_model": 37)",
       cut(joined({sines_then_cosines(0, of_mae(8)), sines_then_cosines(1, of_mae(6)),
                   sines_then_cosines(2, of_mae(6))}),
           37)},
      {R"("axes": [{"dims": 16}, {"dims": 16}], "axes_layout": "across")", of_timm(8)},
      {R"("axes_layout": "by_frequency", "axes": [
          {"dims": 20, "frequency": "geometric", "first": 1, "last": 512},
          {"dims": 20, "frequency": "geometric", "first": 1, "last": 512},
          {"dims": 20, "frequency": "geometric", "first": 1, "last": 512}])",
       of_embedder(10)},
      {R"("axes": [{"dims": 16, "position_scale": "2pi/20.000001", "position_offset": "2pi/20.000001"},
                   {"dims": 16, "position_scale": "2pi/27", "position_offset": "-pi/27"}])",
       of_detr(8),
       [](std::size_t axis, const Ball& position) {
         const Ball turn = Ball(2) * Ball::pi();
         return axis == 0 ? (position + Ball(1)) * turn / Ball("20.000001")
                          : (position - quotient(1, 2)) * turn / Ball(27);
       }},
      {std::string(R"("layout": "halves", "axes": [{"dims": 16, "frequency_scale": "2pi"}, {"dims": 24, )") +
           ltx + "}]",
       joined({[] {
                 auto frequencies = of_mae(8);
                 for (auto& w : frequencies) {
                   w = w * Ball(2) * Ball::pi();
                 }
                 return sines_then_cosines(0, frequencies);
               }(),
               sines_then_cosines(1, of_ltx(12))})},
  };
}

std::int64_t random_position(std::mt19937_64& engine) {
  const auto magnitude = static_cast<std::int64_t>(engine() >> (33 + engine() % 31));
  return engine() % 4 == 0 ? -magnitude : magnitude;
}

TEST(AxesOracle, TablesEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  std::size_t numbers = 0;
  std::size_t disagreements = 0;
  for (const auto& which : tables()) {
    const auto encoding = parsed(which.spec());
    const auto single = encoding->plain_tables();
    const auto several = encoding->all<TurnedTable>(&TurnedTable::axes);
    for (int draw = 0; draw < 8; ++draw) {
      std::vector<std::int64_t> given;
      std::vector<std::int64_t> places;
      for (std::size_t axis = 0; axis < (several.empty() ? 1 : several.front().axes->positions.count);
           ++axis) {
        given.push_back(random_position(engine) / 8);
        const auto& map = several.empty() ? single.front().positions : several.front().map(axis);
        places.push_back(map.place(given.back()));
      }
      for (std::size_t c = 0; c < which.columns.size(); ++c) {
        const auto& column = which.columns[c];
        const auto phase = which.coordinate(column.axis, Ball(given[column.axis])) * column.frequency;
        const auto entry =
            several.empty() ? single.front().entry(places[0], c) : several.front().entry(places, c);
        ++numbers;
        const bool agrees = agree(entry(), column.is_sine ? sine(phase) : cosine(phase));
        disagreements += agrees ? 0 : 1;
        EXPECT_TRUE(agrees || disagreements > 5) << which.spec() << ", column " << c;
      }
    }
  }
  std::cout << numbers
            << " entries of sinusoids along axes and between bounds compared with Arb: " << disagreements
            << " disagreements\n";
  EXPECT_EQ(disagreements, 0U);
}

}  // namespace
}  // namespace vernier
