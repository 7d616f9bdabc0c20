#include <array>

#include <fmt/core.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reports/inspection/inspection.hpp"
#include "reports/words/number_json.hpp"
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
  auto groups = array_json(encodings, [](const MeantEncoding& one) -> OrderedJson {
    return {{"kind", one.kind}, {"spec", one.spec}};
  });
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
    auto findings = array_json(inspection.findings, [](const InspectionFinding& finding) -> OrderedJson {
      return {{"sentence", finding.sentence}, {"key", finding.key}};
    });
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
