// The independent oracle on learned frequencies: tables and vectors whose phases are sums over axes again in
// Arb, from the codes that define them.

#include <cmath>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "reference/tables/mixed_axes.hpp"
#include "reference/test/oracle_agreement.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::agree;
using oracle::AgreementTally;
using oracle::Ball;
using oracle::library_bits;

/// The number exactly. \pre a multiple of 2^-40 below 2^23
Ball exact_ball(double value) {
  return Ball(std::llround(std::ldexp(value, 40))) / Ball(std::int64_t{1} << 40);
}

/// A matrix as tensors hold it: what JSON has of it are decimals of float32 numbers.
class Matrix {
 public:
  Matrix(std::mt19937_64& engine, std::size_t axes, std::size_t columns) : rows_(axes) {
    for (auto& row : rows_) {
      for (std::size_t i = 0; i < columns; ++i) {
        const double uniform = std::ldexp(static_cast<double>(engine() >> 11), -53);
        const auto single = static_cast<float>(4 * uniform - 2);
        row.push_back(
            std::rint(std::ldexp(static_cast<double>(single), 40)) == std::ldexp(single, 40) ? single : 0);
      }
    }
  }

  /// \param heads by which rows are nested, 0 for none
  std::string json(std::size_t heads) const {
    std::string text;
    for (const auto& row : rows_) {
      std::string numbers;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool begins = heads > 0 && i % (row.size() / heads) == 0;
        numbers += (i == 0 ? "" : begins ? "], [" : ", ") + fmt::format("{:.9g}", row[i]);
      }
      text += (text.empty() ? "[" : ", [") + (heads > 0 ? "[" + numbers + "]" : numbers) + "]";
    }
    return "[" + text + "]";
  }

  /// sum_a x_a w_(a,i)
  Ball product(const std::vector<Ball>& x, std::size_t i) const {
    Ball sum(0);
    for (std::size_t axis = 0; axis < rows_.size(); ++axis) {
      sum = sum + x[axis] * exact_ball(rows_[axis][i]);
    }
    return sum;
  }

 private:
  std::vector<std::vector<float>> rows_;
};

std::vector<std::int64_t> token(std::mt19937_64& engine, std::size_t axes) {
  std::vector<std::int64_t> result;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto magnitude = static_cast<std::int64_t>(engine() >> (36 + engine() % 27));
    result.push_back(engine() % 4 == 0 ? -magnitude : magnitude);
  }
  return result;
}

std::vector<std::int64_t> places_of(const Encoding& encoding, const std::vector<std::int64_t>& given) {
  std::vector<std::int64_t> result;
  for (std::size_t axis = 0; axis < given.size(); ++axis) {
    result.push_back(encoding.positions_along(axis).place(given[axis]));
  }
  return result;
}

/// coords = 2 coords - 1; coords = coords @ matrix; 2 pi coords; cat([sin, cos]): _pe_encoding of SAM, at
/// pixels of an image of 1024 by 768.
TEST(LearnedFrequenciesOracle, FeaturesOfSamEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  constexpr std::size_t pairs = 48;
  for (int draw = 0; draw < 60; ++draw) {
    const Matrix matrix(engine, 2, pairs);
    const auto encoding = parsed(
        R"({"scheme": "fourier_features", "frequencies_dtype": "float32", "frequency_scale": "2pi", "axes": [
            {"position_scale": "2/1024", "position_offset": "-1023/1024"},
            {"position_scale": "2/768", "position_offset": "-767/768"}], "frequencies": )" +
        matrix.json(0) + "}");
    const auto table = encoding->all<TurnedTable>(&TurnedTable::axes).at(0);
    for (int row = 0; row < 2; ++row) {
      const auto given = token(engine, 2);
      const auto places = places_of(*encoding, given);
      std::vector<Ball> x;
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const Ball c = (Ball(given[axis]) + Ball(1) / Ball(2)) / Ball(axis == 0 ? 1024 : 768);
        x.push_back(Ball(2) * c - Ball(1));
      }
      for (std::size_t column = 0; column < 2 * pairs; ++column) {
        const auto phase = Ball(2) * Ball::pi() * matrix.product(x, column % pairs);
        tally.add(agree(table.entry(places, column)(), column < pairs ? sine(phase) : cosine(phase)),
                  fmt::format("draw {}, column {}", draw, column));
      }
    }
  }
  std::cout << tally.numbers << " Fourier features compared with Arb: " << tally.disagreements
            << " disagreements\n";
  EXPECT_EQ(tally.disagreements, 0U);
}

/// freqs = einsum("nd,dhf->nhf", pos, freqs), of Mochi: cos and sin of each head, of pairs (2i, 2i + 1);
/// halves of each head, where a kernel has those.
TEST(LearnedFrequenciesOracle, TablesAndVectorsOfMochiEqualArbs) {
  const WorkingPrecision precision(library_bits);
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  constexpr std::size_t heads = 3;
  constexpr std::size_t each = 10;
  constexpr std::size_t pairs = heads * each;
  for (int draw = 0; draw < 36; ++draw) {
    const bool is_half = draw % 2 == 1;
    const Matrix matrix(engine, 3, pairs);
    const auto encoding = parsed(fmt::format(
        R"({{"scheme": "axial_rope", "head_dim": {}, "arrangement": "mixed", "position_scale": "1/7",
                       "frequencies_dtype": "float32", "layout": "{}", "frequencies": {}}})",
        2 * each, is_half ? "half" : "interleaved", matrix.json(heads)));
    const auto given = token(engine, 3);
    const auto places = places_of(*encoding, given);
    std::vector<Ball> x;
    for (const auto position : given) {
      x.push_back(Ball(position) / Ball(7));
    }
    const auto pair_of = [&](std::size_t dimension) {
      const auto head = dimension / (2 * each);
      const auto own = dimension % (2 * each);
      return head * each + (is_half ? own % each : own / 2);
    };
    for (const auto& table : encoding->all<TurnedTable>(&TurnedTable::axes)) {
      for (std::size_t column = 0; column < columns_of(table); ++column) {
        const auto phase = matrix.product(x, columns_of(table) == pairs ? column : pair_of(column));
        tally.add(
            agree(table.entry(places, column)(), table.sines.role == "sin" ? sine(phase) : cosine(phase)),
            fmt::format("draw {}, {}, column {}", draw, table.sines.role, column));
      }
    }
    for (const auto& rotation : encoding->all<HeadRotation>()) {
      for (const auto& d : rotation.rotated) {
        const auto a = static_cast<std::int64_t>(7 * d.own % 23) - 11;
        const auto b = static_cast<std::int64_t>(7 * d.other % 23) - 11;
        const auto cosine_of = mixed_value(rotation.table, places, d.pair, Component::cosine)();
        const auto sine_of = mixed_value(rotation.table, places, d.pair, Component::sine)();
        const bool is_first = is_half ? d.out % (2 * each) < each : d.out % 2 == 0;
        const auto phase = matrix.product(x, pair_of(d.out));
        const auto angle = rotation.turns_back() ? Ball(0) - phase : phase;
        const auto theirs = is_first ? Ball(a) * cosine(angle) - Ball(b) * sine(angle)
                                     : Ball(a) * cosine(angle) + Ball(b) * sine(angle);
        const Interval ours = enclose(a) * cosine_of + enclose(d.sign * b) * sine_of;
        tally.add(agree(ours, theirs), fmt::format("draw {}, {} {}", draw, rotation.role(), d.out));
      }
    }
  }
  std::cout << tally.numbers << " numbers of mixed axes compared with Arb: " << tally.disagreements
            << " disagreements\n";
  EXPECT_EQ(tally.disagreements, 0U);
}

}  // namespace
}  // namespace vernier
