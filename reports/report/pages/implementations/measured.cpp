#include "reports/report/pages/implementations/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/recipes/recipe_charts.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::int64_t reach(const ComparedImplementation& entry) {
  return entry.result->first_unusable.value_or(std::numeric_limits<std::int64_t>::max());
}

std::vector<std::string> distinct_names(const MeasuredEntries& entries,
                                        bool (*wanted)(const ComparedImplementation&)) {
  std::vector<std::string> names;
  for (const auto* entry : entries) {
    if (wanted(*entry) && std::ranges::find(names, entry->name) == names.end()) {
      names.push_back(entry->name);
    }
  }
  return names;
}

/// The greatest error up to each of `positions`; NaN beyond those that were asked for.
std::vector<double> sampled(const ComparedImplementation& entry, const std::vector<double>& positions) {
  return mapped(positions, [&](double position) {
    double error = std::numeric_limits<double>::quiet_NaN();
    const bool asked = position <= static_cast<double>(entry.positions);
    for (const auto& point : entry.result->growth) {
      if (asked && static_cast<double>(point.last_position) <= position) {
        error = point.error;
      }
    }
    return error;
  });
}

struct Line {
  std::vector<double> values;
  MeasuredEntries entries;

  bool is_like(const std::vector<double>& others) const {
    constexpr double alike = 1.25;
    return std::ranges::equal(values, others, [](double a, double b) {
      return (std::isnan(a) && std::isnan(b)) || (a <= b * alike && b <= a * alike);
    });
  }

  std::string label() const {
    if (entries.size() == 1) {
      return entries.front()->name + ", " + entries.front()->stored;
    }
    std::set<std::string> types;
    for (const auto* entry : entries) {
      types.insert(entry->stored);
    }
    return fmt::format("{} alike, {}", entries.size(),
                       joined(std::vector<std::string>(types.begin(), types.end())));
  }
};

std::vector<Line> distinct_lines(const MeasuredEntries& entries, const std::vector<double>& positions) {
  std::vector<Line> lines;
  for (const auto* entry : entries) {
    auto values = sampled(*entry, positions);
    const auto line = std::ranges::find_if(lines, [&](const Line& one) { return one.is_like(values); });
    if (line != lines.end()) {
      line->entries.push_back(entry);
    } else if (lines.size() < max_series) {
      lines.push_back({std::move(values), {entry}});
    }
  }
  return lines;
}

/// Who shares a line, in words.
std::string shared_text(const std::vector<Line>& lines) {
  std::string text;
  for (const auto& line : lines) {
    if (line.entries.size() > 1) {
      text += fmt::format(" “{}”: {}.", line.label(),
                          joined(line.entries, [](const auto* entry) { return entry->name; }));
    }
  }
  return text;
}

/// By how much the error grows from the first position of a line to its last, over all lines.
std::string growth_text(const std::vector<Line>& lines) {
  std::vector<double> factors;
  for (const auto& line : lines) {
    const auto ended = std::ranges::find_if(line.values, [](double value) { return std::isnan(value); });
    if (ended != line.values.begin() && line.values.front() > 0) {
      factors.push_back(*(ended - 1) / line.values.front());
    }
  }
  if (factors.empty()) {
    return "";
  }
  const auto [least, most] = std::ranges::minmax(factors);
  return fmt::format(" At the last of the positions drawn it is {}{} times what it is at the first of them.",
                     measure_text(least), lines.size() == 1 ? "" : " to " + measure_text(most));
}

}  // namespace

MeasuredEntries measured(const std::vector<ComparedImplementation>& comparison) {
  MeasuredEntries entries;
  for (const auto& entry : comparison) {
    if (entry.result) {
      entries.push_back(&entry);
    }
  }
  std::ranges::stable_sort(entries, {}, [](const ComparedImplementation* one) {
    return std::tuple(!breaks_contract(*one), -reach(*one), one->result->statistics.absolute().greatest());
  });
  return entries;
}

bool breaks_contract(const ComparedImplementation& entry) {
  return entry.result && entry.result->failing > 0;
}

std::vector<std::string> names_of_breaking(const std::vector<ComparedImplementation>& comparison) {
  return distinct_names(measured(comparison), breaks_contract);
}

std::vector<std::string> names_of_measured(const std::vector<ComparedImplementation>& comparison) {
  return distinct_names(measured(comparison), [](const ComparedImplementation&) { return true; });
}

std::string_view contract_tag(const ComparedImplementation& entry) {
  return kept_text(entry.result->failing, entry.result->inconclusive);
}

std::string_view contract_class(const ComparedImplementation& entry) {
  return breaks_contract(entry) ? "bad" : entry.result->inconclusive > 0 ? "neutral" : "good";
}

std::string reach_text(const ComparedImplementation& entry) {
  const auto& first = entry.result->first_unusable;
  return !first ? "all " + count_text(entry.positions) : *first == 0 ? "none" : count_text(*first - 1);
}

std::string meaning_of(const ComparedImplementation& entry,
                       const std::vector<ComparedImplementation>& comparison) {
  const ComparedImplementation* best = nullptr;
  for (const auto& other : comparison) {
    const bool is_comparable = other.result && !breaks_contract(other) && other.encoding == entry.encoding &&
                               other.stored == entry.stored && other.positions == entry.positions;
    if (is_comparable && (best == nullptr || reach(other) > reach(*best))) {
      best = &other;
    }
  }
  const auto& first = entry.result->first_unusable;
  const auto carries =
      !first ? fmt::format("Its {} tables are right at {} positions", entry.stored, reach_text(entry))
      : *first == 0
          ? fmt::format("Its {} tables are wrong from position 0 on", entry.stored)
          : fmt::format("Its {} tables are right up to position {}", entry.stored, reach_text(entry));
  if (best == nullptr || best->name == entry.name) {
    return carries + ".";
  }
  if (reach(entry) >= reach(*best)) {
    return carries + ": as far as any that keeps the contract.";
  }
  return fmt::format("{}; {} reaches {}.", carries, best->name, reach_text(*best));
}

Figure growth_figure(const MeasuredEntries& entries, const std::string& id) {
  auto chart = described_chart<LineChart>("measured/growth_figure", id);
  chart.title = entries.size() == 1 ? fmt::format("{}, {}: the largest error up to a position.",
                                                  entries.front()->encoding, entries.front()->stored)
                                    : "The largest error up to a position.";
  constexpr std::int64_t first = 16;
  const auto last =
      std::ranges::max(entries, {}, [](const auto* entry) { return entry->positions; })->positions;
  for (auto position = first; position <= std::max(first, last); position *= 2) {
    chart.x_values.push_back(static_cast<double>(position));
  }
  const auto lines = distinct_lines(entries, chart.x_values);
  chart.caption = entries.front()->encoding + "." + growth_text(lines) + shared_text(lines);
  chart.series = mapped(lines, [](const Line& line) { return Series{line.label(), line.values}; });
  return line_chart(chart);
}

std::string implementation_page_file(const std::string& name) {
  return "implementation-" + file_word(library_of(name)) + ".html";
}

}  // namespace vernier
