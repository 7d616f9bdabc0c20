// The independent oracle on indices and buckets of shipped models: windows, HSTU's buckets of time and
// AlphaFold 3's bins. Each again from the code that defines it, by integers, and logarithms in Arb.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "reference/test/oracle_agreement.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using oracle::AgreementTally;
using oracle::Ball;
using oracle::drawn_position;
using oracle::tell;

/// get_3d_relative_position_index of Video Swin: coordinates, differences, shifts, products of what follows.
/// Windows of Swin and BEiT have no depth.
TEST(ShippedOracle, IndicesOfVolumesEqualThoseOfTheCode) {
  AgreementTally tally;
  for (const auto& [told_depth, height, width] : {std::array{8, 7, 7},
                                                  {2, 7, 7},
                                                  {7, 7, 7},
                                                  {1, 3, 2},
                                                  {4, 1, 5},
                                                  {6, 8, 3},
                                                  {0, 1, 1},
                                                  {0, 7, 7},
                                                  {0, 12, 5},
                                                  {0, 3, 14},
                                                  {0, 12, 12}}) {
    for (const bool has_class : {false, true}) {
      const auto spec =
          fmt::format(R"({{"scheme": "window_index", "window": [{}{}, {}], "class_token": {}}})",
                      told_depth == 0 ? "" : fmt::format("{}, ", told_depth), height, width, has_class);
      const auto table = parsed(spec)->all<ExactTable>().at(0);
      const int depth = std::max(told_depth, 1);
      std::vector<std::array<int, 3>> coordinates;
      for (int d = 0; d < depth; ++d) {
        for (int h = 0; h < height; ++h) {
          for (int w = 0; w < width; ++w) {
            coordinates.push_back({d, h, w});
          }
        }
      }
      const std::size_t first = has_class ? 1 : 0;
      const int rows = (2 * depth - 1) * (2 * height - 1) * (2 * width - 1);
      for (std::size_t q = 0; q < table.columns; ++q) {
        for (std::size_t k = 0; k < table.columns; ++k) {
          int expected = rows + (q == 0 && k == 0 ? 2 : q == 0 ? 0 : 1);
          if (q >= first && k >= first) {
            const auto& a = coordinates[q - first];
            const auto& b = coordinates[k - first];
            expected = (a[0] - b[0] + depth - 1) * (2 * height - 1) * (2 * width - 1) +
                       (a[1] - b[1] + height - 1) * (2 * width - 1) + a[2] - b[2] + width - 1;
          }
          tally.add(table.factor(static_cast<std::int64_t>(q), k) == expected, spec);
        }
      }
    }
  }
  tell(tally, "windows", 600000);
}

/// (torch.log(torch.abs(x).clamp(min=1)) / 0.301).long(), clamped to num_buckets: by Arb, and between the
/// edges that it finds by counting.
TEST(ShippedOracle, BucketsOfTimeEqualArbs) {
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const auto& [buckets, divisor] :
       {std::pair(128, "0.301"), {20, "0.301"}, {64, "0.05"}, {30, "1.75"}}) {
    const auto spec =
        fmt::format(R"({{"scheme": "time_bucket", "num_buckets": {}, "divisor": {}}})", buckets, divisor);
    const auto rule = parsed(spec)->all<BucketTable>().at(0).rule;
    const auto by_arb = [&, buckets = buckets, divisor = divisor](std::int64_t t) {
      const Ball whole =
          floor(logarithm(Ball(std::max<std::int64_t>(std::abs(t), 1))) / Ball(std::string(divisor)));
      return std::min<std::int64_t>(arf_get_si(arb_midref(whole.get()), ARF_RND_DOWN), buckets);
    };
    for (int draw = 0; draw < 6000; ++draw) {
      const auto t = drawn_position(engine);
      tally.add(rule(t).index == by_arb(t), fmt::format("{}, {}", spec, t));
    }
    for (std::int64_t t = 0; t < 60000; ++t) {
      // Between two times of one bucket there is no other.
      const auto end = std::min<std::int64_t>(t | 63, 59999);
      const auto low = by_arb(t);
      if (t % 64 == 0 && low == by_arb(end)) {
        for (; t <= end; ++t) {
          tally.add(rule(t).index == low && rule(-t).index == low, fmt::format("{}, {}", spec, t));
        }
        --t;
      } else {
        tally.add(rule(t).index == low, fmt::format("{}, {}", spec, t));
      }
    }
  }
  tell(tally, "buckets of time", 250000);
}

/// Boltz, RelativePositionEncoder: d - period round(d / period), clip(d + r_max, 0, 2 r_max), 2 r_max + 1.
TEST(ShippedOracle, BinsOfAlphaFoldEqualThoseOfTheCode) {
  std::mt19937_64 engine(test_seed());
  AgreementTally tally;
  for (const int r_max : {32, 2, 5}) {
    for (const int period : {0, 1, 2, 17, 100}) {
      const auto keys = fmt::format(R"({{"scheme": "alphafold_bin", "r_max": {}{})", r_max,
                                    period == 0 ? "" : fmt::format(R"(, "period": {})", period));
      const auto same = parsed(keys + "}")->all<BucketTable>().at(0).rule;
      const auto other = parsed(keys + R"(, "chain": "other"})")->all<BucketTable>().at(0).rule;
      for (int draw = 0; draw < 10000; ++draw) {
        const std::int64_t given = draw < 2000 ? draw - 1000 : drawn_position(engine);
        // torch.round goes to the even quotient; doubles hold all of these.
        const double quotient = period == 0 ? 0 : static_cast<double>(given) / period;
        const auto d = given - period * static_cast<std::int64_t>(std::nearbyint(quotient));
        const auto bin =
            std::min<std::int64_t>(std::max<std::int64_t>(d + r_max, 0), std::int64_t{2} * r_max);
        tally.add(same(given).index == bin && other(given).index == 2 * r_max + 1,
                  fmt::format("{}, {}", keys, given));
      }
    }
  }
  tell(tally, "AlphaFold 3's bins", 150000);
}

}  // namespace
}  // namespace vernier
