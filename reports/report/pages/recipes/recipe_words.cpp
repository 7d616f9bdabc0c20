#include "reports/report/pages/recipes/recipe_words.hpp"

#include "reports/report/pages/page_texts.hpp"

namespace vernier {
std::string recipe_words(std::string_view recipe) {
  return page_texts().at("recipe words").value(std::string(recipe), std::string(recipe));
}

std::string recipe_words(std::string_view recipe, Format stored) {
  const auto text = recipe_words(recipe);
  return stored == Format::binary32 ? text : text + ", stored in " + std::string(traits(stored).name);
}

std::string recipe_page_file(std::string_view recipe) {
  return "recipe-" + std::string(recipe) + ".html";
}

}  // namespace vernier
