// Frequencies as programs compute them in 16 bits, by every order of operations that there is a row of; alone,
// or with positions and phases in the same format.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "numerics/program/program.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// What is computed in one format beside the frequencies.
struct Throughout {
  std::string_view what;
  std::string_view kind;
  double more_bits;
  bool places;
  bool phases;
};
constexpr std::array all_throughout{
    Throughout{"the frequencies", "frequency/format", 0, false, false},
    Throughout{"positions and frequencies", "frequency/format", 1, true, false},
    Throughout{"frequencies and phases", "phase/format", 1, false, true},
    Throughout{"positions, frequencies and phases", "phase/format", 1, true, true},
};

/// What each order of operations gives in a format, of those that give the same one.
std::vector<std::vector<double>> frequencies_computed_in(Format format, const Frequencies& meant) {
  program::Program orders{{format}, program::ways_that_end(program::Stage::exponent)};
  std::ranges::copy(program::ways_that_end(program::Stage::order), std::back_inserter(orders.ways));
  std::vector<std::vector<double>> result;
  for (const auto& order : sequences(orders, program::Stage::exponent, program::Stage::order)) {
    if (auto found = program::frequencies_of({orders.in, order}, meant)) {
      add_once(result, *std::move(found));
    }
  }
  return result;
}

void propose_computed(const KindEdits& edits) {
  if (!edits.is_thorough || !edits.base.meant) {
    return;
  }
  const double scale = approximately(edits.base.meant->scale());
  for (const auto& narrowing : narrowings()) {
    if (narrowing.is_cut || narrowing.bits != traits(narrowing.range).precision) {
      continue;  // no program computes in it
    }
    const auto all = frequencies_computed_in(narrowing.range, *edits.base.meant);
    for (const auto& frequencies : all) {
      for (const auto& one : all_throughout) {
        if (one.kind != edits.kind.id) {
          continue;
        }
        edits.add(fmt::format("{} are computed in {}", one.what, narrowing.name),
                  variant_bits + one.more_bits + std::log2(static_cast<double>(all.size())),
                  [&](Computation& computation) {
                    computation.set_frequencies([&](std::size_t i) -> long double {
                      return frequencies[static_cast<std::size_t>(computation.meant_of_pair[i])] * scale *
                             computation.place_size(i);
                    });
                    if (one.places) {
                      computation.place_format = narrowing;
                    }
                    if (one.phases) {
                      computation.phase_format = narrowing;
                    }
                  });
      }
    }
  }
}

}  // namespace

StageEdits program_edits() {
  return {{"frequency/format", propose_computed}, {"phase/format", propose_computed}};
}

}  // namespace vernier
