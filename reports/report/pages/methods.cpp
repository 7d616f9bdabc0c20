#include <string>

#include "numerics/contracts/contract.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

DataTable contract_table() {
  return filled_table("methods/contract", contracts(), [](const Contract& contract) -> TableRow {
    return {std::string(contract.id), std::string(contract.meaning), std::string(contract.budget)};
  });
}

DataTable table_of_formats() {
  return filled_table("methods/formats", all_formats(), [](Format format) -> TableRow {
    const auto& t = traits(format);
    return {std::string(t.name), std::to_string(t.precision), number_text(t.unit_roundoff(), 4),
            number_text(t.smallest_normal(), 4), number_text(t.largest(), 4)};
  });
}

}  // namespace

Json methods_content(const ReportData& /*data*/) {
  return {{"contracts", to_html(contract_table())}, {"formats", to_html(table_of_formats())}};
}

}  // namespace vernier
