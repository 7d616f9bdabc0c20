#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "reference/word_list.hpp"
#include "reports/html/charts/scatter_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/quantity_text.hpp"
#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

std::string name_of(const ToleranceWorth& worth) {
  return std::string(worth.in_use->project) + ", " + std::string(traits(worth.in_use->type).name);
}

/// The difference that it allows at an element of size 1.
double allowed(const Tolerance& tolerance) {
  return tolerance.absolute + tolerance.relative;
}

enum class Worth { too_small, too_large, good };

/// Too small first: such a test fails of honest kernels, whatever else it lets through.
Worth worth_of(const ToleranceWorth& one) {
  return one.is_too_small() ? Worth::too_small : one.is_too_large() ? Worth::too_large : Worth::good;
}

struct WorthWords {
  std::string_view tag;
  std::string_view tone;
};

WorthWords words_of(Worth worth) {
  switch (worth) {
    case Worth::too_small:
      return {"too small", "bad"};
    case Worth::too_large:
      return {"too large", "neutral"};
    case Worth::good:
      break;
  }
  return {"as good as can be", "good"};
}

std::int64_t count(const std::vector<ToleranceWorth>& worths, Worth worth) {
  return std::ranges::count(worths, worth, worth_of);
}

Figure tolerances_against_needed(const std::vector<ToleranceWorth>& worths) {
  ScatterChart chart;
  chart.id = "allowed-and-needed";
  chart.title = "What tests allow, and what honest kernels need.";
  chart.caption =
      "Differences at an element of size 1: atol + rtol. On the line a test allows just what honest "
      "kernels need. Above it honest kernels fail; far to the right of it faults pass.";
  chart.x = {"difference that the test allows", AxisScale::logarithmic};
  chart.y = {"least that no honest kernel exceeds", AxisScale::logarithmic};
  chart.groups = {{MarkTone::bad, "too small: rejects honest kernels"},
                  {MarkTone::neutral, "too large: lets faults through without need"},
                  {MarkTone::good, "as good as can be"}};
  chart.diagonal = true;
  chart.diagonal_label = "just enough";
  chart.point_title = "Test";
  for (const auto& one : worths) {
    chart.points.push_back({allowed(one.in_use->tolerance), allowed(one.smallest), name_of(one),
                            static_cast<std::size_t>(worth_of(one)),
                            fmt::format("{} of {} kinds of fault pass", one.slipping, one.faults)});
  }
  return scatter_chart(chart);
}

/// What each test compares, "the same" written out: the list refers to the line above.
std::map<const ToleranceInUse*, std::string> compared_things(const std::vector<ToleranceWorth>& worths) {
  constexpr std::string_view again = "the same";
  std::map<const ToleranceInUse*, std::string> things;
  std::string last;
  for (const auto& one : worths) {
    const auto of = one.in_use->of;
    if (!of.starts_with(again)) {
      last = of;
    }
    things[one.in_use] = of.starts_with(again) ? last + std::string(of.substr(again.size())) : last;
  }
  return things;
}

/// One test: what it allows, what is needed, and what comes of it.
Json row(const ToleranceWorth& one, const std::string& compares) {
  const auto words = words_of(worth_of(one));
  const auto needless = one.slipping - std::min(one.slipping, one.slipping_smallest);
  return {{"name", name_of(one)},
          {"compares", compares},
          {"allowed", measure_text(allowed(one.in_use->tolerance))},
          {"needed", measure_text(allowed(one.smallest))},
          {"tag", words.tag},
          {"class", words.tone},
          {"slipping", fmt::format("{} of {}", one.slipping, one.faults)},
          {"needless", needless == 0 ? "–" : count_text(static_cast<std::int64_t>(needless))},
          {"examples", optional_text(joined(one.examples, "; "))}};
}

DataTable source_table(const std::vector<ToleranceWorth>& worths) {
  DataTable table{"Where the tolerances are from, and how they were judged",
                  {{"Project, type"},
                   {"Source"},
                   {"atol + rtol", true},
                   {"Needed: atol + rtol", true},
                   {"Judged against"},
                   {"Inputs up to", true},
                   {"Positions below", true},
                   {"Holds of honest arithmetic of the type"},
                   {"Honest kernels tried that fail", true}},
                  {}};
  const auto both = [](const Tolerance& tolerance) {
    return measure_text(tolerance.absolute) + " + " + measure_text(tolerance.relative);
  };
  for (const auto& worth : worths) {
    const auto& own = worth.holds_of_own_type;
    table.rows.push_back({name_of(worth), std::string(worth.in_use->source), both(worth.in_use->tolerance),
                          both(worth.smallest),
                          std::string(expected_names()[static_cast<std::size_t>(worth.in_use->expected)]),
                          worth.in_use->input_bound == 0 ? "–" : number_text(worth.in_use->input_bound, 2),
                          count_text(worth.positions), own ? (*own ? "yes" : "no") : "–",
                          fmt::format("{} of {}", worth.rejected, worth.honest)});
  }
  return table;
}

std::string tolerances_headline(const std::vector<ToleranceWorth>& worths) {
  const auto large = count(worths, Worth::too_large);
  const auto small = count(worths, Worth::too_small);
  return large + small == 0
             ? fmt::format("All {} tolerances that projects test with are as small as they can be",
                           worths.size())
             : fmt::format(
                   "Of {} tolerances that projects test with, {} reject{} honest kernels and {} let{} faults "
                   "through without need",
                   worths.size(), small, small == 1 ? "s" : "", large, large == 1 ? "s" : "");
}

/// Of tests that compare two computations from one table: all, and those that let most faults through.
Json one_table_content(const std::vector<ToleranceWorth>& worths) {
  const auto is_of_one_table = [](const ToleranceWorth& one) {
    return one.in_use->expected == Expected::same_table;
  };
  return {{"all", std::ranges::count_if(worths, is_of_one_table)},
          {"blind", std::ranges::count_if(worths, [&](const ToleranceWorth& one) {
             return is_of_one_table(one) && 2 * one.slipping > one.faults;
           })}};
}

Json tolerances_content(const ReportData& data) {
  const auto things = compared_things(data.tolerances);
  auto worths = data.tolerances;
  std::ranges::stable_sort(worths, {}, worth_of);
  Json rows = Json::array();
  for (const auto& one : worths) {
    rows.push_back(row(one, things.at(one.in_use)));
  }
  return {{"any", !worths.empty()},
          {"headline", tolerances_headline(worths)},
          {"figure", worths.empty() ? "" : to_html(tolerances_against_needed(worths))},
          {"one_table", one_table_content(worths)},
          {"rows", std::move(rows)},
          {"sources", to_html(source_table(worths))}};
}

}  // namespace

Page<ReportData> tolerances_page() {
  return {"tolerances.html", "What tolerances are worth", "Tolerances",
          "tolerances",      tolerances_content,          "reference.html"};
}

}  // namespace vernier
