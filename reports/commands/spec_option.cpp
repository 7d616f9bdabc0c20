#include "reports/commands/spec_option.hpp"

#include <filesystem>

#include "reference/catalogue/catalogue.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/input_error.hpp"
#include "reference/key_faults.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/nearest_names.hpp"
#include "reports/specs/catalogued_model.hpp"

namespace vernier {

std::string SpecOption::source() const {
  return model.empty() ? file : "--model " + model;
}

std::string SpecOption::name() const {
  return model.empty() ? std::filesystem::path(file).stem().string() : model;
}

void add_spec_option(ArgumentParser& command, SpecOption& option, const std::string& description) {
  command.add("--spec", option.file, description).named("FILE");
  command.add("--model", option.model, "a model of the catalogue (vernier list models), in place of --spec")
      .named("ID")
      .usually([] { return names_of(catalogue(), &CatalogueModel::id); });
  command
      .add("--layer", option.layer,
           "where a model's layers differ: a kind of them, as sliding_attention or encoder, or for a "
           "config.json the number of one")
      .named("LAYER");
}

std::unique_ptr<Encoding> read_encoding(const std::string& command, const SpecOption& option) {
  if (option.file.empty() == option.model.empty()) {
    throw InputError("{}: found {}, expected either --spec or --model", command,
                     option.given() ? "both" : "neither");
  }
  if (!option.model.empty()) {
    return model_encoding(option.model, option.layer);
  }
  const auto spec = read_spec(option.file, option.layer);
  return read_telling_all_faults(
      spec, [&](const JsonValue& document) { return parse_spec(ObjectReader(document, option.file, "")); });
}

std::unique_ptr<Encoding> read_table_encoding(const std::string& command, const SpecOption& option) {
  auto encoding = read_encoding(command, option);
  if (!encoding->has<TrigTable>()) {
    throw InputError("{}: scheme: found \"{}\", expected a scheme with tables of sines and cosines",
                     option.source(), encoding->scheme());
  }
  return encoding;
}

}  // namespace vernier
