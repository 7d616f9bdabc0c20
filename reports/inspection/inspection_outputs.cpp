#include <array>

#include <fmt/core.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reports/inspection/inspection.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> verdict_words{"agrees", "differs", "unjudged"};

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
  OrderedJson groups = OrderedJson::array();
  for (const auto& [kind, spec] : encodings) {
    groups.push_back({{"kind", kind}, {"spec", spec}});
  }
  return {{"groups", groups}};
}

}  // namespace

std::string inspection_text(std::span<const Inspection> inspections, const std::string& against) {
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

OrderedJson inspection_json(std::span<const Inspection> inspections) {
  OrderedJson files = OrderedJson::array();
  for (const auto& inspection : inspections) {
    OrderedJson findings = OrderedJson::array();
    for (const auto& [sentence, key] : inspection.findings) {
      findings.push_back({{"sentence", sentence}, {"key", key}});
    }
    files.push_back({{"file", inspection.file},
                     {"kind", inspection.kind},
                     {"spec", spec_value(inspection)},
                     {"verdict", verdict_words[static_cast<std::size_t>(inspection.verdict())]},
                     {"findings", findings},
                     {"remarks", inspection.remarks}});
  }
  return {{"files", files}};
}

}  // namespace vernier
