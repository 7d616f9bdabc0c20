#include "reports/words/specs/reader_findings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reference/json/json_tree.hpp"
#include "reference/support/counted.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// "10000 by default", "500000 of rope_parameters.rope_theta", "nothing".
std::string told_quantity(const std::optional<ReadQuantity>& quantity, const std::string& file) {
  const auto place = file.empty() ? std::string() : fmt::format(" in {}", file);
  if (!quantity) {
    return "nothing" + place;
  }
  const auto value = short_text(quantity->value);
  return quantity->key.empty() ? fmt::format("{} by default{}", value, place)
                               : fmt::format("{} of {}{}", value, quantity->key, place);
}

bool has_key(const std::optional<ReadQuantity>& quantity) {
  return quantity && !quantity->key.empty();
}

/// The differences that are causes: where the types of scaling differ, what one of them alone takes is none.
std::vector<QuantityDifference> causes_of(const Parting& parting) {
  const bool has_other_type =
      std::ranges::any_of(parting.quantities, [](const auto& one) { return one.quantity == "rope_type"; });
  std::vector<QuantityDifference> causes;
  for (const auto& one : parting.quantities) {
    const bool follows = has_other_type && one.expected.has_value() != one.found.has_value();
    if ((has_key(one.expected) || has_key(one.found)) && !follows) {
      causes.push_back(one);
    }
  }
  return causes;
}

std::string told_cause(const QuantityDifference& cause, const ComparedFiles& files) {
  const auto why = cause.found && !cause.found->why.empty() ? fmt::format(" ({})", cause.found->why) : "";
  return fmt::format("{} is {}{}, {}{}", cause.quantity, told_quantity(cause.found, files.second), why,
                     files.first.empty() ? "not " : "", told_quantity(cause.expected, files.first));
}

ReaderFinding finding_of(const Parting& parting, const ComparedFiles& files) {
  ReaderFinding finding{{parting.reading.reader}, parting.reading.kind, "", "", parting.rotation};
  const auto& error = parting.reading.error.empty() ? parting.compared.error : parting.reading.error;
  if (!error.empty()) {
    finding.sentence = error;
    const auto* type = parting.compared.quantity("rope_type");
    finding.key = type == nullptr ? "" : type->key;
    return finding;
  }
  std::vector<std::string> causes;
  for (const auto& cause : causes_of(parting)) {
    causes.push_back(told_cause(cause, files));
    if (finding.key.empty()) {
      finding.key = has_key(cause.expected) ? cause.expected->key : cause.found->key;
    }
  }
  finding.sentence = fmt::format("{}", fmt::join(causes, "; "));
  const auto consequences = consequences_of(parting.rotation, files.first.empty());
  if (!consequences.empty()) {
    finding.sentence += fmt::format("{}{}", causes.empty() ? "" : ". So ", fmt::join(consequences, "; "));
  }
  finding.sentence += ".";
  return finding;
}

}  // namespace

std::vector<ReaderFinding> reader_findings(const std::vector<Parting>& partings, const ComparedFiles& files) {
  std::vector<ReaderFinding> findings;
  for (const auto& parting : partings) {
    if (!parting.differs()) {
      continue;
    }
    auto finding = finding_of(parting, files);
    const auto same = std::ranges::find_if(findings, [&finding](const ReaderFinding& other) {
      return other.sentence == finding.sentence && other.kind == finding.kind;
    });
    if (same == findings.end()) {
      findings.push_back(std::move(finding));
    } else {
      same->readers.push_back(finding.readers.front());
    }
  }
  return findings;
}

std::vector<std::string> consequences_of(const RotationDifference& rotation, bool is_fault) {
  std::vector<std::string> told;
  if (rotation.pairs != rotation.other_pairs) {
    told.push_back(fmt::format("{} turn, not {}",
                               counted(static_cast<std::uint64_t>(rotation.other_pairs), "pair", "pairs"),
                               rotation.pairs));
  }
  if (rotation.ratio > 1) {
    const auto* word = rotation.is_faster ? "large" : "small";
    told.push_back(fmt::format("the frequency of pair {} is {} times {}", rotation.pair,
                               significant_text(rotation.ratio, shown_digits),
                               is_fault ? fmt::format("too {}", word) : fmt::format("as {}", word)));
  }
  if (rotation.amplitude != 1) {
    told.push_back(fmt::format("cosine and sine are {} times as large, scores {} times",
                               significant_text(rotation.amplitude, shown_digits),
                               significant_text(rotation.amplitude * rotation.amplitude, shown_digits)));
  }
  if (!rotation.has_same_positions) {
    told.emplace_back("tokens of images turn by other positions (mrope_section)");
  }
  if (rotation.first_position) {
    told.push_back(
        fmt::format("angles differ by more than 2^-8 rad from position {} on", *rotation.first_position));
  }
  return told;
}

}  // namespace vernier
