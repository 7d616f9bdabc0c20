#include "reports/command/spec_option.hpp"

#include <filesystem>

#include "numerics/tensors/spec_tensors.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/schemes/guessed_keys.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/file_kind.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/specs/catalogued_model.hpp"
#include "reports/words/specs/sequence_length.hpp"

namespace vernier {

std::string SpecOption::name() const {
  return model.empty() ? std::filesystem::path(file).stem().string() : model;
}

void add_spec_option(ArgumentParser& command, SpecOption& option) {
  command.add("--spec", option.file);
  add_model_options(command, option);
}

void add_model_options(ArgumentParser& command, SpecOption& option) {
  command.add("--model", option.model);
  command.add("--layer", option.layer);
  command.add("--sequence-length", option.sequence_length);
}

namespace {

std::unique_ptr<Encoding> read_declared(const std::string& command, const SpecOption& option) {
  refuse_if(option.file.empty() == option.model.empty(), "{}: found {}, expected either --spec or --model",
            command, option.given() ? "both" : "neither");
  if (!option.model.empty()) {
    return model_encoding(option.model, option.layer, {.model = option.model_option});
  }
  refuse_other_files(option.file, "a spec or a model's config.json");
  const auto declared = read_spec(option.file, option.layer);
  const auto folder = std::filesystem::path(option.file).parent_path();
  const auto spec = with_tensors_read(with_guessed_keys(declared.spec, option.file), folder, option.file);
  auto encoding = read_telling_all_faults(
      spec, [&](const JsonValue& document) { return parse_spec(ObjectReader(document, option.file, "")); });
  encoding->set_as_written(declared.as_written);
  return encoding;
}

}  // namespace

std::unique_ptr<Encoding> read_encoding(const std::string& command, const SpecOption& option) {
  auto encoding = read_declared(command, option);
  return option.sequence_length == 0
             ? std::move(encoding)
             : at_sequence_length(*encoding, option.sequence_length, "--sequence-length", option.source());
}

std::unique_ptr<Encoding> read_table_encoding(const std::string& command, const SpecOption& option) {
  auto encoding = read_encoding(command, option);
  refuse_if(!encoding->has_plain_tables(),
            "{}: scheme: found \"{}\", expected one whose sines and cosines are all of one position",
            option.source(), encoding->scheme());
  return encoding;
}

}  // namespace vernier
