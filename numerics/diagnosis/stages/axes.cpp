// By which of a token's positions pairs turn.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/core.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

void propose_exchanged(const KindEdits& edits) {
  const int count = static_cast<int>(edits.suspect.positions().size());
  // What takes the place of each axis.
  const auto add = [&](std::string sentence, const std::function<int(int axis)>& other, double more = 0) {
    edits.add(std::move(sentence), variant_bits + more, [&](Computation& computation) {
      auto axes = computation.axes;
      std::ranges::transform(axes, axes.begin(), other);
      computation.turn_along(std::move(axes));
    });
  };
  for (int a = 0; a < count; ++a) {
    add(fmt::format("every pair turns by the positions along axis {}", a), [=](int) { return a; });
    for (int b = a + 1; b < count; ++b) {
      add(fmt::format("axes {} and {} are exchanged", a, b), [=](int axis) {
        return axis == a ? b : axis == b ? a : axis;
      });
    }
  }
  // Of two axes the same as all pairs along one. It says more of a few pairs than what all axes become.
  constexpr double likelier = -0.5;
  for (int from = 0; count > 2 && from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      if (from != to) {
        add(
            fmt::format("pairs of axis {0} turn by the positions along axis {1}, not {0}", from, to),
            [=](int axis) { return axis == from ? to : axis; }, likelier);
      }
    }
  }
  add("the axes come round by one", [=](int axis) { return (axis + 1) % count; });
  edits.add("the sections of the axes come in the opposite order", variant_bits,
            [](Computation& computation) {
              computation.turn_along({computation.axes.rbegin(), computation.axes.rend()});
            });
}

/// How badly each pair goes along an axis: zero is well. A number a pair.
using Misfit = std::function<std::vector<double>(const Computation& along)>;

/// The share of elements that the computation fails to predict, in some rows.
std::vector<double> failing_shares(const Clues& clues, const Computation& along) {
  constexpr std::size_t some_rows = 48;
  std::vector<double> failing(along.tones.size());
  std::vector<double> conclusive(along.tones.size(), 1);
  const Predictor predictor(clues.suspect, along);
  for (const auto row : telling_rows(clues.suspect, some_rows)) {
    predictor.visit(row, [&](const PredictedElement& one) {
      if (one.pair >= 0 && one.conclusive) {
        failing[static_cast<std::size_t>(one.pair)] += one.fails() ? 1 : 0;
        conclusive[static_cast<std::size_t>(one.pair)] += 1;
      }
    });
  }
  std::ranges::transform(failing, conclusive, failing.begin(), std::divides());
  return failing;
}

/// How far the points of each pair scatter about one phasor, whatever its frequency is.
std::vector<double> scatters(const Clues& clues, const Computation& along) {
  std::vector<double> result;
  for (const auto& phasor : recover(clues.suspect, along).phasors) {
    result.push_back(phasor ? phasor->scatter : std::numeric_limits<double>::infinity());
  }
  return result;
}

/// Each pair along the axis with which it goes best.
void propose_best(const KindEdits& edits, const Misfit& misfit) {
  // Along two axes a pair may go equally well, as along one that hardly moves.
  constexpr double much_better = 0.5;
  const auto& base = edits.base;
  const int count = static_cast<int>(edits.suspect.positions().size());
  auto least = misfit(base);
  for (double& one : least) {
    one *= much_better;
  }
  auto axes = base.axes;
  for (int axis = 0; axis < count; ++axis) {
    auto along = base;
    along.turn_along(std::vector<int>(axes.size(), axis));
    const auto misfits = misfit(along);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (misfits[i] < least[i]) {
        least[i] = misfits[i];
        axes[i] = axis;
      }
    }
  }
  if (axes != base.axes) {
    int runs = 0;  // of neighbours that turn along one axis in place of another
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const bool goes_on = i > 0 && axes[i] == axes[i - 1] && base.axes[i] == base.axes[i - 1];
      runs += axes[i] != base.axes[i] && !goes_on ? 1 : 0;
    }
    const auto first = std::ranges::mismatch(axes, base.axes).in1 - axes.begin();
    const auto at = static_cast<std::size_t>(first);
    edits.add(
        fmt::format("pairs turn by the positions along other axes, the first of them, {}, along axis "
                    "{}, not {}",
                    first, axes[at], base.axes[at]),
        variant_bits + runs * std::log2(count) + std::min(2 * runs, base.pairs()) * std::log2(base.pairs()),
        [&](Computation& computation) { computation.turn_along(axes); });
  }
}

void propose_axes(const KindEdits& edits) {
  if (edits.suspect.positions().size() > 1) {
    propose_exchanged(edits);
    propose_best(edits, [&](const Computation& along) { return failing_shares(edits, along); });
    propose_best(edits, [&](const Computation& along) { return scatters(edits, along); });
  }
}

}  // namespace

StageEdits axis_edits() {
  return {{"mapping/axes", propose_axes}};
}

}  // namespace vernier
