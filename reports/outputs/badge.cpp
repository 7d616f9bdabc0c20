#include "reports/outputs/badge.hpp"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/markup.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/told.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

constexpr std::string_view badge_label = "Vernier";

// The colours of statuses on the pages, each with white at least 6.5 to 1.
constexpr std::string_view green = "17693c";
constexpr std::string_view red = "b42318";
constexpr std::string_view amber = "7a5200";
constexpr std::string_view grey = "57606a";
constexpr std::string_view dark_grey = "444c56";

// Sizes in px, as badges have them that stand in one line.
constexpr double font_size = 11;
constexpr double badge_padding = 6;

std::string message_of(const Verdict& verdict) {
  const auto conclusion = outcome(verdict);
  std::vector<std::string> words{conclusion == Conclusion::does_not_conform
                                     ? "fails " + counted(count_of(verdict, Status::fail), "check", "checks")
                                     : std::string(in_words(conclusion))};
  if (const auto waived = count_of(verdict, Status::waived); waived > 0) {
    words.push_back(fmt::format("{} waived", waived));
  }
  if (!verdict.stale_waivers.empty()) {
    words.push_back(counted(verdict.stale_waivers.size(), "stale waiver", "stale waivers"));
  }
  if (!caution(verdict).empty()) {
    words.emplace_back("quick look");
  }
  return joined(words);
}

std::string_view colour_of(const Verdict& verdict) {
  // conforms, does not conform, inconclusive, nothing checked
  static constexpr std::array colours{green, red, amber, grey};
  const auto conclusion = outcome(verdict);
  const bool is_with_reserve =
      conclusion == Conclusion::conforms &&
      (exit_code(verdict) != 0 || count_of(verdict, Status::waived) > 0 || !caution(verdict).empty());
  return is_with_reserve ? amber : colours[static_cast<std::size_t>(conclusion)];
}

/// A text in its half of the badge. \param left in px
std::string text_svg(std::string_view text, double left) {
  return fmt::format(
      R"(<text x="{:.1f}" y="14" textLength="{:.1f}" lengthAdjust="spacingAndGlyphs">{}</text>)",
      left + badge_padding, text_width(text, font_size), as_markup(text));
}

std::string render_svg(const Verdict& verdict) {
  return badge_svg(badge_of(verdict)) + "\n";
}

/// What shields.io reads of an endpoint: https://shields.io/badges/endpoint-badge
std::string render_endpoint(const Verdict& verdict) {
  const auto badge = badge_of(verdict);
  OrderedJson document{
      {"schemaVersion", 1}, {"label", badge_label}, {"message", badge.message}, {"color", badge.colour}};
  if (badge.fails) {
    document["isError"] = true;
  }
  return document_text(document);
}

}  // namespace

Badge badge_of(const Verdict& verdict) {
  return {message_of(verdict), std::string(colour_of(verdict)),
          outcome(verdict) == Conclusion::does_not_conform};
}

std::string badge_svg(const Badge& badge) {
  const double middle = 2 * badge_padding + text_width(badge_label, font_size);
  const double width = middle + 2 * badge_padding + text_width(badge.message, font_size);
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.1f}" height="20" viewBox="0 0 {0:.1f} 20" role="img" )"
      R"(aria-label="{1}: {2}"><path fill="#{3}" d="M{4:.1f} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3H{4:.1f}z"/>)"
      R"(<path fill="#{5}" d="M{4:.1f} 0H{6:.1f}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{4:.1f}z"/>)"
      R"(<g fill="#fff" font-family="DejaVu Sans,Verdana,sans-serif" font-size="{7}">{8}{9}</g></svg>)",
      width, badge_label, as_markup(badge.message), dark_grey, middle, badge.colour, width - 3, font_size,
      text_svg(badge_label, 0), text_svg(badge.message, middle));
}

Output badge_output() {
  return {.name = "badge", .render = render_svg, .render_as_json = render_endpoint};
}

}  // namespace vernier
