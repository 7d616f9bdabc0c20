#include "numerics/recipes/single_sines/single_sines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "numerics/recipes/single_sines/kernel.hpp"

namespace vernier {
namespace {

constexpr std::size_t phases_at_once = 64;

/// The compiler makes one call of the two, sincosf(), which gives the same bits (a test holds it to that) for
/// little more than the price of one.
void ask_library(double phase, double& sine, double& cosine) {
  const auto narrow = static_cast<float>(phase);
  sine = static_cast<double>(std::sin(narrow));
  cosine = static_cast<double>(std::cos(narrow));
}

/// Whether the widest kernel has the library's bits in a sample. A library that rounds its results correctly
/// has others in one of 300.
bool agrees_with_library() {
  constexpr std::uint32_t least = std::bit_cast<std::uint32_t>(0x1p-10F);
  constexpr std::uint32_t limit = std::bit_cast<std::uint32_t>(0x1p31F);
  constexpr std::uint32_t step = (limit - least) / 8192;
  const auto kernel = single_sines_kernel_sets().back().sines_cosines;
  for (auto bits = least; bits < limit; bits += step) {
    const auto phase = static_cast<double>(std::bit_cast<float>(bits));
    double sine = 0;
    double cosine = 0;
    std::int64_t doubtful = 0;
    kernel(&phase, 1, &sine, &cosine, &doubtful);
    double expected_sine = 0;
    double expected_cosine = 0;
    ask_library(phase, expected_sine, expected_cosine);
    if (doubtful == 0 && (sine != expected_sine || cosine != expected_cosine)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void single_sines_cosines(std::span<const double> phases, std::span<double> sines,
                          std::span<double> cosines) {
  assert(sines.size() == phases.size() && cosines.size() == phases.size());
  static const bool agrees = agrees_with_library();
  static const auto kernel = single_sines_kernel_sets().back().sines_cosines;
  std::array<std::int64_t, phases_at_once> doubtful;
  for (std::size_t first = 0; first < phases.size(); first += phases_at_once) {
    const auto count = std::min(phases_at_once, phases.size() - first);
    std::size_t open = count;
    if (agrees) {
      open =
          kernel(phases.data() + first, count, sines.data() + first, cosines.data() + first, doubtful.data());
    } else {
      doubtful.fill(1);
    }
    for (std::size_t i = 0; i < count && open > 0; ++i) {
      if (doubtful[i] != 0) {
        ask_library(phases[first + i], sines[first + i], cosines[first + i]);
        --open;
      }
    }
  }
}

}  // namespace vernier
