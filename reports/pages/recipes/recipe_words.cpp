#include "reports/pages/recipes/recipe_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vernier {
namespace {

using Words = std::pair<std::string_view, std::string_view>;

constexpr std::array recipe_wordings{
    Words{"float64-pow", "phase in float64"},
    Words{"float32-rounded-frequency", "exact frequencies, float32"},
    Words{"float32-pow", "1/pow in float32 (Hugging Face)"},
    Words{"float32-exp-log", "exp(log) in float32 (fairseq)"},
    Words{"float32-reciprocal-exp", "1/exp in float32"},
    Words{"float64-phase", "frequencies in float32, phases in float64"},
    Words{"float32-iterated", "multiplied along in float32 (ggml)"},
    Words{"float32-ratio-power", "powers of a ratio in float32 (ggml, GPU)"},
    Words{"float32-interpolated", "interpolated exponent in float32 (MLX)"},
    Words{"float16-frequency", "frequencies cast to float16"},
    Words{"bfloat16-frequency", "frequencies cast to bfloat16"},
    Words{"float16-position", "positions cast to float16"},
    Words{"bfloat16-position", "positions cast to bfloat16"},
    Words{"float16-throughout", "everything in float16"},
    Words{"bfloat16-throughout", "everything in bfloat16"},
};

}  // namespace

std::string recipe_words(std::string_view recipe) {
  const auto* const found = std::ranges::find(recipe_wordings, recipe, &Words::first);
  return std::string(found == recipe_wordings.end() ? recipe : found->second);
}

std::string recipe_words(std::string_view recipe, Format stored) {
  const auto text = recipe_words(recipe);
  return stored == Format::binary32 ? text : text + ", stored in " + std::string(traits(stored).name);
}

std::string recipe_page_file(std::string_view recipe) {
  return "recipe-" + std::string(recipe) + ".html";
}

}  // namespace vernier
