#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/audit/range_audit.hpp"
#include "numerics/recipes/recipe.hpp"
#include "reference/tables/phases.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// One recipe stored in one format, judged over a whole table.
struct StudyEntry {
  std::string_view recipe;
  std::string_view contract;
  Format compute;
  Format stored;
  AuditReport report;
};

/// A table people use, and how each recipe does on every element of it.
struct TableStudy {
  std::string id;     ///< "sinusoidal-512"
  std::string title;  ///< "Sinusoidal, d_model 512, base 10000"
  TrigTable table;
  std::int64_t positions;  ///< 0 .. positions - 1, all of them
  std::vector<StudyEntry> entries;
};

/// The recipes of the study: those that compute in one format throughout. The others are judged on every
/// model (field_study.hpp).
std::vector<Recipe> studied_recipes();

/// Audits each of them in every storage format, exhaustively, over the tables the accuracy page shows: the
/// Transformer's own and two RoPE tables to position 131072.
/// \param limit only positions below it, in every table
/// \param progress told a phase for each table, whose steps are positions
std::vector<TableStudy> study_accuracy(std::int64_t limit, unsigned threads, const PhaseListener& progress);

/// The entry of a recipe in its own compute format.
const StudyEntry& native_entry(const TableStudy& study, std::string_view recipe);

}  // namespace vernier
