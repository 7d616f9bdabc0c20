#include <iostream>

#include <fmt/core.h>

#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/specs/key_document.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/command/file_kind.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/words/specs/config_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// The configuration or the model.
void add_config(ArgumentParser& command, SpecOption& option) {
  command.add("CONFIG", option.file);
  add_model_options(command, option);
}

struct SpecArguments {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_config);
  const bool& schema = command.given<bool>("--schema");
};

void list(std::ostream& out, std::string_view heading, const std::vector<std::string>& sentences) {
  if (!sentences.empty()) {
    out << heading << "\n";
  }
  for (const auto& sentence : sentences) {
    out << fmt::format("  {}\n", one_line(sentence));  // whole, or not at all: memory may run out
  }
}

std::string layers_text(const std::vector<int>& layers) {
  return layers.empty() ? "" : fmt::format(" (layers {})", joined(layers));
}

/// What the specs rest on, and what they leave out.
void write_notes(const UnderstoodConfig& config, std::ostream& out) {
  if (!config.as_written.empty()) {
    out << one_line(config.as_written) << "\n";
  }
  const auto unencoded = mapped(config.unencoded, [&](const auto& one) {
    return fmt::format("{}{}: {}", one.kind, layers_text(one.layers), one.why);
  });
  list(out, "without a spec:", unencoded);
  list(out, "assumed:", config.assumed);
  list(out, "remarks:", config.remarks);
  list(out, "ignored, though positional by name:", config.ignored);
}

/// Whether it is a matter of one encoding, rather than of all that a configuration has.
bool names_one_encoding(const SpecOption& spec) {
  return !spec.model.empty() || spec.sequence_length != 0 ||
         value_at(parse_python_json(read_text(spec.file), spec.file), "scheme") != nullptr;
}

int run_spec(const SpecArguments& arguments, std::ostream& out) {
  if (arguments.schema) {
    out << spec_schema().dump(2) << "\n";
    return 0;
  }
  const auto& spec = arguments.spec;
  refuse_if(spec.file.empty() == spec.model.empty(), "spec: found {}, expected either a file or --model",
            spec.given() ? "both" : "neither");
  if (spec.model.empty()) {
    refuse_other_files(spec.file, "a model's config.json or a spec");
  }
  if (names_one_encoding(spec)) {
    const auto source = spec.source();
    out << json_text(parse_json(read_encoding("spec", spec)->spec().dump(), source)) << "\n";
    return 0;
  }
  const auto config = read_config(spec.file);
  const bool one_spec = config.groups.size() == 1 || !spec.layer.empty();
  const auto text = json_text(one_spec ? spec_of(config, spec.layer, spec.file) : groups_value(config));
  write_notes(config, std::cerr);
  out << text << "\n";
  return 0;
}

}  // namespace

Action declare_spec(ArgumentParser& command) {
  return declared(command, run_spec);
}

}  // namespace vernier
