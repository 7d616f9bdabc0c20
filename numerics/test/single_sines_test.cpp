// Sines and cosines by vectors against the C library's, one by one.

#include "numerics/recipes/single_sines/single_sines.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/recipes/single_sines/kernel.hpp"
#include "reference/ladder/kernel.hpp"

namespace vernier {
namespace {

/// The sign of a zero and the bits of a NaN count.
std::uint64_t bits_of(float value) {
  return std::bit_cast<std::uint64_t>(static_cast<double>(value));
}

struct Tally {
  std::uint64_t certain = 0;
  std::uint64_t doubtful = 0;
  std::uint64_t wrong = 0;
  float first_wrong = 0;
};

/// What a kernel makes of every float of these bits.
Tally judged(SingleSinesKernel kernel, std::uint64_t first, std::uint64_t limit, std::uint64_t step) {
  constexpr std::size_t at_once = 64;
  std::array<double, at_once> phases;
  std::array<double, at_once> sines;
  std::array<double, at_once> cosines;
  std::array<std::int64_t, at_once> doubtful;
  Tally tally;
  for (auto bits = first; bits < limit;) {
    std::size_t count = 0;
    for (; count < at_once && bits < limit; ++count, bits += step) {
      phases[count] = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    const auto doubts = kernel(phases.data(), count, sines.data(), cosines.data(), doubtful.data());
    tally.doubtful += doubts;
    tally.certain += count - doubts;
    for (std::size_t i = 0; i < count; ++i) {
      const auto phase = static_cast<float>(phases[i]);
      if (doubtful[i] == 0 && (std::bit_cast<std::uint64_t>(sines[i]) != bits_of(std::sin(phase)) ||
                               std::bit_cast<std::uint64_t>(cosines[i]) != bits_of(std::cos(phase)))) {
        tally.first_wrong = tally.wrong++ == 0 ? phase : tally.first_wrong;
      }
    }
  }
  return tally;
}

/// Every 4099th float up to 2^31, which is prime; each of them if VERNIER_EVERY_FLOAT is set: some minutes.
TEST(SingleSines, AreTheLibrarysWhereTheyAreCertain) {
  const std::uint64_t step = std::getenv("VERNIER_EVERY_FLOAT") != nullptr ? 1 : 4099;
  constexpr auto least = std::bit_cast<std::uint32_t>(0x1p-100F);
  constexpr auto limit = std::bit_cast<std::uint32_t>(0x1p31F);
  ASSERT_EQ(single_sines_kernel_sets().size(), kernel_sets().size());
  for (std::size_t set = 0; set < kernel_sets().size(); ++set) {
    const auto& [name, kernel] = single_sines_kernel_sets()[set];
    EXPECT_EQ(name, kernel_sets()[set].name);
    const auto tally = judged(kernel, least, limit, step);
    EXPECT_EQ(tally.wrong, 0U) << name << " " << std::hexfloat << tally.first_wrong;
    EXPECT_LT(tally.doubtful, tally.certain / 1000) << name;
  }
}

/// Zeros, subnormal and negative numbers, and what is beyond 2^31 or no number.
TEST(SingleSines, AreTheLibrarysForAnyFloat) {
  std::vector<double> phases{0.0, -0.0, 0x1p31, 0x1p127};
  for (const double odd : {0x1p-149, 0x1.8p-130, 1.0, 3.5, 0x1p40}) {
    phases.push_back(odd);
    phases.push_back(-odd);
  }
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 40009) {
    phases.push_back(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  }
  std::vector<double> sines(phases.size());
  std::vector<double> cosines(phases.size());
  single_sines_cosines(phases, sines, cosines);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const auto phase = static_cast<float>(phases[i]);
    if (std::isfinite(phase)) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(sines[i]), bits_of(std::sin(phase))) << phase;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(cosines[i]), bits_of(std::cos(phase))) << phase;
    } else {
      ASSERT_TRUE(std::isnan(sines[i]) && std::isnan(cosines[i])) << phase;
    }
  }
}

}  // namespace
}  // namespace vernier
