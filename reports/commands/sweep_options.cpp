#include "reports/commands/sweep_options.hpp"

#include <algorithm>
#include <string_view>

#include "reference/input_error.hpp"
#include "reference/threads.hpp"
#include "reports/commands/dtype_option.hpp"
#include "reports/commands/positions_option.hpp"
#include "reports/commands/recipe_option.hpp"
#include "reports/nearest_names.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

Format stored_format(const SweepOptions& options, const Recipe& recipe) {
  return options.dtype.empty() ? recipe.compute : *traits(read_dtype(options.dtype)).format;
}

const Contract& contract_of(const SweepOptions& options, const Recipe& recipe) {
  const auto id = options.contract.empty() ? recipe.contract : std::string_view(options.contract);
  const auto* contract = contract_named(id);
  if (contract == nullptr) {
    throw InputError("--contract: found \"{}\", expected one that `vernier list contracts` names",
                     one_line(options.contract));
  }
  return *contract;
}

}  // namespace

Argument add_sweep_options(ArgumentParser& command, SweepOptions& options) {
  options.threads = available_threads();
  add_spec_option(command, options.spec, "a spec file, or a model's config.json");
  add_recipe_option(command, options.recipe, "how the table is computed (vernier list recipes)").required();
  command.add("--positions", options.positions, "A:B or A:B:STEP, B not included; numbers may be written 2^N")
      .named("A:B")
      .required();
  command
      .add("--dtype", options.dtype,
           "the format it is stored in: float64, float32, float16, bfloat16 or a float8 type; default the "
           "recipe's")
      .named("TYPE")
      .usually(stored_formats);
  command
      .add("--contract", options.contract,
           "the contract to hold it to (vernier list contracts); default the recipe's")
      .named("CONTRACT")
      .usually([] { return names_of(contracts(), &Contract::id); });
  auto state = command.add("--state", options.state,
                           "a folder for what is done: a sweep that was ended goes on from there");
  state.named("DIR");
  command.add("--threads", options.threads, "how many threads work; the result does not depend on it")
      .between(1U, 1024U);
  command.add_flag("-q,--quiet", options.quiet, "no progress on standard error");
  return state;
}

SweepPlan read_sweep_plan(const std::string& command, const SweepOptions& options) {
  SweepPlan plan;
  plan.recipe = &read_recipe(options.recipe);
  plan.stored = stored_format(options, *plan.recipe);
  plan.contract = &contract_of(options, *plan.recipe);
  plan.positions = parse_positions(options.positions, "--positions");
  plan.encoding = read_table_encoding(command, options.spec);
  return plan;
}

}  // namespace vernier
