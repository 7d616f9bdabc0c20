#include <iostream>
#include <memory>

#include <fmt/core.h>

#include "reference/configs/json_tree.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/word_list.hpp"
#include "reports/commands/command.hpp"
#include "reports/specs/config_json.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

struct Arguments {
  std::string config_file;
  std::string layer;
};

void list(std::ostream& out, std::string_view heading, const std::vector<std::string>& sentences) {
  if (!sentences.empty()) {
    out << heading << "\n";
  }
  for (const auto& sentence : sentences) {
    out << "  " << one_line(sentence) << "\n";
  }
}

std::string layers_text(const std::vector<int>& layers) {
  return layers.empty() ? "" : fmt::format(" (layers {})", joined(layers));
}

/// What the specs rest on, and what they leave out.
void write_notes(const UnderstoodConfig& config, std::ostream& out) {
  std::vector<std::string> unencoded;
  for (const auto& one : config.unencoded) {
    unencoded.push_back(fmt::format("{}{}: {}", one.kind, layers_text(one.layers), one.why));
  }
  list(out, "without a spec:", unencoded);
  list(out, "assumed:", config.assumed);
  list(out, "remarks:", config.remarks);
  list(out, "ignored, though positional by name:", config.ignored);
}

int run(const Arguments& arguments, std::ostream& out) {
  const auto config = read_config(arguments.config_file);
  const bool one_spec = config.groups.size() == 1 || !arguments.layer.empty();
  const auto text =
      json_text(one_spec ? spec_of(config, arguments.layer, arguments.config_file) : groups_value(config));
  write_notes(config, std::cerr);
  out << text << "\n";
  return 0;
}

Action declare_spec(ArgumentParser& command) {
  const auto arguments = std::make_shared<Arguments>();
  command.add("CONFIG", arguments->config_file, "a model's config.json or params.json")
      .named("FILE")
      .required();
  command
      .add("--layer", arguments->layer,
           "the number of a layer, or a kind of layers, as sliding_attention or encoder")
      .named("LAYER");
  return [arguments](std::ostream& out) { return run(*arguments, out); };
}

}  // namespace

Command spec_command() {
  return {"spec",
          "Say which encoding a model's config.json means, what it leaves to defaults, and what is ignored",
          declare_spec,
          {"vernier spec config.json", "vernier spec config.json --layer sliding_attention > spec.json"}};
}

}  // namespace vernier
