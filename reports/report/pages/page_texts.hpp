#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "reference/numbers/format.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/table.hpp"
#include "reports/html/template.hpp"

namespace vernier {

/// pages.json: what the tables and charts of the pages say beside their numbers, each under the file and the
/// function that fill it; what recipes are called; the formulas of laws, as HTML.
const Json& page_texts();

/// A recipe in a few words, for charts and lists: "phase in float64"; its id where there are none for it.
std::string recipe_words(std::string_view recipe);
/// The same of a table stored in a format: "1/pow in float32, stored in bfloat16". A float32 table is the
/// usual case and not told.
std::string recipe_words(std::string_view recipe, Format stored);
/// The page of a recipe: "recipe-float32-pow.html".
std::string recipe_page_file(std::string_view recipe);

/// 2^first to 2^last, as positions along an axis.
std::vector<double> powers_of_two(int first, int last);

/// A text of them with what stands in its braces.
template <class... Parts>
std::string filled(const std::string& text, const Parts&... parts) {
  return fmt::format(fmt::runtime(text), parts...);
}

/// The table of this name without its rows, its caption still with braces. A heading that begins with # in
/// pages.json is of numbers.
DataTable unfilled_table(const std::string& name);

/// The same. \param parts of its caption
template <class... Parts>
DataTable described_table(const std::string& name, const Parts&... parts) {
  auto table = unfilled_table(name);
  table.caption = filled(table.caption, parts...);
  return table;
}

/// The same with a row for each thing. \param row makes it
template <class Things, class Row, class... Parts>
DataTable filled_table(const std::string& name, const Things& things, const Row& row, const Parts&... parts) {
  auto table = described_table(name, parts...);
  table.rows = mapped(things, row);
  return table;
}

/// The chart of this name without its data: its title, caption, and the titles of its axes or columns.
/// \param Chart BarChart or LineChart \param id of the figure, where pages.json has none
template <class Chart>
Chart described_chart(const std::string& name, const std::string& id = {});

}  // namespace vernier
