// What computing a number of a formula of its own may cost, against computations that round every step to a
// format: none costs more, and none of the bounds is many times as wide as what happens.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

/// Rounds to the format after every operation, of which the library's are made in float64 and rounded.
struct ComputedSteps {
  Format format;
  double operator()(double value) const { return round_to(format, value); }
  double roundoff() const { return traits(format).unit_roundoff(); }
};

constexpr std::array computed_formats{Format::binary32, Format::binary16, Format::bfloat16};

/// The largest shares of its bound that a computation uses.
class Used {
 public:
  void add(const ComputedReal& number, double computed, const ComputedSteps& steps, const std::string& what) {
    const double error = std::fabs(computed - number.estimate);
    if (!number.error) {
      EXPECT_EQ(error, 0) << what;
      return;
    }
    const double bound = number.error(steps.roundoff());
    EXPECT_LE(error, bound + 0x1p-48 * std::fabs(number.estimate))
        << what << " in " << traits(steps.format).name;
    greatest_ = std::max(greatest_, bound == 0 ? 0 : error / bound);
  }
  double greatest() const { return greatest_; }

 private:
  double greatest_ = 0;
};

TEST(ComputedReal, ScalesOfQueriesCostNoMoreThanTheySay) {
  for (const auto format : computed_formats) {
    const ComputedSteps r{format};
    Used by_floor;
    Used by_log;
    Used by_share;
    const auto shares =
        parsed(R"({"scheme": "query_scale", "rule": "log", "training_length": 21, "beta": 0.3})")
            ->all<ExactTable>()
            .at(0);
    const auto floors =
        parsed(R"({"scheme": "query_scale", "floor_scale": 3, "beta": 0.3})")->all<ExactTable>().at(0);
    const auto logarithms = parsed(R"({"scheme": "query_scale", "rule": "log_n", "training_length": 21})")
                                ->all<ExactTable>()
                                .at(0);
    for (std::int64_t p = 0; p < 6000; ++p) {
      const std::int64_t step = 1 + p / 3;
      const double steps = r(static_cast<double>(step));
      by_floor.add(floors.computed(p, 0), r(1 + r(r(0.3) * r(std::log(steps)))), r, "floor_log");
      const double count = r(static_cast<double>(p + 1));
      by_log.add(logarithms.computed(p, 0), p + 1 > 21 ? r(r(std::log(count)) / r(std::log(r(21)))) : 1, r,
                 "log_n");
      by_share.add(shares.computed(p, 0), r(1 + r(r(0.3) * r(std::log(std::max(r(count / r(21)), 1.0))))), r,
                   "log");
    }
    EXPECT_GT(by_share.greatest(), 0.1);
    EXPECT_GT(by_floor.greatest(), 0.2);
    EXPECT_GT(by_log.greatest(), 0.1);
  }
}

/// icefall's code, from offset to columns.
TEST(ComputedReal, CompactPositionsCostNoMoreThanTheySay) {
  for (const auto format : computed_formats) {
    const ComputedSteps r{format};
    Used used;
    for (const int width : {6, 48, 192}) {
      const auto table = parsed(R"({"scheme": "compact_positions", "length_factor": 1.5, "d_model": )" +
                                std::to_string(width) + "}")
                             ->all<ExactTable>()
                             .at(0);
      const double root = r(std::sqrt(r(width)));
      const double scale = r(r(1.5 * r(width)) / r(2 * std::numbers::pi));
      for (std::int64_t x = -3000; x <= 3000; x += 1 + std::abs(x) / 16) {
        const double reached = r(r(static_cast<double>(std::abs(x))) + root);
        const double grown = r(r(std::log(reached)) - r(std::log(root)));
        const double angle = r(std::atan(r(std::copysign(r(root * grown), static_cast<double>(x)) / scale)));
        for (int c = 0; c + 1 < width; ++c) {
          const double turned = r(angle * r(1 + c / 2));  // NOLINT: columns come in pairs
          used.add(table.computed(x, static_cast<std::size_t>(c)),
                   r(c % 2 == 0 ? std::cos(turned) : std::sin(turned)), r, "compact positions");
        }
      }
    }
    EXPECT_GT(used.greatest(), 0.05);
  }
}

/// vLLM's code: frequencies, phases, cosines and their sums, from either end, in one format.
TEST(ComputedReal, FourierSumsCostNoMoreThanTheySay) {
  const auto table = parsed(R"({"scheme": "fourier_sums", "head_dim": 16, "cosine_coefficients":
                              [[[1, 0.5], [-0.25, 0.75], [0.125, -1], [0.5, 2]]], "sine_coefficients":
                              [[[1, 0.5], [-0.25, 0.75], [0.125, -1], [0.5, 2]]]})")
                         ->all<ExactTable>()
                         .at(0);
  constexpr std::array<std::array<double, 2>, 4> rows{{{1, 0.5}, {-0.25, 0.75}, {0.125, -1}, {0.5, 2}}};
  for (const auto format : computed_formats) {
    const ComputedSteps r{format};
    Used used;
    for (std::int64_t p = -2000; p <= 2000; p += 1 + std::abs(p) / 16) {
      for (std::size_t c = 0; c < 2; ++c) {
        for (const bool is_forwards : {true, false}) {
          double sum = 0;
          for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto k = is_forwards ? i : rows.size() - 1 - i;
            const double frequency = r(1 / r(std::pow(10000.0, r(static_cast<double>(2 * k) / 16))));
            const double turned = r(std::cos(r(r(static_cast<double>(p)) * frequency)));
            sum = r(sum + r(turned * rows.at(k).at(c)));
          }
          used.add(table.computed(p, c), sum, r, "Fourier sums");
        }
      }
    }
    EXPECT_GT(used.greatest(), 0.05);
  }
}

/// FramePack's code: frequencies, phases, sines and sums over the blocks of all axes, in one format.
TEST(ComputedReal, AveragesOverBlocksCostNoMoreThanTheySay) {
  for (const auto format : computed_formats) {
    const ComputedSteps r{format};
    Used used;
    const auto table = parsed(R"({"scheme": "axial_rope", "head_dim": 36, "rope_theta": 256, "pool": [2, 4],
                                  "axes": [{"dims": 16, "position_offset": 5}, {"dims": 20}]})")
                           ->all<ExactTable>()
                           .at(0);
    for (std::int64_t block = 0; block < 400; block += 1 + block / 16) {
      for (std::size_t c = 0; c < 18; ++c) {
        const bool is_second = c >= 8;
        const double exponent = r(static_cast<double>(2 * (is_second ? c - 8 : c)) / (is_second ? 20 : 16));
        const double frequency = r(1 / r(std::pow(256, exponent)));
        double sum = 0;
        for (std::int64_t term = 0; term < 8; ++term) {
          const auto place = is_second ? 4 * block + term % 4 : 5 + 2 * block + term / 4;
          sum = r(sum + r(std::cos(r(r(static_cast<double>(place)) * frequency))));
        }
        used.add(table.computed(block, c), r(sum / 8), r, "average");
      }
    }
    EXPECT_GT(used.greatest(), 0.02);
  }
}

/// PyTorch's code for linear weights; of the others their true weights, rounded, and the same sums.
TEST(ComputedReal, ResampledNumbersCostNoMoreThanTheySay) {
  constexpr std::array numbers{1.0, -3.5, 0.0, 2.0, 0.375};
  for (const auto* keys :
       {R"("to": [12])", R"("to": [12], "mode": "bicubic")", R"("to": [3], "antialias": true)"}) {
    const auto made = [&](const std::string& values) {
      return parsed(R"({"scheme": "resampled", "from": [5], )" + std::string(keys) + values + "}")
          ->all<ExactTable>()
          .at(0);
    };
    const auto table = made(R"(, "values": [[1], [-3.5], [0], [2], [0.375]])");
    const auto weights = made("");
    const bool is_linear = std::string(keys) == R"("to": [12])";
    for (const auto format : computed_formats) {
      const ComputedSteps r{format};
      Used used;
      for (std::int64_t i = 0; i <= *table.last_position; ++i) {
        const double source = std::max(r(r((static_cast<double>(i) + 0.5) * r(5.0 / 12)) - 0.5), 0.0);
        const double share = r(source - std::floor(source));
        double sum = 0;
        for (std::size_t old = 0; old < numbers.size(); ++old) {
          const double offset = static_cast<double>(old) - std::floor(source);
          const double linear = offset == 0 ? r(1 - share) + (old == 4 ? share : 0) : offset == 1 ? share : 0;
          const double weight = is_linear ? linear : r(weights.computed(i, old).estimate);
          sum = r(sum + r(weight * numbers.at(old)));
        }
        used.add(table.computed(i, 0), sum, r, keys);
      }
      EXPECT_GT(used.greatest(), is_linear ? 0.1 : 0.01) << keys;
    }
  }
}

/// Of a place that stays where it is: one rounding each of three weights, of the number, a product and a sum.
TEST(ComputedReal, AResampledNumberIsRoundedInEachStep) {
  const auto table = parsed(R"({"scheme": "resampled", "from": [3], "to": [5], "align_corners": true,
                                "values": [[1], [1], [1]]})")
                         ->all<ExactTable>()
                         .at(0);
  EXPECT_NEAR(table.computed(0, 0).error(0x1p-24), 6 * 0x1p-24, 0x1p-40);
}

ComputedReal decay(const std::string& keys, std::size_t heads, std::size_t head) {
  return parsed(R"({"scheme": "decay", "num_heads": )" + std::to_string(heads) + ", " + keys + "}")
      ->all<BiasTable>()
      .at(0)
      .curves.at(head)(1);
}

TEST(ComputedReal, DecaysCostNoMoreThanTheySay) {
  const std::string layer = R"(, "num_layers": 13, "layer": 5)";
  for (const auto format : computed_formats) {
    const ComputedSteps r{format};
    Used used;
    for (const std::size_t heads : {8U, 12U}) {
      for (std::size_t head = 0; head < heads; ++head) {
        const auto h = static_cast<double>(head);
        const auto n = static_cast<double>(heads);
        const auto both = [&](const std::string& rule, double rate) {
          used.add(decay(rule + R"(, "as": "rate")", heads, head), rate, r, rule);
          used.add(decay(rule + R"(, "as": "factor")", heads, head), r(std::exp(-rate)), r, rule);
        };
        const double kept = r(1 - std::exp2(-5 - h));
        used.add(decay(R"("rule": "retnet")", heads, head), r(std::log(kept)), r, "retnet");
        used.add(decay(R"("rule": "retnet", "as": "factor")", heads, head), kept, r, "retnet");
        const double of_layer = 1 - 5 / (12 + 1e-5) + 1e-5;
        both(R"("rule": "lightning", "variant": "huggingface")" + layer,
             r(r(std::pow(r(std::exp2(-8 / n)), h + 1)) * r(of_layer)));
        both(R"("rule": "transnormer")" + layer, r(r(8 / n * (1 - 5.0 / 13)) * h));
      }
    }
    EXPECT_GT(used.greatest(), 0.2);
  }
}

TEST(ComputedReal, BiasesByTheDistanceCostNoMoreThanTheySay) {
  const auto logs = parsed(R"({"scheme": "kerple", "scale": [0.3], "a": [0.7], "p": [0.6]})");
  const auto powers = parsed(R"({"scheme": "kerple", "kind": "power", "scale": [0.3], "p": [0.6]})");
  const auto plain = parsed(R"({"scheme": "kerple", "scale": [0.3]})");
  const auto sums = parsed(R"({"scheme": "sandwich", "num_heads": 1, "head_dim": 16})");
  const auto at = [](const std::unique_ptr<Encoding>& encoding, std::int64_t distance) {
    return encoding->all<BiasTable>().at(0).curves.at(0)(-distance);
  };
  for (const auto format : computed_formats) {
    const ComputedSteps r{format};
    Used used;
    for (std::int64_t distance = 0; distance < 3000; distance += 1 + distance / 64) {
      const double d = r(static_cast<double>(distance));
      const double power = r(std::pow(d, r(0.6)));
      used.add(at(powers, distance), -r(r(0.3) * power), r, "power");
      used.add(at(logs, distance), -r(r(0.3) * r(std::log(r(1 + r(r(0.7) * power))))), r, "log");
      used.add(at(plain, distance), -r(r(0.3) * r(std::log(r(1 + d)))), r, "log, a and p 1");
      double sum = 0;
      for (int j = 1; j <= 8; ++j) {
        const double w = r(1 / r(std::pow(10000.0, r(j / 8.0))));
        sum = r(sum + r(std::cos(r(d * w))));
      }
      used.add(at(sums, distance), r(r(sum - 8) / 8), r, "sandwich");
    }
    EXPECT_GT(used.greatest(), 0.1);
  }
}

}  // namespace
}  // namespace vernier
