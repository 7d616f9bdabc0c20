#include "reports/pages/manual.hpp"

#include "reports/html/assets.hpp"

namespace vernier {

std::vector<FilledPage> manual_pages() {
  std::vector<FilledPage> pages;
  for (const auto& page : Json::parse(asset("manual.json"))) {
    const auto title = page.at("title").get<std::string>();
    pages.push_back({page.at("file").get<std::string>(),
                     title,
                     title,
                     "manual",
                     {{"page", page.at("html")}},
                     pages.empty() ? "" : pages.front().file});
  }
  return pages;
}

}  // namespace vernier
