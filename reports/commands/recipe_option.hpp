#pragma once

#include <string>

#include "numerics/recipes/recipe.hpp"
#include "reports/commands/argument_parser.hpp"

namespace vernier {

/// Declares --recipe. \param id what is read goes there \param description what it is for, in the manual
Argument add_recipe_option(ArgumentParser& command, std::string& id, const std::string& description);

/// The recipe that --recipe names. \throws InputError for a word that names none
const Recipe& read_recipe(const std::string& id);

}  // namespace vernier
