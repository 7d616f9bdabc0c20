#include <algorithm>
#include <iterator>

#include "reports/pages/manual.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {

std::vector<FilledPage> all_pages(const ReportData& data) {
  auto pages = fill<ReportData>(make_all(page_makers), data);
  for (const auto make : {model_pages, recipe_pages, implementation_pages, evidence_pages}) {
    std::ranges::move(make(data), std::back_inserter(pages));
  }
  auto manual = manual_pages();
  manual.front().navigation = "Check yours";
  std::ranges::move(manual, std::back_inserter(pages));
  return pages;
}

}  // namespace vernier
