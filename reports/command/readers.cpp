// What programs make of a configuration, and where they part.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/words/file.hpp"
#include "reports/words/specs/reader_findings.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct ReadersArguments {
  ArgumentParser& command;
  const Words& files = command.given<Words>("CONFIG");
  const std::string& json = command.given<std::string>("--json");
  const bool& verbose = command.given<bool>("--verbose");
};

/// What readers make of one document or two.
struct ReadersReport {
  std::vector<std::string> files;  ///< one or two
  std::vector<Parting> partings;
  std::vector<ReaderFinding> findings;
  std::optional<AgreeingEdit> edit = {};      ///< of one document that readers part on
  std::vector<std::string> model_types = {};  ///< of the documents
  /// Without a rotation: the encoding of the one file that is told then, and nothing of readers.
  std::string encoding = {};

  bool agrees() const { return findings.empty(); }
  std::string told_types() const { return joined(model_types, in_quotes, " and "); }
  bool is_known() const { return std::ranges::any_of(partings, &Parting::is_known); }
};

/// What `vernier spec` says of a file that has no rotation; empty: it has one, by which readers are compared.
std::string other_encodings(const UnderstoodConfig& config, const std::string& file) {
  std::vector<std::string> encodings;
  for (const auto& group : config.groups) {
    const auto encoding = parse_spec(ObjectReader(group.spec, file, ""));
    if (encoding->scheme() == "rope") {
      return "";
    }
    encodings.push_back(encoding->summary());
  }
  return joined(encodings, " and ");
}

ReadersReport report_on(const std::vector<std::string>& files) {
  ReadersReport report{files, {}, {}};
  std::vector<JsonValue> documents;
  std::string refusal;  // whoever wrote a key that no program reads meant something by it
  for (const auto& file : files) {
    const auto& document = documents.emplace_back(parse_python_json(read_text(file), file));
    const auto& type = report.model_types.emplace_back(model_type_of(document));
    try {
      report.encoding = other_encodings(understand_config(document, file), file);
    } catch (const InputError& error) {
      if (std::ranges::none_of(readers().subspan(1), [&](const auto& row) { return row.covers(type); })) {
        throw;
      }
      refusal = error.what();
    }
    if (!report.encoding.empty()) {
      report.files = {file};
      return report;
    }
    require_rotation(document, file);
  }
  if (files.size() > 1) {
    report.partings = partings(documents[0], files[0], documents[1], files[1], readers());
    report.findings = reader_findings(report.partings, {files[0], files[1]});
    return report;
  }
  report.partings = partings(documents[0], files[0], readers());
  report.findings = reader_findings(report.partings);
  if (!report.findings.empty()) {
    report.edit = agreeing_edit(documents[0], files[0], readers());
  }
  if (!refusal.empty()) {
    report.findings.push_back({{"vernier spec"}, "", refusal, "", {}});
  }
  return report;
}

JsonValue text_or_null(const std::string& value) {
  return value.empty() ? JsonValue() : JsonValue(value);
}

JsonValue real(double value) {
  return JsonValue(JsonValue::Number{fmt::format("{}", value)});
}

JsonValue texts(const std::vector<std::string>& values) {
  return JsonValue(JsonValue::Array(values.begin(), values.end()));
}

/// What one reader makes of one document.
JsonValue::Object reading_members(const Reading& reading) {
  JsonValue::Array read;
  JsonValue::Array defaulted;
  JsonValue::Array ignored;
  for (const auto& one : reading.quantities) {
    JsonValue::Object entry{{"quantity", JsonValue(one.quantity)}};
    if (!one.key.empty()) {
      entry.emplace_back("key", JsonValue(one.key));
    }
    entry.emplace_back("value", one.value);
    (one.key.empty() ? defaulted : read).emplace_back(std::move(entry));
  }
  for (const auto& one : reading.ignored) {
    ignored.emplace_back(JsonValue::Object{{"key", JsonValue(one.key)}, {"value", one.value}});
  }
  return {{"spec", reading.spec},
          {"error", text_or_null(reading.error)},
          {"read", JsonValue(std::move(read))},
          {"defaulted", JsonValue(std::move(defaulted))},
          {"ignored", JsonValue(std::move(ignored))}};
}

JsonValue reader_value(const Parting& parting, bool has_two_documents) {
  const auto& name = parting.reading.reader;
  JsonValue::Object reader{
      {"reader", JsonValue(name)},
      {"source", JsonValue(std::ranges::find(readers(), name, &ReaderRow::name)->source)}};
  if (!parting.reading.kind.empty()) {
    reader.emplace_back("kind", JsonValue(parting.reading.kind));
  }
  reader.emplace_back("agrees", parting.is_known() ? JsonValue(parting.agrees()) : JsonValue());
  auto members = reading_members(parting.reading);
  reader.insert(reader.end(), members.begin(), members.end());
  if (has_two_documents) {
    reader.emplace_back("first", JsonValue(reading_members(parting.compared)));
  }
  return JsonValue(std::move(reader));
}

JsonValue finding_value(const ReaderFinding& finding) {
  const auto& position = finding.rotation.first_position;
  JsonValue::Object result{{"readers", texts(finding.readers)},
                           {"sentence", JsonValue(finding.sentence)},
                           {"key", JsonValue(finding.key)},
                           {"ratio", real(finding.rotation.ratio)},
                           {"pair", integer_value(finding.rotation.pair)},
                           {"amplitude", real(finding.rotation.amplitude)},
                           {"from_position", position ? integer_value(*position) : JsonValue()}};
  if (!finding.kind.empty()) {
    result.insert(result.begin() + 1, {"kind", JsonValue(finding.kind)});
  }
  return JsonValue(std::move(result));
}

/// As readers.schema.json describes it.
JsonValue readers_value(const ReadersReport& report) {
  const bool has_two_documents = report.files.size() > 1;
  auto all = mapped(report.partings,
                    [&](const Parting& parting) { return reader_value(parting, has_two_documents); });
  const bool has_edit = report.edit && json_text(report.edit->patch) != "{}";
  const bool is_told = report.is_known() || !report.agrees();
  return JsonValue(JsonValue::Object{{"vernier_readers", integer_value(1)},
                                     {"files", texts(report.files)},
                                     {"encoding", text_or_null(report.encoding)},
                                     {"agrees", is_told ? JsonValue(report.agrees()) : JsonValue()},
                                     {"readers", JsonValue(std::move(all))},
                                     {"findings", JsonValue(mapped(report.findings, finding_value))},
                                     {"edit", has_edit ? report.edit->patch : JsonValue()},
                                     {"remaining", report.edit ? texts(report.edit->remaining) : texts({})}});
}

std::string told_kind(const std::string& kind) {
  return kind.empty() ? "" : fmt::format(" ({})", kind);
}

/// The names of the readers of whose readings a condition holds.
std::set<std::string> readers_that(const ReadersReport& report, bool (Parting::*holds)() const) {
  std::set<std::string> names;
  for (const auto& parting : report.partings) {
    if ((parting.*holds)()) {
      names.insert(parting.reading.reader);
    }
  }
  return names;
}

std::string headline(const ReadersReport& report) {
  const auto files = joined(report.files);
  if (!report.encoding.empty()) {
    return fmt::format("{}: {}; readers are compared for RoPE only", files, report.encoding);
  }
  if (!report.is_known()) {
    return fmt::format("{}: not known: {}", files,
                       report.model_types[0].empty()
                           ? "the file has no model_type, by which programs choose their code"
                           : "no row of readers.json covers model_type " + report.told_types());
  }
  const auto all = readers_that(report, &Parting::is_known).size();
  const auto parting = readers_that(report, &Parting::differs).size();
  if (parting == 0) {
    return fmt::format("{}: {} {}", files,
                       all == 1 ? "the one known reader reads" : fmt::format("all {} readers read", all),
                       !report.agrees()           ? "the same, but vernier spec refuses the file"
                       : report.files.size() == 1 ? "what the file says"
                                                  : "the same out of both");
  }
  return fmt::format("{}: {} of {} {}", files, parting, counted(all, "reader", "readers"),
                     report.files.size() > 1 ? "read something else out of each"
                     : parting == 1          ? "does not read what the file says"
                                             : "do not read what the file says");
}

std::string spec_summary(const Reading& reading) {
  return reading.error.empty() ? parse_spec(ObjectReader(reading.spec, reading.reader, ""))->summary()
                               : reading.error;
}

std::string text_of(const ReadersReport& report, bool is_verbose) {
  std::string text;
  const auto tell = [&text]<class... Parts>(fmt::format_string<Parts...> sentence, Parts&&... parts) {
    text += one_line(fmt::format(sentence, std::forward<Parts>(parts)...)) + "\n";
  };
  tell("{}", headline(report));
  for (const auto& parting : report.partings) {
    if (is_verbose ? !parting.is_known() : report.files.size() > 1 || &parting != &report.partings[0]) {
      continue;
    }
    const auto& told = is_verbose ? parting.reading : parting.compared;
    tell("  {}{}: {}", told.reader, told_kind(told.kind), spec_summary(told));
    if (const auto* base = told.quantity("rope_theta"); !is_verbose && base != nullptr && base->key.empty()) {
      tell("  by default: the file does not say rope_theta; {} is assumed", short_text(base->value));
    }
    for (const auto& one : is_verbose ? told.quantities : std::vector<ReadQuantity>()) {
      tell("    {}: {} {}", one.quantity, short_text(one.value),
           one.key.empty() ? "by default" : fmt::format("of {}", one.key));
    }
    for (const auto& one : is_verbose ? told.ignored : std::vector<IgnoredKey>()) {
      tell("    not read: {} = {}", one.key, short_text(one.value));
    }
  }
  if (const auto unknown = readers_that(report, &Parting::is_unknown);
      report.is_known() && !unknown.empty()) {
    tell("  not known for model_type {}: {}", report.told_types(), fmt::join(unknown, ", "));
  }
  for (const auto& finding : report.findings) {
    tell("  {}{}: {}", joined(finding.readers), told_kind(finding.kind), finding.sentence);
  }
  const auto patch = report.edit ? json_text(report.edit->patch) : "";
  if (patch == "{}") {
    tell("  No edit is offered: none that was tried lets one more reader agree.");
  } else if (report.edit) {
    const auto& remaining = report.edit->remaining;
    tell("  After this edit (a JSON merge patch) {}:",
         remaining.empty() ? "no known reader differs"
                           : fmt::format("fewer readers differ; {} still {}", joined(remaining),
                                         remaining.size() == 1 ? "does" : "do"));
    text += patch + "\n";
  }
  return text;
}

int run_readers(const ReadersArguments& arguments, std::ostream& out) {
  refuse_if(arguments.files.empty() || arguments.files.size() > 2,
            "readers: found {}, expected one configuration or two",
            arguments.files.empty() ? "no configuration" : fmt::format("{} files", arguments.files.size()));
  const auto report = report_on(arguments.files);
  write_findings(arguments.json, json_text(readers_value(report)) + "\n", text_of(report, arguments.verbose),
                 out);
  return !report.agrees() ? 1 : report.is_known() ? 0 : 4;
}

}  // namespace

Action declare_readers(ArgumentParser& command) {
  return declared(command, run_readers);
}

}  // namespace vernier
