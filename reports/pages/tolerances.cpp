#include <algorithm>

#include <fmt/format.h>

#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

std::string name_of(const ToleranceWorth& worth) {
  return std::string(worth.in_use->project) + ", " + std::string(traits(worth.in_use->type).name);
}

std::string text_of_both(const Tolerance& tolerance) {
  return number_text(tolerance.absolute, 3) + " + " + number_text(tolerance.relative, 3);
}

DataTable worth_table(const std::vector<ToleranceWorth>& worths) {
  DataTable table{"Tolerances in use",
                  {{"Project, type"},
                   {"Judged at positions below", true},
                   {"atol + rtol", true},
                   {"Smallest atol + rtol", true},
                   {"Holds of honest float32"},
                   {"Holds of honest arithmetic of the type"},
                   {"Honest ones rejected", true},
                   {"Kinds of fault let through", true},
                   {"With the smallest", true},
                   {"Lets through without need"}},
                  {}};
  for (const auto& worth : worths) {
    const auto& own = worth.holds_of_own_type;
    table.rows.push_back(
        {name_of(worth), std::to_string(worth.positions), text_of_both(worth.in_use->tolerance),
         bound_text(worth.smallest.absolute, 3) + " + " + bound_text(worth.smallest.relative, 3),
         worth.holds_of_float32 ? "yes" : "no", own ? (*own ? "yes" : "no") : "–",
         std::to_string(worth.rejected) + " of " + std::to_string(worth.honest),
         std::to_string(worth.slipping) + " of " + std::to_string(worth.faults),
         std::to_string(worth.slipping_smallest),
         worth.examples.empty() ? "–" : fmt::format("{}", fmt::join(worth.examples, "; "))});
  }
  return table;
}

DataTable source_table(const std::vector<ToleranceWorth>& worths) {
  DataTable table{"Where they are from",
                  {{"Project, type"},
                   {"Source"},
                   {"Compares"},
                   {"Judged against"},
                   {"Inputs up to", true},
                   {"Positions below", true}},
                  {}};
  for (const auto& worth : worths) {
    table.rows.push_back({name_of(worth), std::string(worth.in_use->source), std::string(worth.in_use->of),
                          std::string(expected_names()[static_cast<std::size_t>(worth.in_use->expected)]),
                          worth.in_use->input_bound == 0 ? "–" : number_text(worth.in_use->input_bound, 2),
                          std::to_string(worth.in_use->positions)});
  }
  return table;
}

Json tolerances_content(const ReportData& data) {
  const auto& worths = data.tolerances;
  const auto count = [&](auto holds) { return std::ranges::count_if(worths, holds); };
  return {
      {"tolerances", worths.size()},
      {"too_small", count([](const ToleranceWorth& one) { return !one.holds_of_float32; })},
      {"too_large", count([](const ToleranceWorth& one) { return one.slipping > one.slipping_smallest; })},
      {"as_good_as_can_be", count([](const ToleranceWorth& one) {
         return one.holds_of_float32 && one.slipping <= one.slipping_smallest;
       })},
      {"one_table",
       count([](const ToleranceWorth& one) { return one.in_use->expected == Expected::same_table; })},
      {"blind", count([](const ToleranceWorth& one) {
         return one.in_use->expected == Expected::same_table && 2 * one.slipping > one.faults;
       })},
      {"worths", to_html(worth_table(worths))},
      {"sources", to_html(source_table(worths))}};
}

}  // namespace

Page<ReportData> tolerances_page() {
  return {"tolerances.html", "What tolerances are worth", "Tolerances",
          "tolerances",      tolerances_content,          "reference.html"};
}

}  // namespace vernier
