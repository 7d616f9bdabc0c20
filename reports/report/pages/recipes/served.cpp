#include "reports/report/pages/recipes/served.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "reports/exchange/atlas/atlas.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/models/configuration.hpp"

namespace vernier {

std::vector<Served> served(const std::vector<FieldEncoding>& field) {
  std::vector<Served> result;
  for (std::size_t i = 0; !field.empty() && i < field.front().entries.size(); ++i) {
    Served one{field.front().entries[i].recipe, field.front().entries[i].stored};
    for (const auto& encoding : field) {
      const auto& entry = encoding.entries[i];
      const auto models = static_cast<std::int64_t>(encoding.models.size());
      one.all += models;
      one.served += entry.first_unusable ? 0 : models;
      one.repeating += entry.repeated.first ? models : 0;
      if (entry.repeated.first && (!one.first_repeated || *entry.repeated.first < *one.first_repeated)) {
        one.first_repeated = entry.repeated.first;
      }
    }
    result.push_back(one);
  }
  return result;
}

std::optional<Served> served_in_float32(const std::vector<FieldEncoding>& field, std::string_view recipe) {
  for (const auto& one : served(field)) {
    if (one.recipe == recipe && one.stored == Format::binary32) {
      return one;
    }
  }
  return std::nullopt;
}

std::string_view class_of(const std::optional<Served>& served) {
  return !served ? "none" : served->serves_all() ? "good" : served->serves_none() ? "bad" : "neutral";
}

std::string headline_of_recipes(const std::vector<FieldEncoding>& field) {
  const auto all = served(field);
  const auto longest = std::ranges::max(field, {}, &FieldEncoding::positions).positions;
  const bool cut = std::ranges::any_of(configurations(field), is_cut);
  const auto where =
      cut ? fmt::format("up to position {}", count_text(longest - 1)) : std::string("to the end");
  const auto serving = std::ranges::count_if(all, &Served::serves_all);
  return fmt::format(
      "{} of the {} ways that models are judged with {} within a step of bfloat16 in all {} model "
      "configurations {}, {} in none",
      serving, all.size(), serving == 1 ? "stays" : "stay", all.front().all, where,
      std::ranges::count_if(all, &Served::serves_none));
}

std::string judged_ways(const std::vector<FieldEncoding>& field) {
  const auto all = served(field);
  const auto plain = std::ranges::count(all, Format::binary32, &Served::stored);
  const auto& atlas = built_in_atlas().rotations;
  return fmt::format(
      "A way is a recipe and the format that stores its table. Models are judged with {} ways: {} of {} "
      "recipes "
      "that store float32, and {} ways that store other formats.{}",
      all.size(), plain, recipes().size(), std::ssize(all) - plain,
      atlas.empty() ? "" : fmt::format(" The atlas has {} ways.", atlas.front().kinds.size()));
}

}  // namespace vernier
