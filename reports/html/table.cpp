#include "reports/html/table.hpp"

#include <stdexcept>

#include <fmt/core.h>

#include "reports/html/template.hpp"

namespace vernier {
namespace {

void require_complete(const DataTable& table) {
  if (table.caption.empty() || table.columns.empty()) {
    throw std::logic_error(fmt::format("table '{}': a table needs a caption and columns", table.caption));
  }
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size()) {
      throw std::logic_error(fmt::format("table '{}': a row of {} cells for {} columns", table.caption,
                                         row.size(), table.columns.size()));
    }
  }
}

Json cell(const TableColumn& column, const std::string& text) {
  return {{"number", column.number}, {"text", text}};
}

}  // namespace

std::string to_html(const DataTable& table) {
  require_complete(table);
  Json columns = Json::array();
  for (const auto& column : table.columns) {
    columns.push_back(cell(column, column.heading));
  }
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (std::size_t i = 1; i < row.size(); ++i) {
      cells.push_back(cell(table.columns[i], row[i]));
    }
    rows.push_back(
        {{"number", table.columns.front().number}, {"first", row.front()}, {"cells", std::move(cells)}});
  }
  return render_template("table", {{"caption", table.caption},
                                   {"sortable", table.sortable},
                                   {"columns", std::move(columns)},
                                   {"rows", std::move(rows)}});
}

}  // namespace vernier
