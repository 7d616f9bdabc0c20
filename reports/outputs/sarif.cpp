#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "reports/outputs/output.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/words/number_json.hpp"
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

OrderedJson location_json(const Verdict& verdict, const std::string& check) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", artifact_uri(verdict.source.empty() ? "." : verdict.source)}}},
            {"region", {{"startLine", 1}}}}},
          {"logicalLocations", OrderedJson::array({{{"fullyQualifiedName", verdict.name + "/" + check}}})}};
}

/// What was found of a check, without its rule.
OrderedJson result_json(const Verdict& verdict, const ToldCheck& check) {
  const auto identity = fingerprint(verdict.name + "\n" + check.id);
  const auto message = fmt::format("{}{}: {}: {}{}{}", check.found, check.id, check.kind, check.message,
                                   check.details.empty() ? "" : "\n", check.details);
  OrderedJson properties{{"status", check.status ? check.kind : "stale"}};
  for (const auto& [name, value] : check.measurements) {
    properties[name] = value;
  }
  OrderedJson result{
      {"level", check.status == Status::inconclusive ? "note" : "error"},
      {"message", {{"text", message}}},
      {"locations", OrderedJson::array({location_json(verdict, check.id)})},
      {"partialFingerprints", {{"caseAndCheck/v1", identity}, {"primaryLocationLineHash", identity + ":1"}}},
      {"properties", properties}};
  if (const auto& waiver = check.waiver) {
    result["suppressions"] = OrderedJson::array(
        {{{"kind", "external"},
          {"status", "accepted"},
          {"justification", fmt::format("{}, until {}: {} ({})", waiver->issue, waiver->expires,
                                        waiver->reason, waiver->ceiling)}}});
  }
  return result;
}

OrderedJson run_json(const Verdict& verdict) {
  std::vector<CheckMeaning> rules;  // each once, in the order of the results
  OrderedJson results = OrderedJson::array();
  for (const auto& check : told_checks(verdict)) {
    if (check.status == Status::pass || check.status == Status::skipped) {
      continue;
    }
    const auto meaning = meaning_of(check.id);
    const auto rule = std::ranges::find(rules, meaning.id, &CheckMeaning::id) - rules.begin();
    if (rule == std::ssize(rules)) {
      rules.push_back(meaning);
    }
    results.push_back({{"ruleId", meaning.rule()}, {"ruleIndex", rule}});
    results.back().update(result_json(verdict, check));
  }
  const int code = exit_code(verdict);
  return {
      {"tool",
       {{"driver",
         {{"name", "Vernier"}, {"semanticVersion", version()}, {"rules", array_json(rules, rule_json)}}}}},
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
