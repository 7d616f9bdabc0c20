#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/screens/kernel.hpp"
#include "numerics/screens/row_bounds.hpp"
#include "numerics/screens/selected_entries.hpp"
#include "reference/ladder/kernel.hpp"

namespace vernier {
namespace {

constexpr double screened_nan = std::numeric_limits<double>::quiet_NaN();

using ScreenedNumbers = std::vector<double>;

/// Numbers in [-1, 1], with some that are none among them where wanted.
class Source {
 public:
  ScreenedNumbers numbers(std::size_t count, double scale = 1) {
    ScreenedNumbers result;
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back(scale * in_range_(engine_));
    }
    return result;
  }
  ScreenedNumbers with_odd_ones(std::size_t count) {
    auto result = numbers(count);
    for (const double odd : {screened_nan, infinity, -infinity, -0.0, 0x1p-1074, 0x1p1000}) {
      result[engine_() % count] = odd;
    }
    return result;
  }

 private:
  std::mt19937_64 engine_{1};
  std::uniform_real_distribution<double> in_range_{-1, 1};
};

/// Bits, so that NaN is compared as well; of NaN only that it is one.
std::vector<std::uint64_t> bits_of(const ScreenedNumbers& numbers) {
  std::vector<std::uint64_t> result;
  for (const double number : numbers) {
    result.push_back(std::bit_cast<std::uint64_t>(std::isnan(number) ? screened_nan : number));
  }
  return result;
}

/// What a set of kernels makes of rows of random numbers, one after another.
std::vector<std::uint64_t> made_by(const ScreenKernels& kernels, std::size_t count) {
  Source source;
  std::vector<std::uint64_t> made;
  const auto note = [&](const ScreenedNumbers& numbers) {
    const auto bits = bits_of(numbers);
    made.insert(made.end(), bits.begin(), bits.end());
  };
  const auto note_settled = [&](std::size_t sum, const std::vector<std::int64_t>& settled) {
    made.push_back(sum);
    made.insert(made.end(), settled.begin(), settled.end());
  };
  const auto c = source.numbers(count);
  const auto s = source.numbers(count);
  const auto odd_c = source.with_odd_ones(count);
  const auto odd_s = source.with_odd_ones(count);
  const auto small = source.numbers(count, 0x1p-20);
  const auto ones = ScreenedNumbers(count, 1.0);
  ScreenedNumbers out(count);
  ScreenedNumbers more(count);
  std::vector<std::int64_t> settled(count);

  const ScreenedNumbers turns(count, most_small_turn);
  kernels.trigonometry({1000,
                        1.25,
                        0x1p-40,
                        {c.data(), s.data()},
                        {s.data(), c.data()},
                        small.data(),
                        small.data(),
                        turns.data(),
                        odd_c.data()},
                       count, out.data(), more.data());
  note(out);
  note(more);
  note_settled(kernels.within(out.data(), ones.data(), 0.5, count, settled.data()), settled);

  for (const double position : {1.0, 1e6}) {
    const DeviationRow row{position,     1.25,         {c.data(), s.data()}, {s.data(), c.data()},
                           small.data(), small.data(), small.data(),         small.data(),
                           small.data(), odd_c.data(), small.data(),         odd_s.data(),
                           small.data()};
    note_settled(kernels.deviation(row, count, settled.data()), settled);
  }

  ScreenedNumbers table(4096);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<double>(i);
  }
  const std::vector<std::int64_t> starts(count, 0);
  kernels.look_up({0.25, table.data(), starts.data(), c.data(), odd_c.data()}, count, out.data());
  note(out);

  const auto left = kernels.norm({0.5, 1, 0x1p-49, odd_c.data(), ones.data(), odd_s.data(), ones.data()},
                                 count, out.data());
  note(out);
  made.push_back(left);
  return made;
}

TEST(ScreenKernels, GiveTheSameBitsOnAllInstructionSets) {
  const auto sets = screen_kernel_sets();
  ASSERT_EQ(sets.size(), kernel_sets().size());
  EXPECT_EQ(&screen_kernels(), &sets.back());
  for (const std::size_t count : {7U, 63U, 64U, 100U}) {
    const auto plain = made_by(sets.front(), count);
    for (const auto& kernels : sets) {
      EXPECT_EQ(kernels.name, kernel_sets()[static_cast<std::size_t>(&kernels - sets.data())].name);
      EXPECT_EQ(made_by(kernels, count), plain) << kernels.name << " " << count;
    }
  }
}

/// An element that is no number, or that is compared with a phase too far away, is never settled.
TEST(ScreenKernels, SettleNothingThatIsInDoubt) {
  const std::array<double, 3> numbers{screened_nan, infinity, 1};
  const std::array<double, 3> ones{1, 1, 1};
  const std::array<double, 3> zeros{};
  const std::array<double, 3> turns{most_small_turn, most_small_turn, -1};
  std::array<double, 3> errors{};
  std::array<double, 3> magnitudes{};
  std::array<std::int64_t, 3> settled{};
  for (const auto& kernels : screen_kernel_sets()) {
    kernels.trigonometry({0,
                          1,
                          0x1p-40,
                          {ones.data(), zeros.data()},
                          {ones.data(), zeros.data()},
                          zeros.data(),
                          zeros.data(),
                          turns.data(),
                          numbers.data()},
                         numbers.size(), errors.data(), magnitudes.data());
    EXPECT_EQ(kernels.within(errors.data(), ones.data(), 1, numbers.size(), settled.data()), 0U);
    EXPECT_EQ(settled, (std::array<std::int64_t, 3>{}));
  }
}

/// As if each had been looked up at its own ends.
TEST(BinadeBounds, AreThoseAtBothEndsOfEachBinade) {
  const TrigTable table{"encoding", GeometricFrequencies{10000, Rational(1, 4), 4}, 3, {}, std::nullopt};
  for (const auto format : {Format::binary64, Format::binary32, Format::bfloat16, Format::float8_e4m3fn}) {
    const auto model = contract_named("float32")->bind(table, format);
    const BinadeBounds bounds(model);
    for (std::uint64_t binade = 0; binade + 1 < BinadeBounds::binades; ++binade) {
      const auto low = std::bit_cast<double>(binade << BinadeBounds::fraction_bits);
      const auto high = std::bit_cast<double>(((binade + 1) << BinadeBounds::fraction_bits) - 1);
      ASSERT_EQ(bounds.plain(binade).least, apart_from_phase(model, 0, 0, low)) << binade;
      ASSERT_EQ(bounds.plain(binade).greatest, apart_from_phase(model, 0, 0, high)) << binade;
      ASSERT_EQ(bounds.reduced(binade).least, apart_from_phase(model, 1000, 0, low)) << binade;
      ASSERT_EQ(bounds.reduced(binade).greatest, apart_from_phase(model, 1000, 0, high)) << binade;
    }
  }
}

TEST(RowBounds, AreThoseOfEachNumber) {
  const TrigTable table{"encoding", GeometricFrequencies{10000, Rational(1, 16), 16}, 1, {}, std::nullopt};
  std::vector<BinadeBounds> bounds;
  for (const auto format : {Format::binary32, Format::bfloat16}) {
    bounds.emplace_back(contract_named("float32")->bind(table, format));
  }
  std::vector<RowBounds::Source> sources;
  for (int pair = 0; pair < 16; ++pair) {
    sources.push_back({&bounds[pair % 3 == 0 ? 1 : 0], pair});
  }
  const RowBounds all(sources);
  const RowBounds least(sources, &BinadeBounds::Bounds::least);
  Source source;
  for (const std::int64_t position : {0, 1, -1, 7, -1000, 100000}) {
    const auto numbers = source.with_odd_ones(sources.size());
    ScreenedNumbers room;
    const auto found = all.of(position, numbers, room);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      EXPECT_EQ(found[i], sources[i].bounds->at(position, sources[i].pair, numbers[i]).greatest)
          << position << " " << numbers[i];
    }
    const auto smallest = least.of(position, numbers, room);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      EXPECT_EQ(smallest[i], sources[i].bounds->at(position, sources[i].pair, numbers[i]).least)
          << position << " " << numbers[i];
    }
  }
}

TEST(SelectedEntries, ReadsWhereEntriesStandSideBySide) {
  const ScreenedNumbers row{0, 1, 2, 3, 4};
  ScreenedNumbers room;
  EXPECT_EQ(SelectedEntries({1, 2, 3}).of(row, room).data(), row.data() + 1);
  EXPECT_TRUE(SelectedEntries({}).of(row, room).empty());
  const auto apart = SelectedEntries({0, 2, 4}).of(row, room);
  EXPECT_EQ(ScreenedNumbers(apart.begin(), apart.end()), (ScreenedNumbers{0, 2, 4}));
  const auto turned = SelectedEntries({2, 1, 2}).of(row, room);
  EXPECT_EQ(ScreenedNumbers(turned.begin(), turned.end()), (ScreenedNumbers{2, 1, 2}));
}

}  // namespace
}  // namespace vernier
