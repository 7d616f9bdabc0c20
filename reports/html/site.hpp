#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/template.hpp"

namespace vernier {

/// Something that the search box of a site finds.
struct SearchEntry {
  std::string kind;     ///< "model", "recipe", "claim" ...: shown beside the title
  std::string title;    ///< what a reader types some of
  std::string address;  ///< "claims.html#S1-07"
  std::string about;    ///< one sentence; its words are found too
};

/// A page of a site.
struct Page {
  std::string file;           ///< "schemes.html"; lower-case letters, digits and hyphens
  std::string title;          ///< of the window and of search results
  std::string navigation;     ///< its name in the navigation
  std::string template_name;  ///< "schemes" for web/templates/schemes.mustache, the content of <main>
  Json content;               ///< the template's data; figures and tables enter it as HTML, by `to_html`
  std::string above = {};  ///< the file of the page beneath which the navigation has it; empty: beneath none
  bool listed = true;      ///< in the navigation; else the page above links to it
};

/// What every page of a site says about itself. No dates: the same run gives the same bytes.
struct SiteInfo {
  std::string name;     ///< of the whole site, "Vernier accuracy report"
  std::string version;  ///< of the program
  std::string seed;     ///< of what was drawn, to be given back to the command; empty where nothing was
};

/// Makes sure, before anything is computed, that a site can be written into this directory, which is created
/// where it is missing: that it is empty, or holds a site that Vernier wrote. \throws InputError if not
void require_writable(const std::filesystem::path& directory);

/// Writes the pages into `directory` in place of an earlier site there, with what they share in
/// `directory/assets`, the index of the search box among it. Works from the file system and without a
/// network. All pages are rendered before the first is written, and each file is written under a temporary
/// name and renamed. Throws InputError for a directory or file that cannot be written, and std::logic_error
/// for pages without "index.html", with two files of one name, with a bad file name or with content their
/// template refuses.
void write_site(const std::filesystem::path& directory, const SiteInfo& info, std::span<const Page> pages,
                std::span<const SearchEntry> index = {});

/// The same as one HTML document that needs no other file: pages are shown one at a time by its script,
/// without which the first one stands.
void write_site_in_one(const std::filesystem::path& file, const SiteInfo& info, std::span<const Page> pages,
                       std::span<const SearchEntry> index = {});

/// One page as a single HTML document that needs no other file and never touches the network. A page without
/// charts has no script. Throws std::logic_error for content the template refuses.
std::string render_self_contained(const SiteInfo& info, const Page& page);

}  // namespace vernier
