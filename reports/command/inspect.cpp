#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/inspection/inspection.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct InspectArguments {
  ArgumentParser& command;
  const Words& files = command.given<Words>("FILE");
  const std::string& against = command.given<std::string>("--against");
  const std::string& json = command.given<std::string>("--json");
};

/// What a file means, and what it is, below its first line.
std::string details(const Inspection& inspection) {
  std::string text = fmt::format("  is {}\n", inspection.kind);
  for (const auto& [kind, spec] : inspection.encodings) {
    text += fmt::format("  means {}{}\n",
                        spec.is_null() ? std::string("what no spec says")
                                       : parse_spec(spec.dump(), inspection.file)->summary(),
                        kind.empty() ? "" : " (" + kind + ")");
  }
  for (const auto& remark : inspection.remarks) {
    text += fmt::format("  {}\n", one_line(remark));
  }
  return text;
}

/// The spec, or those of each kind of layer.
OrderedJson spec_value(const Inspection& inspection) {
  const auto& encodings = inspection.encodings;
  if (encodings.size() < 2) {
    return encodings.empty() ? OrderedJson() : encodings.front().spec;
  }
  auto groups = array_json(encodings, [](const MeantEncoding& one) -> OrderedJson {
    return {{"kind", one.kind}, {"spec", one.spec}};
  });
  return {{"groups", groups}};
}

/// What people read, a line or more a file.
std::string inspection_text(const std::vector<Inspection>& inspections, const std::string& against) {
  std::string text;
  for (const auto& inspection : inspections) {
    for (const auto& finding : inspection.findings) {
      text += fmt::format("{}: {}\n", inspection.file, one_line(finding.sentence));
    }
    if (inspection.findings.empty()) {
      text += fmt::format("{}: {}\n", inspection.file,
                          !inspection.is_judged ? std::string("nothing to compare it with")
                          : against.empty()     ? std::string("agrees with itself")
                                                : "agrees with " + against);
    }
    text += details(inspection);
  }
  return text;
}

/// What programs read: {"files": [{"file", "kind", "spec", "verdict", "findings", "remarks"}]}.
OrderedJson inspection_json(const std::vector<Inspection>& inspections) {
  OrderedJson files = OrderedJson::array();
  for (const auto& inspection : inspections) {
    auto findings = array_json(inspection.findings, [](const InspectionFinding& finding) -> OrderedJson {
      return {{"sentence", finding.sentence}, {"key", finding.key}};
    });
    files.push_back({{"file", inspection.file},
                     {"kind", inspection.kind},
                     {"spec", spec_value(inspection)},
                     {"verdict", !inspection.findings.empty() ? "differs"
                                 : inspection.is_judged       ? "agrees"
                                                              : "unjudged"},
                     {"findings", findings},
                     {"remarks", inspection.remarks}});
  }
  return {{"files", files}};
}

/// Files that cannot be read are told last, so that the others are told at all.
int run_inspect(const InspectArguments& arguments, std::ostream& out) {
  const auto expected = arguments.against.empty() ? Expectation() : read_expectation(arguments.against);
  std::vector<Inspection> inspections;
  std::optional<InputError> unread;
  for (const auto& file : arguments.files) {
    try {
      inspections.push_back(inspect(file, expected));
    } catch (const InputError& error) {
      unread = unread ? unread : std::optional(error);
    }
  }
  write_findings(arguments.json, inspection_json(inspections).dump(2) + "\n",
                 inspection_text(inspections, arguments.against), out);
  if (unread) {
    throw InputError(*unread);
  }
  if (std::ranges::any_of(inspections, [](const Inspection& one) { return !one.findings.empty(); })) {
    return 1;
  }
  const bool is_judged = std::ranges::any_of(inspections, &Inspection::is_judged);
  return arguments.against.empty() || is_judged ? 0 : 4;
}

}  // namespace

Action declare_inspect(ArgumentParser& command) {
  return declared(command, run_inspect);
}

}  // namespace vernier
