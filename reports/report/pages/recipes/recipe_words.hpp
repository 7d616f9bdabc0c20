#pragma once

#include <string>
#include <string_view>

#include "reference/numbers/format.hpp"

namespace vernier {

/// A recipe in a few words, for charts and lists: "phase in float64"; its id where there are none for it.
std::string recipe_words(std::string_view recipe);

/// The same of a table stored in a format: "1/pow in float32, stored in bfloat16". A float32 table is the
/// usual case and not told.
std::string recipe_words(std::string_view recipe, Format stored);

/// The page of a recipe: "recipe-float32-pow.html".
std::string recipe_page_file(std::string_view recipe);

}  // namespace vernier
