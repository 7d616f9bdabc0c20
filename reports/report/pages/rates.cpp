#include "reports/measures/rates/rates.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

using rates::Drawn;
using rates::Judged;
using rates::Tally;
using rates::Way;

bool is_drawn(const rates::Rates& found, const rates::Fault& fault) {
  return std::ranges::find(found.faulty, &fault, &Drawn::fault) != found.faulty.end();
}

void add_row(DataTable& table, std::string name, const Tally& live, const Tally& stored) {
  std::vector<std::string> row{std::move(name)};
  for (const auto& tally : {live, stored}) {
    for (const auto count : {tally.conforms, tally.refused, tally.undecided}) {
      row.push_back(tally.all() == 0 ? "–" : count_text(static_cast<std::int64_t>(count)));
    }
  }
  table.rows.push_back(std::move(row));
}

DataTable rates_table(const rates::Rates& found) {
  auto table = described_table("rates/rates");
  const auto both = [&](const std::vector<Drawn>& drawn, std::string name, std::string_view fault) {
    add_row(table, std::move(name), tally(drawn, Way::live, fault), tally(drawn, Way::stored, fault));
  };
  both(found.honest, "honest", {});
  both(found.faulty, "faulty", {});
  for (const auto& fault : rates::faults()) {
    if (is_drawn(found, fault)) {
      both(found.faulty, std::string(fault.description), fault.id);
    }
  }
  return table;
}

DataTable wrong_table(const rates::Rates& found) {
  auto table = described_table("rates/wrong");
  for (const auto* group : {&found.honest, &found.faulty}) {
    for (const auto& one : *group) {
      for (const auto& judged : one.verdicts) {
        const bool is_honest = one.fault == nullptr;
        if ((judged.exit_code == 0) != is_honest && judged.exit_code != 4) {
          const auto size =
              one.size ? fmt::format("; {} times its budget", number_text(*one.size, 2)) : std::string();
          table.rows.push_back(
              {one.description,
               is_honest ? "none" : fmt::format("{}, {}{}", one.fault->id, one.parameters, size),
               judged.way == Way::live ? "live" : "stored",
               judged.finding.empty() ? "every element is within its budget" : judged.finding});
        }
      }
    }
  }
  return table;
}

/// What is right, of what was drawn: honest ones conform, faulty ones are refused.
Figure right_verdicts(const rates::Rates& found) {
  auto chart = described_chart<BarChart>("rates/right_verdicts");
  const auto add = [&](std::string label, const Tally& tally, std::size_t right) {
    if (tally.all() > 0) {
      chart.bars.push_back({std::move(label), right, tally.all(),
                            fmt::format("{} undecided", tally.undecided),
                            right == tally.all() ? MarkTone::good : MarkTone::neutral});
    }
  };
  for (const auto way : {Way::live, Way::stored}) {
    const auto* name = way == Way::live ? "live" : "stored";
    const auto honest = tally(found.honest, way);
    const auto faulty = tally(found.faulty, way);
    add(fmt::format("honest, {}: conform", name), honest, honest.conforms);
    add(fmt::format("faulty, {}: refused", name), faulty, faulty.refused);
  }
  return bar_chart(chart);
}

/// "2 of 40", "none of 40": those with a wrong verdict. \param accepted it is wrong to accept them, else to
/// refuse them
std::string wrong_share(const std::vector<Drawn>& drawn, bool accepted) {
  const auto wrong = std::ranges::count_if(drawn, [&](const Drawn& one) {
    return std::ranges::any_of(one.verdicts, [&](const Judged& judged) {
      return accepted ? judged.exit_code == 0 : judged.exit_code != 0 && judged.exit_code != 4;
    });
  });
  return fmt::format("{} of {}", wrong == 0 ? "none" : std::to_string(wrong), drawn.size());
}

Json rates_content(const ReportData& data) {
  const auto& found = data.rates;
  const auto wrong = wrong_table(found);
  const auto seconds = [&](Way way, double share) {
    return number_text(quantile_of_seconds(found, way, share), 2);
  };
  const bool any = !found.honest.empty() || !found.faulty.empty();
  return {{"any", any},
          {"accepted", wrong_share(found.faulty, true)},
          {"refused", wrong_share(found.honest, false)},
          {"figure", any ? to_html(right_verdicts(found)) : ""},
          {"honest", found.honest.size()},
          {"faulty", found.faulty.size()},
          {"drawn_kinds",
           std::ranges::count_if(rates::faults(),
                                 [&](const rates::Fault& fault) { return is_drawn(found, fault); })},
          {"kinds", rates::faults().size()},
          {"seed", std::to_string(found.options.seed)},
          {"longest", count_text(found.options.longest)},
          {"table", to_html(rates_table(found))},
          {"has_wrong", !wrong.rows.empty()},
          {"wrong", to_html(wrong)},
          {"live_median", seconds(Way::live, 0.5)},
          {"live_most", seconds(Way::live, 0.95)},
          {"stored_median", seconds(Way::stored, 0.5)},
          {"stored_most", seconds(Way::stored, 0.95)}};
}

}  // namespace

Page<ReportData> rates_page() {
  return {"rates.html",    "How often the verdict is wrong", "Error rates", "rates", rates_content,
          "reference.html"};
}

}  // namespace vernier
