#include "reports/commands/spec_option.hpp"

#include <CLI/CLI.hpp>

#include "reference/configs/understood_config.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {

void add_spec_option(CLI::App& command, SpecOption& option, const std::string& description, bool required) {
  command.add_option("--spec", option.file, description)->required(required);
  command.add_option("--layer", option.layer,
                     "where --spec is a model's config.json whose layers differ: the number of a layer, or a "
                     "kind of layers, as sliding_attention or encoder");
}

std::unique_ptr<Encoding> read_encoding(const SpecOption& option) {
  const auto spec = read_spec(option.file, option.layer);
  return parse_spec(ObjectReader(spec, option.file, ""));
}

std::unique_ptr<Encoding> read_table_encoding(const SpecOption& option) {
  const auto spec = read_spec(option.file, option.layer);
  const ObjectReader reader(spec, option.file, "");
  auto encoding = parse_spec(reader);
  if (encoding->tables().empty()) {
    reader.refuse("scheme", "a scheme with tables of sines and cosines");
  }
  return encoding;
}

}  // namespace vernier
