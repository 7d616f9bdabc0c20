#pragma once

#include <regex>
#include <string>
#include <vector>

namespace vernier {

using PageRows = std::vector<std::vector<std::string>>;

/// The body of the first table in HTML whose caption begins so, row by row.
inline PageRows page_rows(const std::string& html, const std::string& caption) {
  const auto begin = html.find("<caption>" + caption);
  if (begin == std::string::npos) {
    return {};
  }
  const auto body = html.find("<tbody>", begin);
  const auto table = html.substr(body, html.find("</tbody>", body) - body);
  static const std::regex row("<tr>([^]*?)</tr>");
  static const std::regex cell("<t[hd][^>]*>([^]*?)</t[hd]>");
  PageRows rows;
  for (std::sregex_iterator one(table.begin(), table.end(), row); one != std::sregex_iterator(); ++one) {
    const auto text = (*one)[1].str();
    rows.emplace_back();
    for (std::sregex_iterator part(text.begin(), text.end(), cell); part != std::sregex_iterator(); ++part) {
      rows.back().push_back((*part)[1]);
    }
  }
  return rows;
}

/// The heads of the columns of that table.
inline std::vector<std::string> page_columns(const std::string& html, const std::string& caption) {
  const auto begin = html.find("<thead>", html.find("<caption>" + caption));
  const auto head = html.substr(begin, html.find("</thead>", begin) - begin);
  static const std::regex cell("<th[^>]*>([^]*?)</th>");
  std::vector<std::string> columns;
  for (std::sregex_iterator part(head.begin(), head.end(), cell); part != std::sregex_iterator(); ++part) {
    columns.push_back((*part)[1]);
  }
  return columns;
}

}  // namespace vernier
