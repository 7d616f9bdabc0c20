#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/searches/catalogued_rotations.hpp"
#include "numerics/searches/usable_context.hpp"
#include "reference/tables/phases.hpp"

namespace vernier {

/// One rotation in the atlas.
struct AtlasRotation {
  std::string summary;
  std::vector<std::string> models;
  int pairs = 0;
  std::optional<NearestQuarterTurn> nearest;
  std::vector<UsableContext> kinds;  ///< every recipe in every format that it is stored in

  /// That of a recipe in a format, or null.
  const UsableContext* of(std::string_view recipe, Format stored) const;
};

/// Whether some element is off by so much that only a budget that proves nothing allows it.
bool is_beyond_judgement(const UsableContext& one);

/// How far rotations can be used, recipe by recipe and format by format, over all positions from 0 to 2^31
/// - 1.
struct Atlas {
  std::string program;    ///< that computed it (build_description)
  std::string c_library;  ///< whose functions the recipes computed with
  SingleSineErrors sines;
  std::vector<LeftOut> left_out;
  std::size_t planned = 0;  ///< rotations, of which not all may be there yet
  std::vector<AtlasRotation> rotations;

  bool is_complete() const { return rotations.size() == planned; }
  /// The claims that neither a proof nor an element decides.
  std::size_t undecided() const;
};

/// The document in the form of atlas.schema.json, a line for each recipe and format.
std::string atlas_text(const Atlas& atlas);
/// Reads one. \param source its name \throws InputError
Atlas read_atlas(std::string_view text, const std::string& source);

/// The atlas of all catalogued rotations that is part of the program: atlas.json.
const Atlas& built_in_atlas();

struct AtlasOptions {
  std::filesystem::path file = {};  ///< to write it to, from time to time; empty: none
  unsigned threads = 1;
  bool looks_at_sines = true;  ///< else those of the built-in atlas are taken, if it has the same C library
  PhaseListener progress = {};
};

/// Computes an atlas. If the file holds what an unfinished run of this program left, that is not computed
/// again. \return nothing if it was interrupted; what was done is in the file
std::optional<Atlas> make_atlas(const CataloguedRotations& wanted, const AtlasOptions& options);

/// The atlas in words: for each rotation a line a recipe and format.
std::string atlas_words(const Atlas& atlas);

}  // namespace vernier
