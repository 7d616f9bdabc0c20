#include "reports/words/specs/catalogued_model.hpp"

#include <algorithm>
#include <cctype>

#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// The last part of a name, its letters in lower case and its digits: "llama318b" of
/// "meta-llama/Llama-3.1-8B".
std::string plain_name(std::string_view name) {
  std::string result;
  for (const unsigned char letter : name.substr(name.rfind('/') + 1)) {
    if (std::isalnum(letter) != 0) {
      result += static_cast<char>(std::tolower(letter));
    }
  }
  return result;
}

/// The model of this id, or the only one that its publishers, or a hub, call so.
const CatalogueModel* model_called(const std::string& name) {
  if (const auto* model = model_named(name)) {
    return model;
  }
  const auto plain = plain_name(name);
  const CatalogueModel* found = nullptr;
  for (const auto& model : catalogue()) {
    if (plain_name(model.id) == plain || plain_name(model.name) == plain) {
      if (found != nullptr) {
        return nullptr;
      }
      found = &model;
    }
  }
  return found;
}

/// \throws InputError for a name that the catalogue has not
const CatalogueModel& known_model(const std::string& name, const ChoiceWords& words) {
  const auto* model = model_called(name);
  if (model == nullptr) {
    throw InputError("{}: {} (vernier list models)", words.model,
                     not_among(name, names_of(catalogue(), &CatalogueModel::id)));
  }
  return *model;
}

const LayerSpec& layer_spec_of(const CatalogueModel& model, const std::string& layer,
                               const ChoiceWords& words) {
  const auto& all = model.layer_specs;
  refuse_if(all.empty(), "{}: found {}, which has no spec ({}), expected a model with one", words.model,
            model.id, model.unspecified);
  if (layer.empty() && all.size() == 1) {
    return all.front();
  }
  const auto found = std::ranges::find(all, layer, &LayerSpec::layers);
  refuse_if(found == all.end(), "{}: found {}, expected {}, the layers of {}", words.layer,
            layer.empty() ? "none" : '"' + one_line(layer) + '"', joined(all, &LayerSpec::layers, " or "),
            model.id);
  return *found;
}

}  // namespace

std::unique_ptr<Encoding> model_encoding(const std::string& id, const std::string& layer,
                                         const ChoiceWords& words) {
  const auto& model = known_model(id, words);
  return model.encoding(layer_spec_of(model, layer, words));
}

UnderstoodConfig catalogued_config(const std::string& id, const ChoiceWords& words) {
  const auto& model = known_model(id, words);
  UnderstoodConfig result;
  result.groups = mapped(model.layer_specs, [&](const LayerSpec& one) -> UnderstoodConfig::Group {
    return {.kind = one.layers == "all" ? "" : one.layers, .layers = {}, .spec = one.spec};
  });
  if (!model.unspecified.empty()) {
    result.unencoded.push_back({.kind = "", .layers = {}, .why = model.unspecified});
  }
  if (!model.note.empty()) {
    result.remarks.push_back(model.note);
  }
  return result;
}

}  // namespace vernier
