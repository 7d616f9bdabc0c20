// By which of a token's positions pairs turn.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array mapping_axes_bugs{"alibaba/MNN #4133"sv, "Blaizzy/mlx-vlm #576"sv,
                                       "huggingface/pytorch-image-models #2541"sv};
constexpr FaultKind mapping_axes{
    .id = "mapping/axes",
    .stage = Stage::mapping,
    .title = "pairs turn by the positions of other axes",
    .means =
        "Text is unchanged where all axes have one position; images and videos get their rows, columns "
        "and frames mixed up.",
    .advice = "Compare the sections and their order with the model's: [t, h, w] contiguous, or interleaved.",
    .similar = mapping_axes_bugs};

void propose_exchanged(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const int count = static_cast<int>(clues.suspect.positions().size());
  for (int a = 0; a < count; ++a) {
    propose_edit(clues, kind, fmt::format("every pair turns by the positions along axis {}", a), variant_bits,
                 out, [&](Computation& computation) { std::ranges::fill(computation.axes, a); });
    for (int b = a + 1; b < count; ++b) {
      propose_edit(clues, kind, fmt::format("axes {} and {} are exchanged", a, b), variant_bits, out,
                   [&](Computation& computation) {
                     for (int& axis : computation.axes) {
                       axis = axis == a ? b : axis == b ? a : axis;
                     }
                   });
    }
  }
  propose_edit(clues, kind, "the axes come round by one", variant_bits, out, [&](Computation& computation) {
    for (int& axis : computation.axes) {
      axis = (axis + 1) % count;
    }
  });
  propose_edit(clues, kind, "the sections of the axes come in the opposite order", variant_bits, out,
               [](Computation& computation) { std::ranges::reverse(computation.axes); });
}

/// How well the phasor of a pair is that of its declared frequency: the median distance of the angles of its
/// points. Infinite where it is another.
double scatter_of(const std::optional<FittedPhasor>& phasor, double frequency, double allowed) {
  if (!phasor || std::fabs(std::fabs(phasor->frequency) - std::fabs(frequency)) >
                     3 * (allowed * std::fabs(frequency) + 4 * phasor->uncertainty)) {
    return std::numeric_limits<double>::infinity();
  }
  return phasor->scatter;
}

/// Of each pair the axis along whose positions its phase grows.
void propose_measured(const Clues& clues, const FaultKind& kind, Proposals& out) {
  // Along two axes points may stay together equally well, as along one that hardly moves.
  constexpr double much_better = 0.5;
  const auto& base = clues.base;
  const int count = static_cast<int>(clues.suspect.positions().size());
  std::vector<double> least;
  for (int pair = 0; pair < base.pairs(); ++pair) {
    const auto i = static_cast<std::size_t>(pair);
    least.push_back(much_better * scatter_of(clues.recovery.phasors[i], base.frequency(pair),
                                             base.parameters.front().frequency_error[i]));
  }
  auto measured = base;
  for (int axis = 0; axis < count; ++axis) {
    auto along = base;
    std::ranges::fill(along.axes, axis);
    const auto recovery = recover(clues.suspect, along);
    for (int pair = 0; pair < base.pairs(); ++pair) {
      const auto i = static_cast<std::size_t>(pair);
      const double scatter = scatter_of(recovery.phasors[i], base.frequency(pair),
                                        base.parameters.front().frequency_error[i]);
      if (scatter < least[i]) {
        least[i] = scatter;
        measured.axes[i] = axis;
      }
    }
  }
  std::vector<int> moved;
  for (int pair = 0; pair < base.pairs(); ++pair) {
    const auto i = static_cast<std::size_t>(pair);
    if (measured.axes[i] != base.axes[i]) {
      moved.push_back(pair);
    }
  }
  if (!moved.empty()) {
    // Which one each pair turns by.
    const double bits = variant_bits + std::log2(count) * base.pairs();
    propose_edit(clues, kind,
                 fmt::format("{} of {} pairs turn by the positions along other axes, the first pair {} along "
                             "axis {}, not {}",
                             moved.size(), base.pairs(), moved.front(),
                             measured.axes[static_cast<std::size_t>(moved.front())],
                             base.axes[static_cast<std::size_t>(moved.front())]),
                 bits, out, [&](Computation& computation) { computation.axes = measured.axes; });
  }
}

void propose_axes(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (clues.suspect.positions().size() > 1) {
    propose_exchanged(clues, kind, out);
    propose_measured(clues, kind, out);
  }
}

}  // namespace

StageEdits axis_edits() {
  return {{&mapping_axes, propose_axes}};
}

}  // namespace vernier
