// What programs make of a configuration, and where they part.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/text_file.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/words/file.hpp"
#include "reports/words/specs/readers_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Who reads keys that no program of readers.json knows: Vernier itself.
constexpr std::string_view own_reader = "vernier spec";

struct ReadersArguments {
  std::vector<std::string> files;
  std::string json;
  bool verbose = false;
};

JsonValue read_rotation(const std::string& file) {
  auto document = parse_python_json(read_text(file), file);
  require_rotation(document, file);
  return document;
}

ReadersReport report_on(const std::vector<std::string>& files) {
  ReadersReport report{files, {}, {}};
  const auto first = read_rotation(files.front());
  if (files.size() == 1) {
    report.partings = partings(first, files.front(), readers());
    report.findings = reader_findings(report.partings);
    if (!report.findings.empty()) {
      report.edit = agreeing_edit(first, files.front(), readers());
    }
    // Whoever wrote a key that no program reads meant something by it.
    try {
      understand_config(first, files.front());
    } catch (const InputError& error) {
      report.findings.push_back({{std::string(own_reader)}, "", error.what(), "", {}});
    }
    return report;
  }
  report.partings = partings(first, files.front(), read_rotation(files.back()), files.back(), readers());
  report.findings = reader_findings(report.partings, {files.front(), files.back()});
  return report;
}

std::string reader_list(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string told_kind(const std::string& kind) {
  return kind.empty() ? "" : fmt::format(" ({})", kind);
}

std::string headline(const ReadersReport& report) {
  const auto all = readers().size() - 1;
  std::vector<std::string> parting;
  for (const auto& finding : report.findings) {
    for (const auto& name : finding.readers) {
      if (name != own_reader && std::ranges::find(parting, name) == parting.end()) {
        parting.push_back(name);
      }
    }
  }
  const auto files = reader_list(report.files);
  if (parting.empty() && !report.agrees()) {
    return fmt::format("{}: all {} readers read the same, but vernier spec refuses the file", files, all);
  }
  if (parting.empty()) {
    return report.files.size() == 1
               ? fmt::format("{}: all {} readers read what the file says", files, all)
               : fmt::format("{}: each of {} readers reads the same out of both", files, all);
  }
  return report.files.size() == 1
             ? fmt::format("{}: {} of {} readers do not read what the file says", files, parting.size(), all)
             : fmt::format("{}: {} of {} readers read something else out of each", files, parting.size(),
                           all);
}

std::string spec_summary(const Reading& reading) {
  return reading.error.empty() ? parse_spec(ObjectReader(reading.spec, reading.reader, ""))->summary()
                               : reading.error;
}

/// Every key that a reader reads, takes by default and leaves alone.
void write_account(const Reading& reading, std::ostream& out) {
  for (const auto& one : reading.quantities) {
    out << one_line(fmt::format("    {}: {} {}", one.quantity, short_text(one.value),
                                one.key.empty() ? "by default" : fmt::format("of {}", one.key)))
        << "\n";
  }
  for (const auto& one : reading.ignored) {
    out << one_line(fmt::format("    not read: {} = {}", one.key, short_text(one.value))) << "\n";
  }
}

void write_text(const ReadersReport& report, bool is_verbose, std::ostream& out) {
  out << one_line(headline(report)) << "\n";
  for (const auto& parting : report.partings) {
    if (is_verbose || (report.files.size() == 1 && &parting == &report.partings.front())) {
      const auto& told = is_verbose ? parting.reading : parting.compared;
      out << one_line(fmt::format("  {}{}: {}", told.reader, told_kind(told.kind), spec_summary(told)))
          << "\n";
      const auto* base = told.quantity("rope_theta");
      if (!is_verbose && base != nullptr && base->key.empty()) {
        out << one_line(fmt::format("  by default: the file does not say rope_theta; {} is assumed",
                                    short_text(base->value)))
            << "\n";
      }
    }
    if (is_verbose) {
      write_account(parting.reading, out);
    }
  }
  for (const auto& finding : report.findings) {
    out << one_line(fmt::format("  {}{}: {}", reader_list(finding.readers), told_kind(finding.kind),
                                finding.sentence))
        << "\n";
  }
  if (!report.edit) {
    return;
  }
  if (json_text(report.edit->patch) == "{}") {
    out << "  No edit is offered: none that was tried lets one more reader agree.\n";
    return;
  }
  out << (report.edit->remaining.empty()
              ? "  After this edit (a JSON merge patch) all readers read the same:\n"
              : fmt::format("  After this edit (a JSON merge patch) fewer readers differ; {} still {}:\n",
                            reader_list(report.edit->remaining),
                            report.edit->remaining.size() == 1 ? "does" : "do"))
      << json_text(report.edit->patch) << "\n";
}

int run_readers(const ReadersArguments& arguments, std::ostream& out) {
  if (arguments.files.empty() || arguments.files.size() > 2) {
    throw InputError(
        "readers: found {}, expected one configuration or two",
        arguments.files.empty() ? "no configuration" : fmt::format("{} files", arguments.files.size()));
  }
  const auto report = report_on(arguments.files);
  if (!arguments.json.empty()) {
    write_file(arguments.json, json_text(readers_value(report)) + "\n", out);
  }
  if (arguments.json != standard_output) {
    write_text(report, arguments.verbose, out);
  }
  return report.agrees() ? 0 : 1;
}

}  // namespace

Action declare_readers(ArgumentParser& command) {
  const auto arguments = std::make_shared<ReadersArguments>();
  command.add("CONFIG", arguments->files);
  command.add("--json", arguments->json);
  command.add("--verbose", arguments->verbose);
  return [arguments](std::ostream& out) { return run_readers(*arguments, out); };
}

}  // namespace vernier
