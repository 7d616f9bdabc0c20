#include "reports/commands/catalogued_model.hpp"

#include <algorithm>

#include "reference/catalogue/catalogue.hpp"
#include "reference/input_error.hpp"
#include "reports/nearest_names.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t suggestions = 3;

std::string joined(const std::vector<std::string>& words, std::string_view last_separator) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result += (i == 0 ? "" : i + 1 == words.size() ? last_separator : ", ");
    result += words[i];
  }
  return result;
}

[[noreturn]] void refuse_unknown(const std::string& id) {
  std::vector<std::string> ids;
  for (const auto& model : catalogue()) {
    ids.push_back(model.id);
  }
  throw InputError("--model: found \"" + one_line(id) + "\", expected an id that `vernier list models` " +
                   "names; the nearest are " + joined(nearest_names(id, ids, suggestions), " and "));
}

const LayerSpec& layer_spec_of(const CatalogueModel& model, const std::string& layer) {
  const auto& all = model.layer_specs;
  if (all.empty()) {
    throw InputError("--model: found " + model.id + ", which has no spec (" + model.unspecified +
                     "), expected a model with one");
  }
  if (layer.empty() && all.size() == 1) {
    return all.front();
  }
  const auto found = std::ranges::find(all, layer, &LayerSpec::layers);
  if (found == all.end()) {
    std::vector<std::string> known;
    for (const auto& layer_spec : all) {
      known.push_back(layer_spec.layers);
    }
    throw InputError("--layer: found " + (layer.empty() ? std::string("none") : '"' + one_line(layer) + '"') +
                     ", expected " + joined(known, " or ") + ", the layers of " + model.id);
  }
  return *found;
}

}  // namespace

std::unique_ptr<Encoding> model_encoding(const std::string& id, const std::string& layer) {
  const auto* model = model_named(id);
  if (model == nullptr) {
    refuse_unknown(id);
  }
  return model->encoding(layer_spec_of(*model, layer));
}

}  // namespace vernier
