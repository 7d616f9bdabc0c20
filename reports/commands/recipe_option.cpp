#include "reports/commands/recipe_option.hpp"

#include <algorithm>

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/input_error.hpp"
#include "reference/word_list.hpp"
#include "reports/nearest_names.hpp"
#include "reports/value_text.hpp"

namespace vernier {

Argument add_recipe_option(ArgumentParser& command, std::string& id, const std::string& description) {
  auto argument = command.add("--recipe", id, description);
  argument.named("RECIPE").usually([] { return names_of(recipes(), &Recipe::id); });
  return argument;
}

const Recipe& read_recipe(const std::string& id) {
  const auto found = std::ranges::find(recipes(), id, &Recipe::id);
  if (found == recipes().end()) {
    throw InputError("--recipe: found \"{}\", expected one of {}", one_line(id),
                     joined(recipes(), &Recipe::id));
  }
  return *found;
}

}  // namespace vernier
