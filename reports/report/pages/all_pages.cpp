#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/core.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/assets.hpp"
#include "reports/report/pages/implementations/measured.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {

Json reference_content(const ReportData& data) {
  return {{"laws", data.laws.size()},
          {"schemes", data.matrix.size()},
          {"properties", matrix_properties().size()},
          {"real_faults", std::ranges::count_if(data.record, &RecordedCase::is_fault)}};
}

Page filled_page(const ReportPage& page, const ReportData& data) {
  return {std::string(page.file),          std::string(page.title), std::string(page.navigation),
          std::string(page.template_name), page.content(data),      std::string(page.above)};
}

std::vector<Page> manual_pages() {
  std::vector<Page> pages;
  for (const auto& page : Json::parse(asset("manual.json"))) {
    const auto title = page.at("title").get<std::string>();
    pages.push_back({page.at("file").get<std::string>(),
                     title,
                     title,
                     "manual",
                     {{"page", page.at("html")}},
                     pages.empty() ? "" : pages.front().file});
  }
  return pages;
}

std::vector<Page> all_pages(const ReportData& data) {
  auto pages = mapped(report_pages, [&](const ReportPage& page) { return filled_page(page, data); });
  for (const auto make : {model_pages, recipe_pages, implementation_pages}) {
    std::ranges::move(make(data), std::back_inserter(pages));
  }
  auto manual = manual_pages();
  manual.front().navigation = "Check yours";
  std::ranges::move(manual, std::back_inserter(pages));
  return pages;
}

std::vector<SearchEntry> search_entries(const ReportData& data, std::span<const Page> pages) {
  std::vector<SearchEntry> entries;
  for (const auto& page : pages) {
    if (page.listed) {
      entries.push_back(
          {"page", page.title, page.file, page.navigation == page.title ? "" : page.navigation});
    }
  }
  for (const auto& one : configurations(data.field)) {
    const bool all = one.model->layers == "all";
    entries.push_back({"model", name_of(one), one.page + (all ? "" : "#" + file_word(one.model->layers)),
                       fmt::format("{} {}", finding_of(one), text_of_need(one, "advice"))});
  }
  for (const auto& recipe : recipes()) {
    entries.push_back({"recipe", recipe_words(recipe.id), recipe_page_file(recipe.id),
                       fmt::format("{}: {}", recipe.id, recipe.description)});
  }
  for (const auto& [name, of_name] : grouped(measured(data.comparison), &ComparedImplementation::name)) {
    entries.push_back({"implementation", name, implementation_page_file(name),
                       breaks_contract(*of_name.front()) ? "breaks its contract" : "keeps its contract"});
  }
  for (const auto& document : data.claims) {
    for (const auto& claim : document.claims) {
      entries.push_back({"claim", claim.statement, "claims.html#" + claim.id,
                         fmt::format("{}, {}, {}", name_of(claim.verdict), claim.id, document.title)});
    }
  }
  for (const auto& one : filtered(data.record, &RecordedCase::is_fault)) {
    entries.push_back({"fault", one.fault, "field-record.html#" + one.name, one.source});
  }
  return entries;
}

}  // namespace vernier
