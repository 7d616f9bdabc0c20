#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <fmt/core.h>

#include "reports/html/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

constexpr int digits = 3;

std::string horizon_text(const ComparedImplementation& entry) {
  const auto& first = entry.result->first_unusable;
  return first ? std::to_string(*first - 1) : std::string("all ") + std::to_string(entry.positions);
}

std::string contract_text(const ComparedImplementation& entry) {
  const auto& result = *entry.result;
  const auto share = [&](std::uint64_t part) {
    return number_text(100 * static_cast<double>(part) / static_cast<double>(result.elements), 2) +
           " % of the elements";
  };
  return entry.contract + (result.failing > 0        ? ", broken by " + share(result.failing)
                           : result.inconclusive > 0 ? ", kept; says nothing of " + share(result.inconclusive)
                                                     : " kept");
}

std::string side_effects_text(const LeagueResult& result) {
  const auto& effects = result.side_effects;
  if (effects.empty()) {
    return result.watched ? "none" : "not watched";
  }
  std::string text;
  for (const auto& effect : effects) {
    text += (text.empty() ? "" : "; ") + effect.evidence;
  }
  return text;
}

std::string error_text(const LeagueResult& result) {
  return result.statistics.non_finite() > 0 ? "not finite"
                                            : number_text(result.statistics.absolute().greatest(), digits);
}

/// Further first; of those that carry as far, the more accurate.
bool better(const ComparedImplementation& a, const ComparedImplementation& b) {
  const auto reach = [](const ComparedImplementation& entry) {
    return entry.result->first_unusable.value_or(std::numeric_limits<std::int64_t>::max());
  };
  return std::pair(-reach(a), a.result->statistics.absolute().greatest()) <
         std::pair(-reach(b), b.result->statistics.absolute().greatest());
}

using Entries = std::vector<const ComparedImplementation*>;

/// What was measured, by encoding, the best first.
std::map<std::string, Entries> by_encoding(const std::vector<ComparedImplementation>& comparison) {
  std::map<std::string, Entries> result;
  for (const auto& entry : comparison) {
    if (entry.result) {
      result[entry.encoding].push_back(&entry);
    }
  }
  for (auto& [encoding, entries] : result) {
    std::ranges::stable_sort(entries, [](const auto* a, const auto* b) { return better(*a, *b); });
  }
  return result;
}

DataTable comparison_table(const std::string& encoding, const Entries& entries) {
  DataTable table{encoding,
                  {{"Implementation"},
                   {"Tables of"},
                   {"Good to position", true},
                   {"Largest error", true},
                   {"at position", true},
                   {"Largest error, ulp", true},
                   {"Most phase roundings", true},
                   {"Largest share of its budget", true},
                   {"Contract"},
                   {"Side effects"}},
                  {},
                  true};
  for (const auto* entry : entries) {
    const auto& result = *entry->result;
    table.rows.push_back({entry->name + (entry->by_rotation ? ", unit vectors rotated" : ""), entry->stored,
                          horizon_text(*entry), error_text(result),
                          std::to_string(result.statistics.absolute().greatest_place().position),
                          number_text(result.statistics.ulps().greatest(), digits),
                          number_text(result.statistics.phase_roundings().greatest(), digits),
                          number_text(result.greatest_budget_ratio, digits), contract_text(*entry),
                          side_effects_text(result)});
  }
  return table;
}

/// The greatest error up to each of `positions`; NaN beyond those that were asked for.
std::vector<double> sampled(const ComparedImplementation& entry, const std::vector<double>& positions) {
  std::vector<double> values;
  for (const double position : positions) {
    double error = std::numeric_limits<double>::quiet_NaN();
    const bool asked = position <= static_cast<double>(entry.positions);
    for (const auto& point : entry.result->growth) {
      if (asked && static_cast<double>(point.last_position) <= position) {
        error = point.error;
      }
    }
    values.push_back(error);
  }
  return values;
}

/// Implementations whose errors grow alike share a line: the key names them all.
std::vector<Series> distinct_lines(const Entries& entries, const std::vector<double>& positions) {
  constexpr double alike = 1.25;
  std::vector<Series> lines;
  for (const auto* entry : entries) {
    auto values = sampled(*entry, positions);
    const auto same = [&](const Series& line) {
      return std::ranges::equal(line.values, values, [&](double a, double b) {
        return (std::isnan(a) && std::isnan(b)) || (a <= b * alike && b <= a * alike);
      });
    };
    const auto label = entry->name + ", " + entry->stored;
    if (const auto line = std::ranges::find_if(lines, same); line != lines.end()) {
      line->label += "; " + label;
    } else if (lines.size() < max_series) {
      lines.push_back({label, std::move(values)});
    }
  }
  return lines;
}

Figure growth_figure(const std::string& encoding, const Entries& entries) {
  LineChart chart;
  chart.id = "growth";
  chart.title = "The largest error up to a position.";
  chart.caption = encoding +
                  ". Errors of float32 phases grow with the position, whoever's sines they go through; a "
                  "16-bit table hides that up to where the phase is off by as much as its own rounding. "
                  "Implementations within a quarter of each other share a line.";
  chart.x = {"position", AxisScale::logarithmic};
  chart.y = {"largest error so far", AxisScale::logarithmic};
  constexpr std::int64_t first = 16;
  const auto last =
      std::ranges::max(entries, {}, [](const auto* entry) { return entry->positions; })->positions;
  for (auto position = first; position <= last; position *= 2) {
    chart.x_values.push_back(static_cast<double>(position));
  }
  chart.series = distinct_lines(entries, chart.x_values);
  return line_chart(chart);
}

DataTable versions(const std::vector<ComparedImplementation>& comparison) {
  DataTable table{"What was asked", {{"Implementation"}, {"Found"}, {"Encoding"}, {"Type"}, {"Outcome"}}, {}};
  for (const auto& entry : comparison) {
    table.rows.push_back(
        {entry.name, entry.found.empty() ? "nothing" : entry.found, entry.encoding, entry.stored,
         entry.result ? fmt::format("measured at {} positions", entry.positions) : entry.reason});
  }
  return table;
}

/// The encoding that most implementations were measured on.
const std::pair<const std::string, Entries>* most_measured(const std::map<std::string, Entries>& groups) {
  const auto most = std::ranges::max_element(groups, {}, [](const auto& g) { return g.second.size(); });
  return most == groups.end() ? nullptr : &*most;
}

Json implementations_content(const ReportData& data) {
  const auto groups = by_encoding(data.comparison);
  Json tables = Json::array();
  for (const auto& [encoding, entries] : groups) {
    tables.push_back({{"table", to_html(comparison_table(encoding, entries))}});
  }
  Json result{{"any_listed", !data.comparison.empty()},
              {"tables", std::move(tables)},
              {"versions", data.comparison.empty() ? "" : to_html(versions(data.comparison))}};
  const auto* most = most_measured(groups);
  result["figure"] = most == nullptr ? "" : to_html(growth_figure(most->first, most->second));
  return result;
}

}  // namespace

Page<ReportData> implementations_page() {
  return {"implementations.html", "Implementations people run", "Implementations", "implementations_compared",
          implementations_content};
}

}  // namespace vernier
