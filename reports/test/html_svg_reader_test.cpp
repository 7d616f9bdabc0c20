#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/test/svg_reader.hpp"

namespace vernier {

std::string malformed(const std::string& markup) {
  static const std::regex token("<(/?)([a-zA-Z]+)((?:\\s+[a-z:A-Z-]+=\"[^\"<]*\")*)\\s*(/?)>|([^<]+)|(<)");
  static const std::regex stray("&(?!(amp|lt|gt|quot|apos);)");
  std::vector<std::string> open;
  for (auto match = std::sregex_iterator(markup.begin(), markup.end(), token);
       match != std::sregex_iterator(); ++match) {
    const auto& found = *match;
    if (found[6].matched) {
      return "a stray < before " + markup.substr(static_cast<std::size_t>(found.position()), 40);
    }
    if (std::regex_search(found.str(), stray)) {
      return "a stray & in " + found.str();
    }
    if (found[5].matched || found[4].length() > 0) {
      continue;
    }
    if (found[1].length() == 0) {
      open.push_back(found[2]);
    } else if (open.empty() || open.back() != found[2]) {
      return "</" + found[2].str() + "> closes nothing";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

namespace {

struct ReadText {
  std::string text;
  DrawnBox box;
};

/// The room of each text at most, less the half of a tenth to which places are written.
std::vector<ReadText> texts_of(const std::string& svg) {
  static const std::regex element(
      "<text(?: class=\"[a-z-]+\")? x=\"([0-9.-]+)\" y=\"([0-9.-]+)\"(?: "
      "text-anchor=\"([a-z]+)\")?>([^<]*)</text>");
  static const std::regex entity("&(amp|lt|gt|quot|apos);");
  constexpr double slack = 0.05;
  std::vector<ReadText> texts;
  for (auto match = std::sregex_iterator(svg.begin(), svg.end(), element); match != std::sregex_iterator();
       ++match) {
    const auto& found = *match;
    const auto text = std::regex_replace(found[4].str(), entity, "&");
    const double width = text_width(text, Drawing::letters);
    const double left = std::stod(found[1]) - (found[3] == "end"      ? 1
                                               : found[3] == "middle" ? 0.5
                                                                      : 0) *
                                                  width;
    const double middle = std::stod(found[2]);
    const double half = Drawing::line_spacing / 2 - slack;
    texts.push_back({text, {left + slack, middle - half, left + width - slack, middle + half}});
  }
  return texts;
}

bool overlap(const DrawnBox& a, const DrawnBox& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

}  // namespace

std::vector<std::string> crowded_texts(const std::string& svg) {
  static const std::regex size("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(svg, found, size));
  const DrawnBox whole{-0.5, -0.5, std::stod(found[1]) + 0.5, std::stod(found[2]) + 0.5};
  const auto texts = texts_of(svg);
  EXPECT_EQ(texts.size(), occurrences(svg, "<text"));
  std::vector<std::string> crowded;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& [text, box] = texts[i];
    if (box.left < whole.left || box.right > whole.right || box.top < whole.top ||
        box.bottom > whole.bottom) {
      crowded.push_back(text + " leaves the drawing");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (overlap(box, texts[j].box)) {
        crowded.push_back(text + " overlaps " + texts[j].text);
      }
    }
  }
  return crowded;
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SvgReader, SeesWhatIsNotWellFormed) {
  EXPECT_EQ(malformed("<svg a=\"1\"><g><path d=\"M0 0\"/></g>\n<text>a &lt; b</text></svg>"), "");
  EXPECT_THAT(malformed("<svg><g></svg>"), HasSubstr("closes nothing"));
  EXPECT_THAT(malformed("<svg><g></g>"), HasSubstr("never closed"));
  EXPECT_THAT(malformed("<svg>a < b</svg>"), HasSubstr("stray <"));
  EXPECT_THAT(malformed("<svg a=\"<\"></svg>"), HasSubstr("stray <"));
  EXPECT_THAT(malformed("<svg>a & b</svg>"), HasSubstr("stray &"));
}

TEST(SvgReader, SeesTextsThatOverlapOrLeave) {
  Drawing drawing;
  drawing.text(0, 8, TextAnchor::start, "a");
  drawing.text(6, 20, TextAnchor::start, "b");
  drawing.text(5, 40, TextAnchor::middle, "c");
  drawing.text(98, 8, TextAnchor::start, "d");
  const auto picture = drawing.finish(100, 50, "picture", "caption");
  EXPECT_THAT(crowded_texts(picture), ElementsAre("b overlaps a", "d leaves the drawing"));
}

}  // namespace
}  // namespace vernier
