#include "reports/html/table.hpp"

#include <stdexcept>

#include <fmt/core.h>

#include "reports/html/template.hpp"
#include "reports/words/number_json.hpp"

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
  const auto heading = [](const TableColumn& column) { return cell(column, column.heading); };
  const auto row_json = [&](const std::vector<std::string>& row) -> Json {
    Json cells = Json::array();
    for (std::size_t i = 1; i < row.size(); ++i) {
      cells.push_back(cell(table.columns[i], row[i]));
    }
    return {{"number", table.columns.front().number}, {"first", row.front()}, {"cells", std::move(cells)}};
  };
  return render_template("table", {{"caption", table.caption},
                                   {"sortable", table.sortable},
                                   {"columns", array_json(table.columns, heading)},
                                   {"rows", array_json(table.rows, row_json)}});
}

}  // namespace vernier
