// Sines and cosines of phases.

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array trigonometry_reduction_bugs{"kekzl/imp #1316"sv, "lablup/mlxcel #1055"sv,
                                                 "tenstorrent/tt-metal #33971"sv};
constexpr std::array trigonometry_accuracy_bugs{"kekzl/imp #1325"sv, "pytorch/pytorch #84936"sv,
                                                "webmachinelearning/webnn #914"sv};
constexpr FaultKind trigonometry_reduction{
    .id = "trigonometry/range-reduction",
    .stage = Stage::trigonometry,
    .title = "arguments are reduced by a rounded 2 pi",
    .means = "The error of every angle grows with the number of whole turns, the most in the fastest pairs.",
    .advice =
        "Reduce by 2 pi in two or three parts (Cody and Waite), or use a sine that reduces its argument "
        "itself; look for fast-math options of the compiler.",
    .similar = trigonometry_reduction_bugs};
constexpr FaultKind trigonometry_accuracy{
    .id = "trigonometry/low-accuracy",
    .stage = Stage::trigonometry,
    .title = "sines and cosines have few bits",
    .means = "Every score carries an error of that size, at small positions as well.",
    .advice =
        "Look for hardware approximations, half-precision functions, short polynomials or look-up "
        "tables, and for fast-math options of the compiler.",
    .similar = trigonometry_accuracy_bugs};

void propose_reduction(const Clues& clues, const FaultKind& kind, Proposals& out) {
  struct Constant {
    double period;
    std::string_view words;
  };
  constexpr double two_pi = 2 * std::numbers::pi;
  static const std::array constants{
      Constant{static_cast<double>(static_cast<float>(two_pi)), "6.2831855, 2 pi in float32"},
      Constant{6.28, "6.28"},
      Constant{6.283, "6.283"},
      Constant{6.2832, "6.2832"},
      Constant{6.28319, "6.28319"},
      Constant{6.28318, "6.28318"},
      Constant{6.283185, "6.283185"},
      Constant{6.2831853, "6.2831853"},
      Constant{round_to(Format::binary16, two_pi), "2 pi in float16"},
      Constant{round_to(Format::bfloat16, two_pi), "2 pi in bfloat16"}};
  for (const auto& [period, words] : constants) {
    propose_edit(clues, kind, fmt::format("arguments are reduced by {}", words), variant_bits + 1, out,
                 [&, period = period](Computation& computation) {
                   computation.period = RoundedPeriod{period};
                   // The product with the number of turns and the difference are rounded as well.
                   for (auto& parameters : computation.parameters) {
                     const double u = traits(parameters.compute).unit_roundoff();
                     for (double& rounding : parameters.phase_rounding) {
                       rounding += parameters.trig_ulps > 0 ? u : 0;
                     }
                   }
                 });
  }
}

/// Errors of sines and cosines alone, which no phase explains: proposed where points leave the circle by as
/// much as they leave their phase.
void propose_accuracy(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const PairView view(clues.subject, clues.base);
  constexpr double most = 0x1p-5;
  double greatest = 0;
  double radial = 0;
  double tangential = 0;
  std::size_t count = 0;
  const auto rows = telling_rows(clues.subject, 256);
  for (const auto row : rows) {
    for (int pair = 0; pair < clues.base.pairs(); ++pair) {
      if (!view.is_complete(pair)) {
        continue;
      }
      const auto seen = view.point(row, pair);
      if (!seen) {
        continue;
      }
      const auto axis = static_cast<std::size_t>(clues.base.axes[static_cast<std::size_t>(pair)]);
      const double phase = (*clues.base.places)[axis][row] * clues.base.frequency(pair);
      const auto relative = seen->z / std::polar(clues.base.amplitude, phase);
      radial += std::pow(std::abs(relative) - 1, 2);
      tangential += std::pow(std::arg(relative), 2);
      greatest = std::max(greatest, std::abs(relative - 1.0));
      ++count;
    }
  }
  if (count < 256 || greatest > most || radial < tangential / 16) {
    return;
  }
  // The smallest power of two that is above everything seen.
  const double bound = std::exp2(std::ceil(std::log2(greatest)) + 1);
  propose_edit(clues, kind,
               fmt::format("sines and cosines are off by up to {:.2g}, whatever the phase", greatest),
               real_bits + damaged_bits, out,
               [&](Computation& computation) { computation.trigonometry_error = bound; });
}

}  // namespace

StageEdits trigonometry_edits() {
  return {{&trigonometry_reduction, propose_reduction}, {&trigonometry_accuracy, propose_accuracy, true}};
}

}  // namespace vernier
