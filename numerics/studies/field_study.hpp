#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/searches/greatest_error.hpp"
#include "numerics/searches/repeated_rows.hpp"
#include "reference/tables/phases.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A recipe stored in a format, judged over the whole context of a model.
struct FieldEntry {
  std::string_view recipe;
  Format stored;
  GreatestError greatest;
  std::optional<std::int64_t> first_unusable;  ///< the first position off by more than usable_error
  double drift = 0;                            ///< see score_drift(); NaN where a score is no number
  RepeatedRows repeated;                       ///< among the first most_rows_compared positions
};

/// The layers of a model, by their type where types differ.
struct FieldModel {
  std::string id;
  std::string name;
  std::string layers;
  bool verified = false;
  std::int64_t context = 0;  ///< that its configuration declares; less of it may have been judged
};

/// One rotation, the models that use it, and how each recipe does on all of its positions.
struct FieldEncoding {
  TrigTable table;
  std::string summary;
  std::int64_t positions = 0;  ///< the context: 0 .. positions - 1
  std::vector<FieldModel> models;
  std::vector<FieldEntry> entries;
};

/// What an element may be off by and still serve, as a share of the amplitude: an ulp of bfloat16 below 1,
/// twice what storing a perfect table in bfloat16 costs.
inline constexpr double usable_error = 0x1p-8;

/// Rows are compared among so many positions at most.
inline constexpr std::int64_t most_rows_compared = std::int64_t{1} << 20;

/// Every RoPE model of the catalogue whose context is stated, by encoding, judged with the recipes that
/// people run. \param limit only positions below it \param progress told one phase
std::vector<FieldEncoding> study_field(std::int64_t limit, unsigned threads, const PhaseListener& progress);

/// A model of images or video, and how each recipe does on its grid.
struct FieldGrid {
  std::string id;
  bool verified = false;
  std::vector<std::int64_t> lengths;  ///< of its axes
  std::string source;                 ///< of the lengths
  /// Of the axis on which the recipe is worst; without drift and repeated rows.
  std::vector<FieldEntry> entries;
};

/// Every model of the catalogue that states its grid, judged with the same recipes on each axis from 0 on.
std::vector<FieldGrid> study_grids(unsigned threads, const PhaseListener& progress);

/// The entry of a recipe in a format. \param entries of an encoding or a grid
const FieldEntry& field_entry(const std::vector<FieldEntry>& entries, std::string_view recipe, Format stored);
const FieldEntry& field_entry(const FieldEncoding& encoding, std::string_view recipe, Format stored);

}  // namespace vernier
