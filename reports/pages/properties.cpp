#include <string>

#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

struct Symbol {
  std::string_view text;
  std::string_view tone;
};

Symbol symbol_of(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return {"✓", "good"};
    case Answer::no:
      return {"✗", "bad"};
    case Answer::conditional:
      return {"±", "neutral"};
    case Answer::not_applicable:
      return {"–", "none"};
    case Answer::undecided:
      break;
  }
  return {"?", "neutral"};
}

Json headings() {
  Json result = Json::array();
  for (const auto* property : matrix_properties()) {
    result.push_back({{"text", property->model->column}, {"statement", property->statement}});
  }
  return result;
}

Json row_content(const ComputedRow& row) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto& cell = row.cells[i];
    const auto symbol = symbol_of(cell.answer);
    cells.push_back({{"id", std::string(row.row->id) + "-" + std::to_string(i + 1)},
                     {"symbol", symbol.text},
                     {"tone", symbol.tone},
                     {"asked", cell.answer != Answer::not_applicable},
                     {"answer", name_of(cell.answer)},
                     {"property", matrix_properties()[i]->model->column},
                     {"scheme", row.row->name},
                     {"method", name_of(cell.method)},
                     {"told", cell.told}});
  }
  return {{"id", row.row->id}, {"name", row.row->name}, {"cells", std::move(cells)}};
}

DataTable statements() {
  DataTable table{"What each property says", {{"Property"}, {"For all values of"}, {"Statement"}}, {}};
  for (const auto* property : matrix_properties()) {
    table.rows.push_back({std::string(property->model->column), std::string(property->model->variables),
                          std::string(property->statement)});
  }
  return table;
}

Json properties_content(const ReportData& data) {
  Json rows = Json::array();
  for (const auto& row : data.matrix) {
    rows.push_back(row_content(row));
  }
  return {{"schemes", data.matrix.size()},
          {"properties", matrix_properties().size()},
          {"columns", headings()},
          {"rows", std::move(rows)},
          {"statements", to_html(statements())}};
}

}  // namespace

Page<ReportData> properties_page() {
  return {"properties.html",  "Which encoding has which property",
          "Properties",       "properties",
          properties_content, "reference.html"};
}

}  // namespace vernier
