#include "props/literature/claims.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/json/json.hpp"

namespace vernier {
namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 6> verdict_names{"true",  "conditional", "approximate",
                                                        "false", "definition",  "not checkable"};

std::vector<std::string> parse_ids(const JsonValue::Array& array, const ObjectReader& reader) {
  std::vector<std::string> ids;
  for (const auto& element : array) {
    const auto* id = std::get_if<std::string>(&element.value());
    reader.refuse_if(id == nullptr, "evidence", "an array of strings");
    ids.push_back(*id);
  }
  return ids;
}

Claim parse_claim(const JsonValue& value, const std::string& source, const std::string& where) {
  ObjectReader reader(value, source, where);
  Claim claim;
  claim.id = reader.string("id");
  claim.lines = reader.string("lines");
  claim.kind = reader.string("kind");
  const auto verdict = reader.optional_choice("verdict", verdict_names);
  reader.refuse_if(!verdict, "verdict", "what becomes of the claim");
  claim.verdict = static_cast<ClaimVerdict>(*verdict);
  claim.statement = reader.string("statement");
  claim.place = reader.optional_string("place").value_or("");
  claim.hypothesis = reader.optional_string("hypothesis").value_or("");
  claim.correction = reader.optional_string("correction").value_or("");
  if (reader.has("evidence")) {
    claim.evidence = parse_ids(reader.array("evidence", "an array of strings"), reader);
  }
  claim.needs = reader.optional_string("needs").value_or("");
  reader.finish();
  return claim;
}

ClaimDocument parse_document(const JsonValue& value, const std::string& source, const std::string& where) {
  ObjectReader reader(value, source, where);
  ClaimDocument document{.name = reader.string("document"), .title = reader.string("title"), .claims = {}};
  document.read = reader.optional_string("read").value_or("");
  for (const auto& claim : reader.array("claims", "an array of claims")) {
    document.claims.push_back(
        parse_claim(claim, source, fmt::format("{}claims[{}]", where, document.claims.size())));
  }
  reader.finish();
  return document;
}

}  // namespace

std::string_view name_of(ClaimVerdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<Ruling> demanded_finding(ClaimVerdict verdict) {
  constexpr std::array<std::optional<Ruling>, verdict_names.size()> demanded{
      Ruling::holds, Ruling::conditional, Ruling::approximate, Ruling::refuted, Ruling::holds, std::nullopt};
  return demanded[static_cast<std::size_t>(verdict)];
}

std::vector<ClaimDocument> parse_claims(std::string_view text, const std::string& source) {
  const auto value = parse_json(text, source);
  const auto* several = std::get_if<JsonValue::Array>(&value.value());
  if (several == nullptr) {
    return {parse_document(value, source, "")};
  }
  std::vector<ClaimDocument> documents;
  for (const auto& one : *several) {
    documents.push_back(parse_document(one, source, fmt::format("[{}]", documents.size())));
  }
  return documents;
}

void compute_evidence(const ClaimDocument& document, EvidenceResults& results,
                      const std::function<void(const Evidence&)>& starting) {
  for (const auto& claim : document.claims) {
    for (const auto& id : claim.evidence) {
      const auto* evidence = evidence_named(id);
      if (evidence == nullptr || results.contains(id)) {
        continue;
      }
      if (starting) {
        starting(*evidence);
      }
      results.emplace(id, evidence->compute());
    }
  }
}

std::vector<std::string> disagreements(const Claim& claim, const EvidenceResults& results) {
  std::vector<std::string> sentences;
  const auto demanded = demanded_finding(claim.verdict);
  if (demanded && claim.evidence.empty()) {
    sentences.push_back(
        fmt::format("{} is said to be {} and names no evidence.", claim.id, name_of(claim.verdict)));
  }
  if (demanded.has_value() != claim.needs.empty()) {
    sentences.push_back(claim.id + (demanded ? " is checkable and says what it needs."
                                             : " is not checkable and does not say what it needs."));
  }
  if (!demanded && !claim.evidence.empty()) {
    sentences.push_back(claim.id + " is not checkable and names evidence.");
  }
  for (const auto& id : claim.evidence) {
    const auto found = results.find(id);
    if (found == results.end()) {
      sentences.push_back(fmt::format("{} names the evidence {}, which does not exist.", claim.id, id));
    } else if (demanded && found->second.finding != *demanded) {
      sentences.push_back(fmt::format("{} is said to be {}, but {} finds: {}.", claim.id,
                                      name_of(claim.verdict), id, name_of(found->second.finding)));
    }
  }
  return sentences;
}

}  // namespace vernier
