// Of several axes: whether each has frequencies of its own, or they share those of the whole width.

#include <cmath>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"

namespace vernier {
namespace {

/// One axis: its frequencies are factor base^(-j/pairs), j from 0 on.
struct AxisOfPowers {
  double base = 0;
  double factor = 1;  ///< its first frequency
  int pairs = 0;
};

/// The axes of a spec that lists them; nothing where one has frequencies of another rule.
std::optional<std::vector<AxisOfPowers>> listed_axes(const Clues& clues) {
  const auto spec = clues.suspect.encoding().spec();
  const auto axes = spec.find("axes");
  if (axes == spec.end() || !axes->is_array()) {
    return std::nullopt;
  }
  std::vector<AxisOfPowers> result;
  for (const auto& axis : *axes) {
    const auto base = base_in(axis);
    const bool is_other = axis.contains("rope_scaling") || axis.contains("downscale_freq_shift") ||
                          (axis.contains("frequency") && axis.at("frequency") != "paper");
    if (is_other || !base || !axis.contains("dims")) {
      return std::nullopt;
    }
    result.push_back({base->second, 0, axis.at("dims").get<int>() / 2});
  }
  const auto factors = first_frequencies(clues);
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    result[axis].factor = factors[axis];
  }
  return result;
}

/// The tones of the base, each by the power of its axis' base that `exponent` says.
/// \param exponent of (axis, j, i): the i-th pair of all, the j-th of its axis
template <class Exponent>
void set_powers(Computation& computation, const std::vector<int>& axes, const std::vector<AxisOfPowers>& of,
                const Exponent& exponent) {
  std::vector<int> next(of.size());
  for (std::size_t i = 0; i < computation.tones.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    const auto power = static_cast<long double>(exponent(axis, next[axis]++, static_cast<int>(i)));
    const auto w = of[axis].factor * std::exp(-power * std::log(static_cast<long double>(of[axis].base)));
    computation.tones[i] = {w, w};
  }
  computation.allow_computed_frequencies();
}

void propose_shared(const Clues& clues, const FaultKind& kind, const std::vector<AxisOfPowers>& axes,
                    Proposals& out) {
  int pairs = 0;
  for (const auto& axis : axes) {
    pairs += axis.pairs;
  }
  const auto& of_pairs = clues.suspect.declared().axes;
  const auto propose = [&](std::string_view how, const auto& index) {
    propose_edit(clues, kind, fmt::format("the exponents are i/{}, of the whole width, {}", pairs, how),
                 variant_bits, out, [&](Computation& computation) {
                   set_powers(computation, of_pairs, axes, [&](std::size_t axis, int j, int i) {
                     return static_cast<double>(index(axis, j, i)) / pairs;
                   });
                 });
  };
  propose("though i begins anew with each axis", [](std::size_t, int j, int) { return j; });
  propose("and i runs over all axes", [](std::size_t, int, int i) { return i; });
}

/// Of M-RoPE, whose axes share the frequencies of the head.
void propose_own(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto spec = clues.suspect.encoding().spec();
  const bool is_scaled =
      spec.contains("rope_scaling") && spec.at("rope_scaling").value("rope_type", "") != "default";
  if (clues.suspect.encoding().scheme() != "rope" || is_scaled || !spec.at("rope_theta").is_number()) {
    return;
  }
  const auto& declared = clues.suspect.declared();
  std::vector<AxisOfPowers> axes(clues.suspect.positions().size());
  for (std::size_t i = 0; i < declared.tones.size(); ++i) {
    auto& axis = axes[static_cast<std::size_t>(declared.axes[i])];
    axis = {spec.at("rope_theta").get<double>(), declared.frequency(0), axis.pairs + 1};
  }
  propose_edit(clues, kind, "each axis has frequencies of its own, those of a head as wide as its section",
               variant_bits, out, [&](Computation& computation) {
                 set_powers(computation, declared.axes, axes, [&](std::size_t axis, int j, int) {
                   return static_cast<double>(j) / axes[axis].pairs;
                 });
               });
}

void propose_axes_of_frequencies(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (clues.suspect.positions().size() < 2 ||
      clues.base.tones.size() != clues.suspect.declared().tones.size()) {
    return;
  }
  if (const auto axes = listed_axes(clues)) {
    propose_shared(clues, kind, *axes, out);
  } else {
    propose_own(clues, kind, out);
  }
}

}  // namespace

StageEdits shared_frequency_edits() {
  return {{"frequency/axes", propose_axes_of_frequencies}};
}

}  // namespace vernier
