#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

std::string in_words(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t from_right = 3; from_right < digits.size(); from_right += 4) {
    digits.insert(digits.size() - from_right, ",");
  }
  return digits;
}

std::uint64_t elements(const ReportData& data) {
  std::uint64_t count = 0;
  for (const auto& study : data.tables) {
    for (const auto& entry : study.entries) {
      count += entry.report.statistics.count();
    }
  }
  return count;
}

/// Every table that breaks the contract of its recipe, and how it first does.
Json broken_contracts(const ReportData& data) {
  Json sentences = Json::array();
  for (const auto& study : data.tables) {
    for (const auto& entry : study.entries) {
      const auto& report = entry.report;
      if (report.failing == 0) {
        continue;
      }
      const auto& first = *report.first_failing;
      sentences.push_back(fmt::format("{} on {}: {} of {} elements, the first at position {}{}", entry.recipe,
                                      study.title, in_words(report.failing),
                                      in_words(report.statistics.count()),
                                      in_words(static_cast<std::uint64_t>(first.place.position)),
                                      std::isfinite(first.got) ? ", off by " + number_text(first.error, 2)
                                                               : ", where the value is not finite"));
    }
  }
  return sentences;
}

std::uint64_t entries(const ReportData& data) {
  std::uint64_t count = 0;
  for (const auto& study : data.tables) {
    count += study.entries.size();
  }
  return count;
}

double greatest_error(const TableStudy& study, std::string_view recipe) {
  return native_entry(study, recipe).report.statistics.absolute().greatest();
}

/// Float32 at the end of a long context: what no choice of recipe avoids.
std::string float32_finding(const TableStudy& longest) {
  const double best = greatest_error(longest, "float32-rounded-frequency");
  const double usual = greatest_error(longest, "float32-pow");
  return fmt::format(
      "In float32, {} is off by up to {} before position {} when frequencies are computed as 1 / "
      "base^(2i/d). Even frequencies rounded only once leave {}: rounding the phase costs as much as the "
      "frequency, and only a wider phase cures it.",
      longest.title, number_text(usual, 2), in_words(static_cast<std::uint64_t>(longest.positions)),
      number_text(best, 2));
}

std::string iterated_finding(const TableStudy& longest) {
  const double iterated = greatest_error(longest, "float32-iterated");
  const double usual = greatest_error(longest, "float32-pow");
  return fmt::format(
      "Carrying the phase from pair to pair by multiplication (float32-iterated) costs another factor of {}: "
      "an error of up to {}.",
      number_text(iterated / usual, 2), number_text(iterated, 2));
}

/// The first band of positions in which a recipe's error exceeds `threshold`.
std::string first_position_beyond(const AuditReport& report, double threshold) {
  for (const auto& [index, band] : report.bands) {
    if (band.whole().greatest_error > threshold) {
      return fmt::format("at position {} or before",
                         in_words(static_cast<std::uint64_t>(band.last_position)));
    }
  }
  return "nowhere in this table";
}

/// The first position whose row an implementation gives to the next position as well; -1 if there is none.
std::int64_t first_shared_row(const TableUnderTest& implementation, std::int64_t positions) {
  std::vector<double> row(implementation.columns());
  std::vector<double> next(row.size());
  implementation.row(0, row);
  for (std::int64_t position = 0; position + 1 < positions; ++position) {
    implementation.row(position + 1, next);
    if (row == next) {
      return position;
    }
    std::swap(row, next);
  }
  return -1;
}

std::string bfloat16_finding(const TableStudy& study) {
  const auto& recipe = *std::ranges::find(recipes(), "bfloat16-throughout", &Recipe::id);
  const auto shared = first_shared_row(RecipeTable(recipe, study.table, Format::bfloat16), study.positions);
  const auto stored = std::ranges::find_if(study.entries, [](const StudyEntry& entry) {
    return entry.recipe == "float32-pow" && entry.stored == Format::bfloat16;
  });
  return fmt::format(
      "Storing in bfloat16 is harmless, computing in it is not. A float32 table of {} rounded to bfloat16 is "
      "off by at most {}; one computed in bfloat16 is wrong by more than 0.5 {}{}",
      study.title, number_text(stored->report.statistics.absolute().greatest(), 2),
      first_position_beyond(native_entry(study, recipe.id).report, 0.5),
      shared < 0 ? "."
                 : fmt::format(", and positions {} and {} are the first to share one row.",
                               in_words(static_cast<std::uint64_t>(shared)),
                               in_words(static_cast<std::uint64_t>(shared + 1))));
}

std::string laws_sentence(const std::vector<LawStudy>& laws) {
  const auto good = std::ranges::count_if(laws, &LawStudy::as_it_should_be);
  return fmt::format(
      "{} of {} laws hold on the reference and on every recipe, and fail on every implementation broken on "
      "purpose that they are there to catch.",
      good, laws.size());
}

DataTable environment_table(const ReportData& data) {
  DataTable table{"What the numbers depend on", {{"What"}, {"Version"}}, {}};
  for (const auto& fact : data.environment) {
    table.rows.push_back({fact.name, fact.value});
  }
  return table;
}

Json overview_content(const ReportData& data) {
  const auto& longest = *std::ranges::max_element(data.tables, {}, &TableStudy::positions);
  const auto broken = broken_contracts(data);
  const auto count = entries(data);
  return {{"elements", in_words(elements(data))},
          {"recipes", std::to_string(studied_recipes().size())},
          {"tables", std::to_string(count)},
          {"kept", std::to_string(count - broken.size())},
          {"all_kept", broken.empty()},
          {"broken", broken},
          {"laws", laws_sentence(data.laws)},
          {"findings", Json::array({float32_finding(longest), iterated_finding(longest),
                                    bfloat16_finding(data.tables.front())})},
          {"environment", to_html(environment_table(data))}};
}

}  // namespace

Page<ReportData> overview_page() {
  return {"index.html", "Overview", "Overview", "overview", overview_content};
}

}  // namespace vernier
