#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "reference/support/mapped.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/implementations/measured.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

Json row(const ComparedImplementation& entry) {
  const auto& result = *entry.result;
  return {
      {"name", entry.name},
      {"page", implementation_page_file(entry.name)},
      {"rotated", entry.by_rotation},
      {"stored", entry.stored},
      {"reach", reach_text(entry)},
      {"error", result.statistics.non_finite() > 0 ? std::string("not finite")
                                                   : measure_text(result.statistics.absolute().greatest())},
      {"used", percent_text(result.greatest_budget_ratio)},
      {"contract", entry.contract},
      {"tag", contract_tag(entry)},
      {"class", contract_class(entry)}};
}

Json group_content(const std::string& heading, Json rows) {
  return {{"encoding", heading}, {"rows", std::move(rows)}};
}

/// A table for each encoding that several were measured on, and for the one that is charted; one for the
/// rest.
Json groups_content(const std::map<std::string, MeasuredEntries>& groups, const MeasuredEntries* charted) {
  constexpr std::size_t least_of_a_group = 3;
  Json result = Json::array();
  Json others = Json::array();
  for (const auto& [encoding, entries] : groups) {
    const bool is_large = entries.size() >= least_of_a_group || &entries == charted;
    Json rows = Json::array();
    for (const auto* entry : entries) {
      (is_large ? rows : others).push_back(row(*entry));
      (is_large ? rows : others).back()["encoding"] = optional_text(is_large ? "" : encoding);
    }
    if (is_large) {
      result.push_back(group_content(encoding, std::move(rows)));
    }
  }
  if (!others.empty()) {
    result.push_back(group_content("Other encodings", std::move(others)));
  }
  return result;
}

/// Each that breaks its contract: of what it does so, and what that means.
Json breaking_content(const std::vector<ComparedImplementation>& comparison) {
  auto breaking = measured(comparison);
  std::erase_if(breaking, [](const auto* entry) { return !breaks_contract(*entry); });
  return array_json(breaking, [&](const ComparedImplementation* entry) -> Json {
    const auto& found = *entry->result;
    return {
        {"name", entry->name},
        {"page", implementation_page_file(entry->name)},
        {"finding",
         fmt::format(
             "{} of its {} elements ({}) are beyond the budget of the {} contract, the worst by {} times.",
             share_text(found.failing, found.elements), entry->stored, entry->encoding, entry->contract,
             times_text(found.greatest_budget_ratio))},
        {"meaning", meaning_of(*entry, comparison)}};
  });
}

std::string implementations_headline(const std::vector<ComparedImplementation>& comparison) {
  const auto breaking = names_of_breaking(comparison).size();
  const auto all = names_of_measured(comparison).size();
  if (all == 0 || libraries_measured(comparison) < fewest_libraries) {
    return recorded_headline();
  }
  return breaking == 0 ? fmt::format("All {} implementations keep their contracts", all)
                       : fmt::format("{} of {} implementations break{} {} contract", breaking, all,
                                     breaking == 1 ? "s" : "", breaking == 1 ? "its" : "their");
}

/// Which version of each was measured, and how many of its tables.
DataTable versions(const MeasuredEntries& entries) {
  auto table = described_table("implementations/versions");
  std::map<std::pair<std::string, std::string>, std::int64_t> tables;
  for (const auto* entry : entries) {
    ++tables[{entry->name, entry->found}];
  }
  for (const auto& [what, count] : tables) {
    table.rows.push_back({what.first, what.second, count_text(count)});
  }
  return table;
}

/// What is listed and was not measured, each with its reasons.
Json absent(const std::vector<ComparedImplementation>& comparison) {
  std::map<std::string, std::set<std::string>> reasons;
  for (const auto& entry : comparison) {
    if (!entry.result) {
      reasons[entry.name].insert(entry.reason);
    }
  }
  return array_json(reasons, [](const auto& entry) -> Json {
    return {{"name", entry.first}, {"reason", fmt::format("{}", fmt::join(entry.second, "; "))}};
  });
}

/// The encoding that most were measured on.
const MeasuredEntries* most_measured(const std::map<std::string, MeasuredEntries>& groups) {
  const auto most = std::ranges::max_element(groups, {}, [](const auto& g) { return g.second.size(); });
  return most == groups.end() ? nullptr : &most->second;
}

}  // namespace

Json implementations_content(const ReportData& data) {
  const auto groups = grouped(measured(data.comparison), [](const auto* entry) { return entry->encoding; });
  const auto* most = most_measured(groups);
  return {{"headline", implementations_headline(data.comparison)},
          {"any_listed", !data.comparison.empty()},
          {"any_measured", most != nullptr},
          {"recorded", recorded_matrix(data.comparison)},
          {"breaking", breaking_content(data.comparison)},
          {"groups", groups_content(groups, most)},
          {"versions", most == nullptr ? "" : to_html(versions(measured(data.comparison)))},
          {"absent", absent(data.comparison)},
          {"figure", most == nullptr ? "" : to_html(growth_figure(*most, "growth"))}};
}

}  // namespace vernier
