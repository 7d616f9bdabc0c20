#include <string>

#include "numerics/contracts/contract.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

DataTable contract_table() {
  auto table = described_table("methods/contract");
  for (const auto& contract : contracts()) {
    table.rows.push_back(
        {std::string(contract.id), std::string(contract.meaning), std::string(contract.budget)});
  }
  return table;
}

DataTable table_of_formats() {
  auto table = described_table("methods/formats");
  for (const auto format : all_formats()) {
    const auto& t = traits(format);
    table.rows.push_back({std::string(t.name), std::to_string(t.precision), number_text(t.unit_roundoff(), 4),
                          number_text(t.smallest_normal(), 4), number_text(t.largest(), 4)});
  }
  return table;
}

Json methods_content(const ReportData& /*data*/) {
  return {{"contracts", to_html(contract_table())}, {"formats", to_html(table_of_formats())}};
}

}  // namespace

Page<ReportData> methods_page() {
  return {"methods.html", "Methods", "Methods", "methods", methods_content, "reference.html"};
}

}  // namespace vernier
