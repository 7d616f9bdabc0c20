// Of several axes: whether each has frequencies of its own, or they share those of the whole width.

#include <cmath>
#include <functional>
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
  const auto spec = clues.spec();
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

/// The frequencies of the pairs, each the power of its axis' base that `exponent` says.
/// \param exponent of (axis, j, i): the i-th pair of all, the j-th of its axis
using AxisExponent = std::function<double(std::size_t axis, int j, int i)>;

ComputationEdit powers_of_axes(const std::vector<int>& axes, const std::vector<AxisOfPowers>& of,
                               const AxisExponent& exponent) {
  return [=](Computation& computation) {
    std::vector<int> next(of.size());
    computation.set_frequencies([&](std::size_t i) {
      const auto axis = static_cast<std::size_t>(axes[i]);
      const auto power = static_cast<long double>(exponent(axis, next[axis]++, static_cast<int>(i)));
      return of[axis].factor * std::exp(-power * std::log(static_cast<long double>(of[axis].base)));
    });
    computation.allow_computed_frequencies();
  };
}

void propose_shared(const KindEdits& edits, const std::vector<AxisOfPowers>& axes) {
  double pairs = 0;
  for (const auto& axis : axes) {
    pairs += axis.pairs;
  }
  const auto add = [&](std::string_view how, const AxisExponent& exponent) {
    edits.add(fmt::format("the exponents are i/{}, of the whole width, {}", pairs, how), variant_bits,
              powers_of_axes(edits.suspect.declared().axes, axes, exponent));
  };
  add("although i restarts with each axis", [=](std::size_t, int j, int) { return j / pairs; });
  add("and i runs over all axes", [=](std::size_t, int, int i) { return i / pairs; });
}

/// Of M-RoPE, whose axes share the frequencies of the head.
void propose_own(const KindEdits& edits) {
  const auto type = edits.scaling_type();
  const auto base = number_at(edits.spec(), "rope_theta");
  const bool is_of_rule = !edits.scaling().is_null() && type != "default";
  if (edits.suspect.encoding().scheme() != "rope" || is_of_rule || !base) {
    return;
  }
  const auto& declared = edits.suspect.declared();
  std::vector<AxisOfPowers> axes(edits.suspect.positions().size());
  for (std::size_t i = 0; i < declared.tones.size(); ++i) {
    auto& axis = axes[static_cast<std::size_t>(declared.axes[i])];
    axis = {*base, declared.frequency(0), axis.pairs + 1};
  }
  edits.add("each axis has frequencies of its own, those of a head as wide as its section", variant_bits,
            powers_of_axes(declared.axes, axes, [&](std::size_t axis, int j, int) {
              return static_cast<double>(j) / axes[axis].pairs;
            }));
}

void propose_axes_of_frequencies(const KindEdits& edits) {
  if (edits.suspect.positions().size() < 2 ||
      edits.base.tones.size() != edits.suspect.declared().tones.size()) {
    return;
  }
  if (const auto axes = listed_axes(edits)) {
    propose_shared(edits, *axes);
  } else {
    propose_own(edits);
  }
}

}  // namespace

StageEdits shared_frequency_edits() {
  return {{"frequency/axes", propose_axes_of_frequencies}};
}

}  // namespace vernier
