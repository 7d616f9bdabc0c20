#include "reports/commands/spec_option.hpp"

#include <filesystem>
#include <limits>

#include "reference/catalogue/catalogue.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/input_error.hpp"
#include "reference/key_faults.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/nearest_names.hpp"
#include "reports/specs/catalogued_model.hpp"

namespace vernier {

std::string SpecOption::source() const {
  return model.empty() ? file : model_option + " " + model;
}

std::string SpecOption::name() const {
  return model.empty() ? std::filesystem::path(file).stem().string() : model;
}

void add_spec_option(ArgumentParser& command, SpecOption& option, const std::string& description) {
  command.add("--spec", option.file, description).named("FILE");
  add_model_options(command, option);
}

void add_model_options(ArgumentParser& command, SpecOption& option) {
  command.add("--model", option.model, "a model of the catalogue (vernier list models), in place of --spec")
      .named("ID")
      .usually([] { return names_of(catalogue(), &CatalogueModel::id); });
  command
      .add("--layer", option.layer,
           "where a model's layers differ: a kind of them, as sliding_attention or encoder, or for a "
           "config.json the number of one")
      .named("LAYER");
  command
      .add("--sequence-length", option.sequence_length,
           "the length of the sequence, where frequencies depend on it (dynamic NTK, LongRoPE), in place of "
           "the spec's")
      .named("N")
      .between(1, std::numeric_limits<int>::max());
}

namespace {

std::unique_ptr<Encoding> read_declared(const std::string& command, const SpecOption& option) {
  if (option.file.empty() == option.model.empty()) {
    throw InputError("{}: found {}, expected either --spec or --model", command,
                     option.given() ? "both" : "neither");
  }
  if (!option.model.empty()) {
    return model_encoding(option.model, option.layer, {.model = option.model_option});
  }
  const auto spec = read_spec(option.file, option.layer);
  return read_telling_all_faults(
      spec, [&](const JsonValue& document) { return parse_spec(ObjectReader(document, option.file, "")); });
}

/// The encoding for another length of the sequence.
std::unique_ptr<Encoding> with_sequence_length(const Encoding& encoding, const SpecOption& option) {
  auto spec = encoding.spec();
  if (!encoding.sequence_length() && !spec.contains("sequence_length")) {
    throw InputError("--sequence-length: found {}, expected none, as nothing in {} depends on it",
                     option.sequence_length, option.source());
  }
  spec["sequence_length"] = option.sequence_length;
  return parse_spec(spec.dump(), "--sequence-length");
}

}  // namespace

std::unique_ptr<Encoding> read_encoding(const std::string& command, const SpecOption& option) {
  auto encoding = read_declared(command, option);
  return option.sequence_length == 0 ? std::move(encoding) : with_sequence_length(*encoding, option);
}

std::unique_ptr<Encoding> read_table_encoding(const std::string& command, const SpecOption& option) {
  auto encoding = read_encoding(command, option);
  if (!encoding->has_plain_tables()) {
    throw InputError("{}: scheme: found \"{}\", expected one whose sines and cosines are all of one position",
                     option.source(), encoding->scheme());
  }
  return encoding;
}

}  // namespace vernier
