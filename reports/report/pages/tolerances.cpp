#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/html/charts/scatter_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

std::string name_of(const ToleranceWorth& worth) {
  return std::string(worth.in_use->project) + ", " + std::string(traits(worth.in_use->type).name);
}

/// What can be said of a tolerance: any of these, each apart.
struct WorthTag {
  std::string_view text;
  std::string_view tone;
  bool (ToleranceWorth::*is)() const;
};

constexpr std::array worth_tags{
    WorthTag{"rejects honest kernels", "bad", &ToleranceWorth::rejects},
    WorthTag{"may reject honest kernels", "neutral", &ToleranceWorth::may_reject},
    WorthTag{"too large", "neutral", &ToleranceWorth::is_too_large},
    WorthTag{"blind to most faults", "neutral", &ToleranceWorth::is_blind_to_most},
};

/// The place of the first that applies; behind the last where none does.
std::size_t first_tag(const ToleranceWorth& one) {
  return static_cast<std::size_t>(
      std::ranges::find_if(worth_tags, [&](const WorthTag& tag) { return (one.*tag.is)(); }) -
      worth_tags.begin());
}

std::vector<WorthTag> tags_of(const ToleranceWorth& one) {
  std::vector<WorthTag> tags;
  std::ranges::copy_if(worth_tags, std::back_inserter(tags),
                       [&](const WorthTag& tag) { return (one.*tag.is)(); });
  return tags.empty() ? std::vector{WorthTag{"no smaller one catches more", "good", nullptr}} : tags;
}

Figure tolerances_against_needed(const std::vector<ToleranceWorth>& worths) {
  auto chart = described_chart<ScatterChart>("tolerances/tolerances_against_needed");
  chart.groups = {{MarkTone::bad, "rejected an honest kernel"},
                  {MarkTone::neutral, "may reject one, too large, or blind to most faults"},
                  {MarkTone::good, "none of these"}};
  chart.diagonal = true;
  for (const auto& one : worths) {
    const auto first = first_tag(one);
    chart.points.push_back({one.in_use->tolerance.absolute, one.needed_absolute, name_of(one),
                            first == worth_tags.size() ? std::size_t{2} : std::min(first, std::size_t{1}),
                            fmt::format("{}; {} of {} kinds of fault pass",
                                        joined(tags_of(one), &WorthTag::text), one.slipping, one.faults)});
  }
  return scatter_chart(chart);
}

std::string both_parts(const Tolerance& tolerance) {
  return measure_text(tolerance.absolute) + " + " + measure_text(tolerance.relative);
}

std::string conditions_of(const ToleranceWorth& one) {
  const auto bound = one.in_use->input_bound;
  return fmt::format("{}, positions below {}",
                     bound == 0 ? "tables" : "inputs up to " + number_text(bound, 2),
                     count_text(one.positions));
}

/// One test: what it allows, what is needed, and what comes of it.
Json row(const ToleranceWorth& one) {
  Json tags = Json::array();
  for (const auto& tag : tags_of(one)) {
    tags.push_back({{"text", tag.text}, {"class", tag.tone}});
  }
  const auto needless = one.slipping - std::min(one.slipping, one.slipping_smallest);
  return {{"name", name_of(one)},
          {"compares", one.in_use->of},
          {"conditions", conditions_of(one)},
          {"allowed", both_parts(one.in_use->tolerance)},
          {"needed", measure_text(one.needed_absolute)},
          {"tags", std::move(tags)},
          {"rejected", fmt::format("{} of {}", one.rejected, one.honest)},
          {"slipping", fmt::format("{} of {}", one.slipping, one.faults)},
          {"needless", needless == 0 ? "–" : count_text(static_cast<std::int64_t>(needless))},
          {"examples", optional_text(joined(one.examples, "; "))}};
}

DataTable source_table(const std::vector<ToleranceWorth>& worths) {
  auto table = described_table("tolerances/source");
  for (const auto& worth : worths) {
    const auto& own = worth.holds_of_own_type;
    table.rows.push_back({name_of(worth), std::string(worth.in_use->source), both_parts(worth.smallest),
                          std::string(expected_names()[static_cast<std::size_t>(worth.in_use->expected)]),
                          own ? (*own ? "yes" : "no") : "–"});
  }
  return table;
}

std::string tolerances_headline(const std::vector<ToleranceWorth>& worths) {
  const auto count = [&](std::size_t tag) { return std::ranges::count_if(worths, worth_tags[tag].is); };
  return fmt::format(
      "{} tolerances that projects test with: {} seen to reject honest kernels, {} more that may, {} too "
      "large, "
      "{} blind to most faults",
      worths.size(), count(0), count(1), count(2), count(3));
}

/// Tests that compare two computations from one table: all, and those that miss most faults.
Json one_table_content(const std::vector<ToleranceWorth>& worths) {
  const auto is_of_one_table = [](const ToleranceWorth& one) {
    return one.in_use->expected == Expected::same_table;
  };
  return {{"all", std::ranges::count_if(worths, is_of_one_table)},
          {"blind", std::ranges::count_if(worths, [&](const ToleranceWorth& one) {
             return is_of_one_table(one) && one.is_blind_to_most();
           })}};
}

Json tolerances_content(const ReportData& data) {
  auto worths = data.tolerances;
  std::ranges::stable_sort(worths, {}, first_tag);
  Json rows = Json::array();
  for (const auto& one : worths) {
    rows.push_back(row(one));
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
