#include "numerics/studies/accuracy_study.hpp"

#include <algorithm>
#include <cassert>
#include <memory>

#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

std::vector<TableStudy> tables() {
  std::vector<TableStudy> result;
  const SinusoidalSpec transformer{.d_model = 512};
  result.push_back({"sinusoidal-512", "Sinusoidal, d_model 512, base 10000", transformer.table(), 5000, {}});
  for (const int base : {10000, 500000}) {
    const RopeEncoding rope({.head_dim = 128, .rope_theta = base});
    result.push_back({"rope-128-" + std::to_string(base),
                      "RoPE, head_dim 128, base " + std::to_string(base),
                      joint_table(rope),
                      131072,
                      {}});
  }
  return result;
}

void audit_all_recipes(TableStudy& study, unsigned threads, const PhaseListener& progress) {
  std::vector<std::unique_ptr<RecipeTable>> implementations;
  std::vector<Subject> subjects;
  for (const auto& recipe : studied_recipes()) {
    for (const auto stored : storage_formats(recipe)) {
      implementations.push_back(std::make_unique<RecipeTable>(recipe, study.table, stored));
      subjects.push_back(
          {implementations.back().get(), contract_named(recipe.contract)->bind(study.table, stored)});
      study.entries.push_back({recipe.id, recipe.contract, recipe.compute(), stored, {}});
    }
  }
  progress.begin("auditing " + study.title, static_cast<std::uint64_t>(study.positions));
  auto reports = audit(study.table, subjects, {0, 1, study.positions},
                       {.threads = threads, .heartbeat = [&](std::int64_t rows) {
                          progress.advance(static_cast<std::uint64_t>(rows));
                        }});
  for (std::size_t i = 0; i < reports.size(); ++i) {
    study.entries[i].report = std::move(reports[i]);
  }
}

}  // namespace

std::vector<Recipe> studied_recipes() {
  return filtered(recipes(), [](const Recipe& recipe) { return !recipe.narrowed(); });
}

std::vector<TableStudy> study_accuracy(std::int64_t limit, unsigned threads, const PhaseListener& progress) {
  auto studies = tables();
  for (auto& study : studies) {
    study.positions = std::min(study.positions, limit);
    audit_all_recipes(study, threads, progress);
  }
  return studies;
}

const StudyEntry& native_entry(const TableStudy& study, std::string_view recipe) {
  const auto found = std::ranges::find_if(study.entries, [&](const auto& entry) {
    return entry.recipe == recipe && entry.stored == entry.compute;
  });
  assert(found != study.entries.end());
  return *found;
}

}  // namespace vernier
