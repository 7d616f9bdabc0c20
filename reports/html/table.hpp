#pragma once

#include <string>
#include <vector>

namespace vernier {

/// A column of a table. Numbers are set flush right.
struct TableColumn {
  std::string heading;
  bool number = false;
};

using TableRow = std::vector<std::string>;

/// A table in words and formatted numbers: every row has one text for each column, and the first names the
/// row.
struct DataTable {
  std::string caption;
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  bool sortable = false;  ///< by the reader, on a page that has charts and hence their script
};

/// The table as HTML that scrolls by itself where it is too wide for the page. All text is escaped. Throws
/// std::logic_error for a table without caption or columns, or whose rows do not fit the columns.
std::string to_html(const DataTable& table);

}  // namespace vernier
