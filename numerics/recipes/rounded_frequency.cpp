#include "numerics/recipes/recipes.hpp"
#include "reference/input_error.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

/// The exact frequency, rounded once: as good as a float32 frequency can be.
std::unique_ptr<PhaseRule> prepare_rounded_frequency(const RecipeFrequencies& wanted) {
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    // An algebraic frequency can be an exact tie; tight_enclosure's middle then serves as well as either
    // neighbour.
    const Real frequency = [&] { return wanted.exact().at(pair); };
    const auto decided = correctly_rounded(Format::binary32, frequency, 512);
    result.push_back(decided ? *decided
                             : round_to(Format::binary32, tight_enclosure(frequency).approximately()));
  }
  return std::make_unique<ProductPhases>(Format::binary32, std::move(result));
}

}  // namespace

Recipe float32_rounded_frequency() {
  return {"float32-rounded-frequency",
          "the exact frequency rounded once to float32, then float32: frequencies made offline",
          Format::binary32, "float32", prepare_rounded_frequency};
}

}  // namespace vernier
