#include <string>

#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

/// Short enough for eleven columns.
std::string cell_text(Answer answer) {
  return answer == Answer::conditional ? "cond." : std::string(name_of(answer));
}

DataTable overview(const std::vector<ComputedRow>& matrix) {
  DataTable table{"Schemes and properties: yes, no, conditional, or – where the scheme has nothing to ask of",
                  {{"Scheme"}},
                  {}};
  for (const auto* property : matrix_properties()) {
    table.columns.push_back({std::string(property->model->column)});
  }
  for (const auto& row : matrix) {
    std::vector<std::string> cells{std::string(row.row->name)};
    for (const auto& cell : row.cells) {
      cells.push_back(cell_text(cell.answer));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

DataTable statements() {
  DataTable table{"What each property says", {{"Property"}, {"For all values of"}, {"Statement"}}, {}};
  for (const auto* property : matrix_properties()) {
    table.rows.push_back({std::string(property->model->column), std::string(property->model->variables),
                          std::string(property->statement)});
  }
  return table;
}

DataTable cells_of(const ComputedRow& row) {
  DataTable table{std::string(row.row->name) + ": each answer and what it rests on",
                  {{"Property"}, {"Answer"}, {"Established by"}, {"Because"}},
                  {}};
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto& cell = row.cells[i];
    table.rows.push_back({std::string(matrix_properties()[i]->model->column),
                          std::string(name_of(cell.answer)), std::string(name_of(cell.method)), cell.told});
  }
  return table;
}

Json matrix_content(const ReportData& data) {
  Json rows = Json::array();
  for (const auto& row : data.matrix) {
    rows.push_back({{"id", row.row->id}, {"name", row.row->name}, {"cells", to_html(cells_of(row))}});
  }
  return {
      {"overview", to_html(overview(data.matrix))}, {"statements", to_html(statements())}, {"rows", rows}};
}

}  // namespace

Page<ReportData> matrix_page() {
  return {"matrix.html", "Schemes and their properties", "Properties", "matrix", matrix_content};
}

}  // namespace vernier
