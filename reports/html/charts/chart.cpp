#include "reports/html/charts/chart.hpp"

#include <regex>
#include <stdexcept>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/core.h>

#include "reports/html/charts/svg/drawing.hpp"

namespace vernier {
namespace {

void require_complete(const Figure& figure) {
  static const std::regex id("[A-Za-z][A-Za-z0-9-]*");
  require(figure, std::regex_match(figure.id, id), "an id is a letter, then letters, digits and hyphens");
  require(figure, !figure.title.empty() && !figure.caption.empty(), "a figure needs a title and a caption");
  require(figure, !figure.picture.empty(), "a figure needs a drawing");
  require(figure, !figure.table.rows.empty(), "a figure needs a table for readers who do not see the chart");
}

}  // namespace

void require(const ChartText& chart, bool condition, std::string_view complaint) {
  if (!condition) {
    throw std::logic_error(fmt::format("figure '{}': {}", chart.id, complaint));
  }
}

std::string caption_id(const std::string& figure_id) {
  return figure_id + "-caption";
}

std::string script_safe_json(const Json& json) {
  auto text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  boost::algorithm::replace_all(text, "<", "\\u003c");
  return text;
}

std::string to_html(const Figure& figure) {
  require_complete(figure);
  return render_template("figure", {{"id", figure.id},
                                    {"caption_id", caption_id(figure.id)},
                                    {"title", figure.title},
                                    {"caption", figure.caption},
                                    {"picture", figure.picture},
                                    {"table_summary", figure.table_summary},
                                    {"table", to_html(figure.table)}});
}

std::string tone_class(MarkTone tone) {
  return tone == MarkTone::good ? "good" : tone == MarkTone::bad ? "bad" : "neutral";
}

}  // namespace vernier
