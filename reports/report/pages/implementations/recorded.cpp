
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/report/pages/implementations/measured.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {

/// recorded_results.jsonl as it stands: a history, a run a line.
std::string recorded_results_text();

namespace {

/// The part of `text` behind its last comma, which is taken off.
std::string taken_from_end(std::string& text) {
  const auto comma = text.rfind(", ");
  auto part = text.substr(comma + 2);
  text.resize(comma);
  return part;
}

RecordedResult result_of(const RecordedRun& run) {
  RecordedResult result{run, run.name};
  result.domain = taken_from_end(result.encoding);
  taken_from_end(result.encoding);  // the contract
  result.stored = taken_from_end(result.encoding);
  return result;
}

/// "RoPE", and what else tells the encoding: "head_dim 128, base 10000, half layout".
std::pair<std::string, std::string> scheme_and_rest(const std::string& encoding) {
  const auto comma = encoding.find(", ");
  return comma == std::string::npos ? std::pair{encoding, std::string()}
                                    : std::pair{encoding.substr(0, comma), encoding.substr(comma + 2)};
}

const ComparedImplementation* live_result(const std::vector<ComparedImplementation>& live,
                                          const RecordedResult& recorded) {
  const auto found = std::ranges::find_if(live, [&](const ComparedImplementation& one) {
    return one.result && one.name == recorded.implementation && one.encoding == recorded.encoding &&
           one.stored == recorded.stored;
  });
  return found == live.end() ? nullptr : &*found;
}

Json result_content(const RecordedResult& recorded, const std::vector<ComparedImplementation>& live) {
  Json content{{"class", recorded.is_broken() ? "bad" : "good"},
               {"tag", recorded.is_broken() ? "broken" : "kept"},
               {"used", budget_share_text(recorded.checks.front().budget_ratio().value_or(0))},
               {"encoding", scheme_and_rest(recorded.encoding).second},
               {"domain", recorded.domain},
               {"live", false}};
  if (const auto* now = live_result(live, recorded)) {
    content["live"] = {{"page", implementation_page_file(now->name)},
                       {"used", budget_share_text(now->result->greatest_budget_ratio)}};
  }
  return content;
}

std::set<std::string> names_of(bool only_broken) {
  std::set<std::string> names;
  for (const auto& one : recorded_results()) {
    if (one.is_broken() || !only_broken) {
      names.insert(one.implementation);
    }
  }
  return names;
}

}  // namespace

const std::vector<RecordedResult>& recorded_results() {
  static const auto results =
      mapped(parse_history(recorded_results_text(), "recorded_results.jsonl"), result_of);
  return results;
}

std::string_view library_of(std::string_view implementation) {
  return implementation.substr(0, implementation.find_first_of(", "));
}

std::size_t libraries_measured(const std::vector<ComparedImplementation>& comparison) {
  std::set<std::string_view> libraries;
  for (const auto* entry : measured(comparison)) {
    libraries.insert(library_of(entry->name));
  }
  return libraries.size();
}

Json recorded_matrix(const std::vector<ComparedImplementation>& live) {
  std::set<std::pair<std::string, std::string>> columns;
  std::map<std::string, std::vector<const RecordedResult*>> rows;
  for (const auto& one : recorded_results()) {
    columns.insert({scheme_and_rest(one.encoding).first, one.stored});
    rows[one.implementation].push_back(&one);
  }
  const auto heading = [](const auto& column) -> Json {
    return {{"scheme", column.first}, {"stored", column.second}};
  };
  Json lines = Json::array();
  for (const auto& [name, results] : rows) {
    Json cells = Json::array();
    for (const auto& column : columns) {
      Json here = Json::array();
      for (const auto* one : results) {
        if (column == std::pair{scheme_and_rest(one->encoding).first, one->stored}) {
          here.push_back(result_content(*one, live));
        }
      }
      cells.push_back({{"results", std::move(here)}});
    }
    lines.push_back({{"name", name},
                     {"producer", results.front()->producer},
                     {"date", results.front()->label},
                     {"cells", std::move(cells)}});
  }
  return {{"headings", array_json(columns, heading)}, {"rows", std::move(lines)}};
}

std::string recorded_headline() {
  return fmt::format("{} of {} implementations broke their contract when they were recorded",
                     names_of(true).size(), names_of(false).size());
}

}  // namespace vernier
