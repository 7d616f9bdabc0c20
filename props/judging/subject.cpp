#include "props/judging/subject.hpp"

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

LawTarget reference_by(LawTarget::Nature nature, std::string id, std::string description) {
  LawTarget subject{.id = std::move(id), .description = std::move(description), .nature = nature};
  subject.domain.has_real_positions = true;
  subject.coverage = {{"", 1}, {"beyond 2^16", 0.15}};
  return subject;
}

/// Positions up to the last integer before the first that the format cannot hold, and no further than the
/// reference goes.
std::int64_t last_exact_integer(Format format) {
  return std::min(largest_position, std::int64_t{1} << traits(format).precision);
}

LawTarget recipe_subject(const Recipe& recipe, Format stored) {
  LawTarget subject{
      .id = std::string(recipe.id) + "." + std::string(traits(stored).name),
      .description = std::string(recipe.description) + "; stored as " + std::string(traits(stored).name),
      .contract = recipe.contract,
      .positions = recipe.compute(),
      .stored = stored};
  subject.domain.highest_position = last_exact_integer(recipe.compute());
  subject.domain.lowest_position = -subject.domain.highest_position;
  subject.table = [&recipe, stored](const SinusoidalSpec& spec) {
    return std::make_unique<RecipeTable>(recipe, spec.table(), stored);
  };
  subject.rotation = [&recipe, stored](const RopeSpec& spec) {
    return std::make_unique<RecipeRotation>(recipe, spec, stored);
  };
  const auto back = [&recipe, stored](RotationOperation operation) {
    return [&recipe, stored, operation](RopeSpec spec) {
      spec.operation = operation;
      return std::make_unique<RecipeRotation>(recipe, std::move(spec), stored);
    };
  };
  subject.gradient = back(RotationOperation::transpose);
  subject.inverse = back(RotationOperation::inverse);
  subject.coverage = {{"", 0.25}};
  if (recipe.compute() == Format::binary64) {
    subject.coverage.push_back({"beyond 2^16", 0.15});
  }
  return subject;
}

}  // namespace

std::string to_string(const LawDomain& domain) {
  std::string text = "positions " + std::to_string(domain.lowest_position) + " .. " +
                     std::to_string(domain.highest_position);
  if (domain.sinusoidal) {
    return text + ", " + domain.sinusoidal->summary();
  }
  if (domain.rope) {
    return text + ", " + domain.rope->summary();
  }
  return text + ", dimensions " + std::to_string(domain.smallest_dimension) + " .. " +
         std::to_string(domain.largest_dimension) + ", bases 2 .. " + std::to_string(domain.largest_base);
}

std::vector<LawTarget> subjects() {
  std::vector<LawTarget> result;
  result.push_back(reference_by(LawTarget::Nature::reference, "reference",
                                "the mathematics, every entry by itself as a 192-bit interval"));
  result.push_back(reference_by(LawTarget::Nature::certified_table, "certified-table",
                                "the certified table: angle addition from double-double seeds"));
  for (const auto& recipe : recipes()) {
    std::ranges::move(subjects_of(recipe), std::back_inserter(result));
  }
  return result;
}

std::vector<LawTarget> subjects_of(const Recipe& recipe) {
  // One that narrows is held to the budgets of the narrower format, in which laws would say little of it.
  return recipe.narrowed()
             ? std::vector<LawTarget>()
             : mapped(storage_formats(recipe), [&](Format stored) { return recipe_subject(recipe, stored); });
}

}  // namespace vernier
