#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/studies/field_study.hpp"

namespace vernier {

/// What people compute tables with: 1 / base^(2i/d), and all else, in float32.
inline constexpr std::string_view usual_recipe = "float32-pow";
/// The best that float32 phases can do: exact frequencies, rounded once.
inline constexpr std::string_view best_float32_recipe = "float32-rounded-frequency";
/// Phases in float64.
inline constexpr std::string_view wide_recipe = "float64-pow";

/// A model, or the layers of one kind where its layers differ, with the rotation they use.
struct Configuration {
  const FieldEncoding* encoding;
  const FieldModel* model;
  std::string page = {};  ///< its model's, which models with the same rotations and contexts share
  /// Of its model: of all spellings of a family that with the most capitals, "GLM" where others write "glm".
  std::string family = {};
};

/// All of them, by id, then by layers.
std::vector<Configuration> configurations(const std::vector<FieldEncoding>& field);

/// What a configuration needs so that its table serves over all positions that were examined.
enum class Need { usual_table, exact_frequencies, wide_phase, unknown };

Need need_of(const std::vector<FieldEntry>& entries);
Need need_of(const FieldEncoding& encoding);
/// How many configurations have a need.
std::int64_t with_need(const std::vector<Configuration>& all, Need need);

/// What pages.json says of it: "tag", what stands for it in a list; "class", the colour of the tag: "good",
/// "neutral" or "bad"; "advice", one sentence: which recipe to use.
std::string_view text_of(Need need, const char* key);

/// The same of a configuration, which the usual table may serve no farther than was examined.
std::string_view text_of_need(const Configuration& configuration, const char* key);

/// The recipe to use: the cheapest that serves; the best there is where none does.
std::string_view recipe_of(Need need);

/// The last position up to which a recipe serves, of those that were examined; -1 if it serves none.
std::int64_t last_usable(const FieldEncoding& encoding, const FieldEntry& entry);

/// How many positions from 0 on are right: "all 4096", or those before the first that is not.
std::string reach_text(const FieldEncoding& encoding, const FieldEntry& entry);

/// Whether the context is longer than what was examined of it.
bool is_cut(const Configuration& configuration);

/// "llama-3.1-8b", or "gemma-3-4b, sliding attention".
std::string name_of(const Configuration& configuration);

/// "sliding attention", what its layers are called; "all" where all are alike.
std::string layers_of(const FieldModel& model);
/// The family that a model's name begins with, as its publisher spells it: "Qwen", "DeepSeek".
std::string family_of(const FieldModel& model);

/// The page of a model that is the first on it: "model-llama-3-1-8b.html".
std::string page_of(std::string_view model_id);

/// The options of a command that choose the configuration: "--model gemma-3-4b --layer sliding_attention".
std::string choice_of(const Configuration& configuration);

/// Its place on the page on which points are tried: "gemma-3-4b-sliding-attention".
std::string point_anchor(const Configuration& configuration);

/// A word as part of a file's name: lower-case letters, digits and hyphens.
std::string file_word(std::string_view text);

/// How far a configuration's usual table carries and what to use, in one sentence or two.
std::string finding_of(const Configuration& configuration);

}  // namespace vernier
