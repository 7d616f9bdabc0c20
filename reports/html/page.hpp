#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/template.hpp"

namespace vernier {

/// A page of a site as its author declares it: one template, one function that fills it, one line in the
/// site's list of pages. `Data` is whatever the pages of that site are written from.
template <class Data>
struct Page {
  std::string_view file;           ///< "schemes.html"; lower-case letters, digits and hyphens
  std::string_view title;          ///< of the window and of search results
  std::string_view navigation;     ///< its name in the navigation
  std::string_view template_name;  ///< "schemes" for web/templates/schemes.mustache, the content of <main>
  Json (*content)(const Data&);    ///< the template's data; figures and tables enter it as HTML, by `to_html`
  std::string_view above = {};     ///< the file of the page beneath which the navigation has it; empty: none
};

/// A page with its data, ready to be written.
struct FilledPage {
  std::string file;
  std::string title;
  std::string navigation;
  std::string template_name;
  Json content;
  std::string above = {};  ///< the file of the page beneath which the navigation has it; empty: beneath none
  bool listed = true;      ///< in the navigation; else the page above links to it
};

/// Computes the content of each page from `data`, in order.
template <class Data>
std::vector<FilledPage> fill(std::span<const Page<Data>> pages, const Data& data) {
  std::vector<FilledPage> filled;
  for (const auto& page : pages) {
    filled.push_back({std::string(page.file), std::string(page.title), std::string(page.navigation),
                      std::string(page.template_name), std::invoke(page.content, data),
                      std::string(page.above)});
  }
  return filled;
}

}  // namespace vernier
