#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "reports/outputs/output.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/words/version.hpp"

// SARIF 2.1.0 (OASIS, 2020), with the properties that GitHub's code scanning asks for. Readers show every
// result as a finding, so checks that pass or were skipped are none; the invocation tells whether the run as
// a whole succeeded.

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr auto schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The FNV-1a hash of a text: the same on every machine, so that a finding is known again.
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return fmt::format("{:016x}", hash);
}

/// The path as a URI reference: what RFC 3986 does not allow in a path is in per cent.
std::string uri_text(const std::string& path) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=@/";
  std::string result;
  for (const char c : path) {
    result += allowed.find(c) != std::string_view::npos
                  ? std::string(1, c)
                  : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

/// Where a file is, from the folder that Vernier was called in, which in continuous integration is that of
/// the sources; the whole path of a file elsewhere.
std::string artifact_uri(const std::string& file) {
  std::error_code error;
  const auto absolute = fs::absolute(file, error).lexically_normal();
  const auto relative = absolute.lexically_relative(fs::current_path(error));
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return inside ? uri_text(relative.generic_string())
                : std::string("file://") + uri_text(absolute.generic_string());
}

struct SarifResult {
  std::string check;
  std::string_view level;  ///< SARIF's: error, note
  std::string message;
  OrderedJson properties;
  std::optional<AppliedWaiver> waiver;
};

/// What readers of SARIF are told of a check; nothing of one that passes or was skipped.
std::optional<SarifResult> finding(const Verdict& verdict, const Check& check) {
  if (check.status == Status::pass || check.status == Status::skipped) {
    return std::nullopt;
  }
  SarifResult result{check.id,
                     check.status == Status::inconclusive ? "note" : "error",
                     with_finding(verdict, check,
                                  fmt::format("{}: {}: {}", check.id, to_string(check.status), check.reason)),
                     {{"status", to_string(check.status)}},
                     check.waiver};
  if (check.status == Status::fail) {
    result.message += std::string("\n") + explanation(check);
  }
  for (const auto& [name, value] : measurements(check)) {
    result.properties[name] = value;
  }
  return result;
}

std::vector<SarifResult> findings(const Verdict& verdict) {
  std::vector<SarifResult> result;
  for (const auto& check : verdict.checks) {
    if (auto found = finding(verdict, check)) {
      result.push_back(std::move(*found));
    }
  }
  for (const auto& waiver : verdict.stale_waivers) {
    result.push_back(
        {std::string("waivers/") + waiver.check,
         "error",
         fmt::format("waivers/{}: stale waiver: {}: {}", waiver.check, waiver.issue, waiver.problem),
         {{"status", "stale"}},
         std::nullopt});
  }
  return result;
}

/// The meaning of a check that no registry knows is its id.
CheckMeaning meaning_of(const std::string& check) {
  return check_meaning_of(check).value_or(CheckMeaning{check, check, "Vernier"});
}

std::string first_sentence(const std::string& text) {
  const auto end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

OrderedJson rule_json(const CheckMeaning& meaning) {
  const auto help = fmt::format("{}\n\nRests on: {}.", meaning.meaning, meaning.source);
  return {{"id", meaning.rule()},
          {"shortDescription", {{"text", first_sentence(meaning.meaning)}}},
          {"fullDescription", {{"text", meaning.meaning}}},
          {"help", {{"text", help}}},
          {"defaultConfiguration", {{"level", "error"}}},
          {"properties", {{"tags", OrderedJson::array({"numerical-accuracy", "positional-encoding"})}}}};
}

/// The rules of the findings, each once, in the order of the findings.
std::vector<CheckMeaning> rules_of(const std::vector<SarifResult>& findings) {
  std::vector<CheckMeaning> rules;
  for (const auto& found : findings) {
    auto meaning = meaning_of(found.check);
    if (std::ranges::find(rules, meaning.id, &CheckMeaning::id) == rules.end()) {
      rules.push_back(std::move(meaning));
    }
  }
  return rules;
}

OrderedJson location_json(const Verdict& verdict, const std::string& check) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", artifact_uri(verdict.source.empty() ? "." : verdict.source)}}},
            {"region", {{"startLine", 1}}}}},
          {"logicalLocations", OrderedJson::array({{{"fullyQualifiedName", verdict.name + "/" + check}}})}};
}

OrderedJson result_json(const Verdict& verdict, const SarifResult& found,
                        const std::vector<CheckMeaning>& rules) {
  const auto meaning = meaning_of(found.check);
  const auto index = std::ranges::find(rules, meaning.id, &CheckMeaning::id) - rules.begin();
  const auto identity = fingerprint(verdict.name + "\n" + found.check);
  OrderedJson result{
      {"ruleId", meaning.rule()},
      {"ruleIndex", index},
      {"level", found.level},
      {"message", {{"text", found.message}}},
      {"locations", OrderedJson::array({location_json(verdict, found.check)})},
      {"partialFingerprints", {{"caseAndCheck/v1", identity}, {"primaryLocationLineHash", identity + ":1"}}},
      {"properties", found.properties}};
  if (found.waiver) {
    result["suppressions"] = OrderedJson::array(
        {{{"kind", "external"},
          {"status", "accepted"},
          {"justification", fmt::format("{}, until {}: {} ({})", found.waiver->issue, found.waiver->expires,
                                        found.waiver->reason, found.waiver->ceiling)}}});
  }
  return result;
}

OrderedJson run_json(const Verdict& verdict) {
  const auto found = findings(verdict);
  const auto rules = rules_of(found);
  OrderedJson rules_json = OrderedJson::array();
  for (const auto& rule : rules) {
    rules_json.push_back(rule_json(rule));
  }
  OrderedJson results = OrderedJson::array();
  for (const auto& one : found) {
    results.push_back(result_json(verdict, one, rules));
  }
  const int code = exit_code(verdict);
  return {
      {"tool", {{"driver", {{"name", "Vernier"}, {"semanticVersion", version()}, {"rules", rules_json}}}}},
      {"automationDetails", {{"id", fmt::format("vernier/{}/", verdict.name)}}},
      {"columnKind", "unicodeCodePoints"},
      {"invocations", OrderedJson::array({{{"commandLine", verdict.reproduce},
                                           {"exitCode", code},
                                           {"exitCodeDescription", summary(verdict)},
                                           {"executionSuccessful", code != 3}}})},
      {"results", results}};
}

std::string render_sarif(const Verdict& original) {
  const auto verdict = visible(original);
  const OrderedJson document{
      {"$schema", schema}, {"version", "2.1.0"}, {"runs", OrderedJson::array({run_json(verdict)})}};
  return document.dump(2, ' ', /*ensure_ascii=*/false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace

Output sarif_output() {
  return {"sarif", render_sarif};
}

}  // namespace vernier
