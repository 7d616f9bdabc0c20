#include "reports/command/sweep_options.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/common_options.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/positions.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// A model has its own spec option, with the layer and the length of all.
std::vector<SpecOption> specs_of(const std::string& command, const SweepOptions& options) {
  if (options.models.empty()) {
    return {options.spec};
  }
  refuse_if(options.spec.given(), "{}: found --models and {}, expected one of them", command,
            options.spec.model.empty() ? "--spec" : "--model");
  std::vector<SpecOption> result;
  for (const auto& model : options.models) {
    result.push_back(options.spec);
    result.back().model = model;
    result.back().model_option = "--models";
  }
  return result;
}

/// \throws InputError if something is named twice
void require_once(const std::string& option, std::vector<std::string> words) {
  std::ranges::sort(words);
  if (const auto twice = std::ranges::adjacent_find(words); twice != words.end()) {
    throw InputError("{}: found \"{}\" twice, expected it once", option, one_line(*twice));
  }
}

}  // namespace

std::vector<NamedSweepPlan> read_sweep_plans(const std::string& command, const SweepOptions& options) {
  require_once("--models", options.models);
  require_once("--recipes", options.recipes);
  require_once("--formats", options.dtypes);
  const auto positions = parse_positions(options.positions, "--positions");
  std::vector<NamedSweepPlan> plans;
  for (const auto& spec : specs_of(command, options)) {
    for (const auto& id : options.recipes) {
      const auto& recipe = read_recipe(id);
      auto formats =
          mapped(options.dtypes, [&](const auto& dtype) { return *traits(read_dtype(dtype)).format; });
      if (formats.empty()) {
        formats.push_back(recipe.compute());
      }
      for (const auto stored : formats) {
        plans.push_back(
            {fmt::format("{}, {}, {}", spec.name(), recipe.id, traits(stored).name),
             {read_table_encoding(command, spec), &recipe, stored,
              &read_contract(options.contract.empty() ? recipe.contract : options.contract), positions}});
      }
    }
  }
  return plans;
}

}  // namespace vernier
