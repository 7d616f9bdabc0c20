#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

std::vector<std::string> crowded_texts(const Picture& picture) {
  static const std::regex size("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(picture.svg, found, size));
  const DrawnBox whole{-0.5, -0.5, std::stod(found[1]) + 0.5, std::stod(found[2]) + 0.5};
  std::vector<std::string> crowded;
  for (std::size_t i = 0; i < picture.texts.size(); ++i) {
    const auto& [text, box] = picture.texts[i];
    if (box.left < whole.left || box.right > whole.right || box.top < whole.top ||
        box.bottom > whole.bottom) {
      crowded.push_back(text + " leaves the drawing");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (overlap(box, picture.texts[j].box)) {
        crowded.push_back(text + " overlaps " + picture.texts[j].text);
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
  const Picture picture{
      "<svg viewBox=\"0 0 100 50\">",
      {{"a", {0, 0, 10, 15}}, {"b", {9, 14, 20, 30}}, {"c", {0, 15, 9, 30}}, {"d", {95, 0, 120, 9}}}};
  EXPECT_THAT(crowded_texts(picture), ElementsAre("b overlaps a", "d leaves the drawing"));
}

}  // namespace
}  // namespace vernier
