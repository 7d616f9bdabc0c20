#include "reference/configs/catalogue/catalogue.hpp"

#include <algorithm>
#include <utility>

#include "reference/json/json_tree.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::string_view file_name = "models.json";

LayerSpec read_layer_spec(const JsonValue& value, const std::string& where) {
  ObjectReader reader(value, std::string(file_name), where);
  LayerSpec result{.layers = reader.string("layers"), .spec = {}};
  reader.object("spec");
  result.spec = *value_at(value, "spec");
  reader.finish();
  return result;
}

ModelGrid read_grid(ObjectReader reader) {
  ModelGrid grid;
  for (const auto& length : read_exact_numbers(
           reader, "lengths", reader.array("lengths", "an array of integers"),
           [](const Rational& x) { return x >= 1 && denominator(x) == 1; }, "an integer from 1 on")) {
    grid.lengths.push_back(*as_integer(length));
  }
  grid.source = reader.string("source");
  reader.finish();
  return grid;
}

CatalogueModel read_model(ObjectReader reader) {
  CatalogueModel model;
  model.id = reader.string("id");
  model.name = reader.string("name");
  model.verified = reader.optional_boolean("verified").value_or(false);
  model.source = reader.string("source");
  model.note = reader.optional_string("note").value_or("");
  model.unspecified = reader.optional_string("unspecified").value_or("");
  if (auto grid = reader.optional_object("grid")) {
    model.grid = read_grid(*std::move(grid));
  }
  for (const auto& layer_spec : reader.array("specs", "an array of layers and their specs")) {
    model.layer_specs.push_back(read_layer_spec(layer_spec, model.id));
  }
  reader.finish();
  return model;
}

std::vector<CatalogueModel> read_catalogue() {
  const auto document = parse_json(catalogue_text(), std::string(file_name));
  ObjectReader reader(document, std::string(file_name), "");
  auto models = mapped(reader.objects("models", "an array of models"),
                       [&](auto& model) { return read_model(std::move(model)); });
  reader.finish();
  return models;
}

}  // namespace

std::unique_ptr<Encoding> CatalogueModel::encoding(const LayerSpec& layer_spec) const {
  return parse_spec(ObjectReader(layer_spec.spec, std::string(file_name), id));
}

std::span<const CatalogueModel> catalogue() {
  static const auto models = read_catalogue();
  return models;
}

const CatalogueModel* model_named(std::string_view id) {
  const auto models = catalogue();
  const auto found = std::ranges::lower_bound(models, id, {}, &CatalogueModel::id);
  return found != models.end() && found->id == id ? &*found : nullptr;
}

}  // namespace vernier
