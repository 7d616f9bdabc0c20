#include <algorithm>
#include <array>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "reports/html/markup.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

struct Symbol {
  std::string_view text;
  std::string_view tone;
};

/// That a scheme lacks a property is what it is, and no fault: nothing here is red.
Symbol symbol_of(Answer answer) {
  // yes, no, conditional, not applicable, undecided
  static constexpr std::array<Symbol, 5> symbols{
      {{"✓", "good"}, {"✗", "none"}, {"±", "neutral"}, {"–", "none"}, {"?", "neutral"}}};
  return symbols[static_cast<std::size_t>(answer)];
}

/// Why a scheme lacks a property, in a few words.
std::string_view kind_of(const MatrixCell& cell) {
  if (cell.answer != Answer::no) {
    return "";
  }
  return cell.method == Method::exact ? "follows from its definition" : "a counterexample, made small";
}

std::size_t count_of(const ComputedRow& row, Answer answer) {
  return static_cast<std::size_t>(std::ranges::count(row.cells, answer, &MatrixCell::answer));
}

/// None has all, and who comes closest; or who has all.
std::string properties_headline(const std::vector<ComputedRow>& rows) {
  if (rows.empty()) {
    return "No encoding was asked in this run";
  }
  const auto all = matrix_properties().size();
  const auto most =
      std::ranges::max(rows, {}, [](const ComputedRow& row) { return count_of(row, Answer::yes); });
  const auto greatest = count_of(most, Answer::yes);
  return greatest == all
             ? fmt::format("{} has all {} properties that people expect of an encoding", most.row->name, all)
             : fmt::format("No encoding has all {} properties that people expect; the most is {}", all,
                           greatest);
}

Json headings() {
  return array_json(matrix_properties(), [](const Property* property) -> Json {
    return {{"text", property->model->column}, {"statement", property->statement}};
  });
}

/// A name as markup, with what it raises and lowers: "p^T", "R_(i-j)".
std::string with_scripts(std::string_view name) {
  auto text = as_markup(name);
  for (const auto& [mark, element] : {std::pair{"_", "sub"}, {"\\^", "sup"}}) {
    const auto replacement = fmt::format("<{0}>$1</{0}>", element);
    // In brackets, which may hold others, or a word.
    text = std::regex_replace(text, std::regex(std::string(mark) + R"(\(((?:[^()]|\([^()]*\))*)\))"),
                              replacement);
    text = std::regex_replace(text, std::regex(std::string(mark) + "(-?[A-Za-z0-9]+)"), replacement);
  }
  return text;
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
                     {"kind", optional_text(std::string(kind_of(cell)))},
                     {"told", cell.told}});
  }
  return {{"id", row.row->id}, {"name", with_scripts(row.row->name)}, {"cells", std::move(cells)}};
}

DataTable statements() {
  return filled_table("properties/statements", matrix_properties(), [](const Property* property) -> TableRow {
    return {std::string(property->model->column), std::string(property->model->variables),
            std::string(property->statement)};
  });
}

}  // namespace

Json properties_content(const ReportData& data) {
  return {{"headline", properties_headline(data.matrix)}, {"schemes", data.matrix.size()},
          {"properties", matrix_properties().size()},     {"columns", headings()},
          {"rows", array_json(data.matrix, row_content)}, {"statements", to_html(statements())}};
}

}  // namespace vernier
