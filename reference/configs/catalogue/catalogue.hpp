#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The positional encoding of some of a model's layers.
struct LayerSpec {
  /// "all", or the layers' type in the words of the model's configuration: "full_attention",
  /// "sliding_attention", "encoder".
  std::string layers;
  JsonValue spec;
};

/// The positions that a model of images or video runs.
struct ModelGrid {
  std::vector<std::int64_t> lengths;  ///< how many along each axis of its spec
  std::string source;                 ///< what says so
};

/// A published model, and what its positions are supposed to be.
struct CatalogueModel {
  std::string id;    ///< what the command calls it: "llama-3.1-8b"
  std::string name;  ///< what its publishers call it: "meta-llama/Meta-Llama-3.1-8B"
  /// Whether its configuration was read in `source` as it was published; else it was edited there, is
  /// another project's table, or was written from memory.
  bool verified = false;
  std::string source;       ///< "repository:path@commit", or what stands in for one
  std::string note;         ///< what a reader of the spec should know; may be empty
  std::string unspecified;  ///< what no spec says, and why: the values of a learned table; may be empty
  std::optional<ModelGrid> grid = std::nullopt;
  std::vector<LayerSpec> layer_specs;  ///< none where `unspecified` is all there is

  /// The encoding of one of its layer specs.
  std::unique_ptr<Encoding> encoding(const LayerSpec& layer_spec) const;
};

/// All models known, sorted by id: models.json, read once.
std::span<const CatalogueModel> catalogue();

/// The model with this id, or null.
const CatalogueModel* model_named(std::string_view id);

/// models.json as it stands.
std::string catalogue_text();

}  // namespace vernier
