#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/assets.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

// VERNIER_WEB_DIRECTORY is reports/web in the source tree.
std::string source(const std::string& name) {
  std::ifstream stream(std::filesystem::path(VERNIER_WEB_DIRECTORY) / name, std::ios::binary);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Assets, AreSortedAndFoundByName) {
  const auto names = asset_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const auto name : names) {
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

TEST(Assets, AddressesAreNamespacesAndIdentifiersOnly) {
  const std::set<std::string> known{
      "http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg", "http://www.w3.org/2000/xmlns/",
      "https://vega.github.io/schema/vega/v6.json",      // names the format of a chart
      "https://github.com/vega/vega-lite/issues/2415"};  // inside a warning's text
  const std::string script(asset("charts.js"));
  const std::regex address("https?://[A-Za-z0-9./_-]+");
  for (auto match = std::sregex_iterator(script.begin(), script.end(), address);
       match != std::sregex_iterator(); ++match) {
    EXPECT_THAT(known, Contains(match->str()));
  }
  EXPECT_EQ(asset("style.css").find("http"), std::string_view::npos);
  EXPECT_EQ(asset("style.css").find("url("), std::string_view::npos);
}

TEST(Assets, LicencesNameThePackagesAndNoPlaceOnThisMachine) {
  const std::string notices(asset("notices.txt"));
  for (const auto* package :
       {"vega-lite 6.5.0", "vega-interpreter 2.3.2", "vega-tooltip 1.1.0", "d3-scale "}) {
    EXPECT_THAT(notices, HasSubstr(package));
  }
  EXPECT_THAT(notices, Not(HasSubstr("node_modules")));
}

TEST(LockFile, PinsEveryPackageByItsHashAndNamesNoRegistry) {
  for (const std::string folder : {"", "../interop/node/"}) {
    const auto lock = source(folder + "package-lock.json");
    EXPECT_THAT(lock, HasSubstr("\"integrity\""));
    EXPECT_THAT(lock, Not(HasSubstr("\"resolved\"")));
    EXPECT_THAT(source(folder + ".npmrc"), HasSubstr("omit-lockfile-registry-resolved=true"));
  }
}

}  // namespace
}  // namespace vernier
