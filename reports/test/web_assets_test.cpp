#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/assets.hpp"
#include "reports/report/pages/page_texts.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

// VERNIER_WEB_DIRECTORY is reports/web in the source tree.
std::string source(const std::string& name) {
  std::ifstream stream(std::filesystem::path(VERNIER_WEB_DIRECTORY) / name, std::ios::binary);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Assets, AreFoundByName) {
  std::vector<std::string> names{"charts.js", "style.css", "atlas.json", "glossary.json", "manual.json"};
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(VERNIER_WEB_DIRECTORY) / "templates")) {
    names.push_back(file.path().filename().string());
  }
  EXPECT_GT(names.size(), 5U);
  for (const auto& name : names) {
    EXPECT_FALSE(asset(name).empty()) << name;
  }
  EXPECT_EQ(find_asset("gone"), std::nullopt);
  EXPECT_THROW(asset("gone"), std::logic_error);
}

TEST(Assets, TemplatesAreThoseOfTheSourceTree) {
  EXPECT_EQ(asset("layout.mustache"), source("templates/layout.mustache"));
  EXPECT_EQ(asset("table.mustache"), source("templates/table.mustache"));
}

TEST(Assets, WhatStandsInsideAPageCannotEndItsElement) {
  for (const auto* name : {"charts.js", "style.css"}) {
    for (const auto* sequence : {"<!--", "<script", "</script", "</style", "\r", "sourceMappingURL"}) {
      EXPECT_EQ(asset(name).find(sequence), std::string_view::npos) << name << ' ' << sequence;
    }
    EXPECT_THAT(std::string(asset(std::string(name) + ".sha256")), MatchesRegex("[A-Za-z0-9+/]{43}="));
  }
}

TEST(Assets, NameNoAddress) {
  for (const auto* name : {"charts.js", "style.css"}) {
    const auto text = asset(name);
    for (const auto* part : {"http:", "https:"}) {
      EXPECT_EQ(text.find(part), std::string_view::npos) << name << ' ' << part;
    }
    // A part of the same page is none.
    for (auto at = text.find("url("); at != std::string_view::npos; at = text.find("url(", at + 1)) {
      EXPECT_EQ(text.substr(at, 5), "url(#") << name;
    }
  }
}

TEST(Assets, AreLightEnoughForEveryPage) {
  constexpr std::size_t kilobyte = 1000;
  EXPECT_LT(asset("charts.js").size(), 16 * kilobyte);
}

TEST(LockFile, PinsEveryPackageByItsHashAndNamesNoRegistry) {
  for (const std::string folder : {"", "../implementations/node/"}) {
    const auto lock = source(folder + "package-lock.json");
    EXPECT_THAT(lock, HasSubstr("\"integrity\""));
    EXPECT_THAT(lock, Not(HasSubstr("\"resolved\"")));
    EXPECT_THAT(source(folder + ".npmrc"), HasSubstr("omit-lockfile-registry-resolved=true"));
  }
}

/// What tables and charts say stands in pages.json: that each name is one of a page.
TEST(PageTexts, AreThoseThatPagesAskFor) {
  std::string pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(VERNIER_WEB_DIRECTORY) / ".." / "report" / "pages")) {
    if (entry.path().extension() == ".cpp") {
      std::ifstream stream(entry.path(), std::ios::binary);
      pages.append(std::istreambuf_iterator<char>(stream), {});
    }
  }
  for (const auto& [name, text] : page_texts().items()) {
    EXPECT_THAT(pages, HasSubstr('"' + name + '"'));
  }
}

}  // namespace
}  // namespace vernier
