#include "reports/html/site.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "numerics/formats/unfinished_file.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/html/assets.hpp"
#include "reports/html/charts/chart.hpp"
#include "reports/html/markup.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

namespace fs = std::filesystem;

// How figure.mustache opens a chart. Text from elsewhere is escaped and cannot contain it.
constexpr std::string_view chart_mark = "<figure class=\"chart\"";

constexpr std::string_view first_page = "index.html";
constexpr std::string_view page_suffix = ".html";

// What a page may load: nothing but pictures inside it, and the given scripts and styles.
std::string policy(const std::string& scripts, const std::string& styles) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
      scripts, styles);
}

std::string hash_source(std::string_view asset_name) {
  return fmt::format("'sha256-{}'", asset(std::string(asset_name) + ".sha256"));
}

const Page* page_named(std::span<const Page> pages, std::string_view file) {
  const auto found = std::ranges::find(pages, file, &Page::file);
  return found == pages.end() ? nullptr : &*found;
}

// The pages above one, the topmost first; then the page itself.
std::vector<const Page*> trail(std::span<const Page> pages, const Page& page) {
  std::vector<const Page*> result{&page};
  while (result.size() <= pages.size()) {
    const auto* above = page_named(pages, result.front()->above);
    if (above == nullptr) {
      return result;
    }
    result.insert(result.begin(), above);
  }
  throw std::logic_error(fmt::format("page '{}': stands above itself", page.file));
}

// The listed pages beneath `above`, of which the reader sees the last of `path`.
Json navigation(std::span<const Page> pages, std::string_view above, std::span<const Page* const> path) {
  Json entries = Json::array();
  for (const auto& page : pages) {
    if (page.listed && page.above == above) {
      const bool current = &page == path.back();
      const bool open = !current && std::ranges::find(path, &page) != path.end();
      entries.push_back(
          {{"file", page.file}, {"label", page.navigation}, {"current", current}, {"open", open}});
    }
  }
  return entries;
}

// The way to a page that the navigation does not list.
Json steps(std::span<const Page* const> path) {
  return array_json(path.first(path.back()->listed ? 0 : path.size() - 1), [](const Page* page) {
    return Json{{"file", page->file}, {"label", page->navigation}};
  });
}

// The data of layout.mustache, except what depends on whether style and script are inside the page or beside
// it.
Json layout_data(const SiteInfo& info, const Page& page) {
  std::string main = render_template(page.template_name, page.content);
  const bool has_charts = main.find(chart_mark) != std::string::npos;
  return {{"site", info.name},   {"version", info.version},  {"seed", optional_text(info.seed)},
          {"title", page.title}, {"has_charts", has_charts}, {"main", with_terms(main)}};
}

// The same of a page that stands among others.
Json page_data(const SiteInfo& info, std::span<const Page> pages, const Page& page) {
  Json data = layout_data(info, page);
  data["has_navigation"] = true;
  const auto path = trail(pages, page);
  data["navigation"] = navigation(pages, "", path);
  data["beneath"] = navigation(pages, path.front()->file, path);
  data["steps"] = steps(path);
  return data;
}

std::string render_linked(const SiteInfo& info, std::span<const Page> pages, const Page& page) {
  Json data = page_data(info, pages, page);
  data["inlined"] = false;
  data["policy"] = policy("'self'", "'self'");
  return render_template("layout", data);
}

/// The index as JSON that can stand inside a script element: an array of kind, title, address and sentence.
std::string search_index_json(std::span<const SearchEntry> entries) {
  const auto lines = mapped(entries, [](const SearchEntry& entry) {
    return "\n" + script_safe_json(Json::array({entry.kind, entry.title, entry.address, entry.about}));
  });
  return fmt::format("[{}\n]", fmt::join(lines, ","));
}

// All pages in one: the first stands, the others wait in templates (web/place.mjs shows them).
std::string render_in_one(const SiteInfo& info, std::span<const Page> pages,
                          std::span<const SearchEntry> index) {
  Json data{
      {"version", info.version},
      {"seed", optional_text(info.seed)},
      {"policy", policy(hash_source("site.js") + " " + hash_source("charts.js"), hash_source("style.css"))},
      {"style", asset("style.css")},
      {"index", search_index_json(index)},
      {"site_script", asset("site.js")},
      {"chart_script", asset("charts.js")},
      {"pages", Json::array()}};
  for (const auto& page : pages) {
    const auto title = fmt::format("{} – {}", page.title, info.name);
    const auto body = render_template("page_body", page_data(info, pages, page));
    if (page.file == first_page) {
      data["first_title"] = title;
      data["first"] = body;
    }
    data["pages"].push_back({{"name", page.file.substr(0, page.file.size() - page_suffix.size())},
                             {"title", title},
                             {"body", body}});
  }
  return render_template("one_file", data);
}

bool is_page_file(const std::string& file) {
  static const std::regex form("[a-z0-9-]+\\.html");
  return std::regex_match(file, form);
}

void require_proper_files(std::span<const Page> pages) {
  std::set<std::string_view> files;
  for (const auto& page : pages) {
    if (!is_page_file(page.file)) {
      throw std::logic_error(
          fmt::format("page '{}': a file name is lower-case letters, digits, hyphens and .html", page.file));
    }
    if (!files.insert(page.file).second) {
      throw std::logic_error(fmt::format("page '{}': two pages have this file name", page.file));
    }
  }
  if (!files.contains(first_page)) {
    throw std::logic_error("a site needs a page index.html");
  }
}

// Whether a file is a page of a site that this program wrote: not one that stands alone, as a verdict's.
bool is_own_page(const fs::path& file) {
  constexpr std::size_t enough = 2000;
  std::string text(enough, '\0');
  std::ifstream stream(file, std::ios::binary);
  refuse_if(
      !stream.read(text.data(), static_cast<std::streamsize>(enough)) && !stream.eof() && is_there(file),
      "{}: cannot be read", file.string());
  const auto has = [&](std::string_view mark) { return text.find(mark) != std::string::npos; };
  return has("<meta name=\"generator\" content=\"Vernier ") && has("href=\"assets/style.css\"");
}

// Makes sure that what is in a folder may be replaced.
void require_own(const fs::path& directory) {
  std::error_code error;
  const auto files = fs::directory_iterator(directory, error);
  refuse_if(error && error != std::errc::no_such_file_or_directory, "{}: cannot be read ({})",
            directory.string(), error.message());
  if (!error && files != fs::directory_iterator() && !is_own_page(directory / first_page)) {
    throw InputError(
        "The report directory '{}' holds {}, and no report of Vernier's: expected an empty folder, a new "
        "one, or a report to replace.",
        directory.string(), files->path().filename().string());
  }
}

// Pages of an earlier report that this one does not have.
void remove_other_pages(const fs::path& directory, std::span<const Page> pages) {
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const auto name = entry.path().filename().string();
    if (entry.is_regular_file() && is_page_file(name) && page_named(pages, name) == nullptr &&
        is_own_page(entry.path())) {
      stale.push_back(entry.path());
    }
  }
  std::error_code error;  // a page that stays is of no harm
  for (const auto& file : stale) {
    fs::remove(file, error);
  }
}

}  // namespace

void require_writable(const std::filesystem::path& directory) {
  const auto made = made_folder(directory);
  require_own(directory);
  const UnfinishedFile probe(directory / "probe");
}

void write_site(const std::filesystem::path& directory, const SiteInfo& info, std::span<const Page> pages,
                std::span<const SearchEntry> index) {
  require_proper_files(pages);
  const auto assets = directory / "assets";
  // The pages come last: a page that stands finds what it refers to.
  std::vector<std::pair<fs::path, std::string>> files;
  for (const auto* name : {"charts.js", "site.js", "style.css"}) {
    files.push_back({assets / name, std::string(asset(name))});
  }
  // A script: the site works from the file system, where scripts may be loaded but no data.
  files.push_back(
      {assets / "search-index.js", fmt::format("window.vernierIndex = {};\n", search_index_json(index))});
  for (const auto& page : pages) {
    files.push_back({directory / page.file, render_linked(info, pages, page)});
  }
  require_writable(directory);
  const auto made = made_folder(assets);
  for (const auto& [path, text] : files) {
    write_whole(path, text);
  }
  remove_other_pages(directory, pages);
}

void write_site_in_one(const std::filesystem::path& file, const SiteInfo& info, std::span<const Page> pages,
                       std::span<const SearchEntry> index) {
  require_proper_files(pages);
  write_whole(file, render_in_one(info, pages, index));
}

std::string render_self_contained(const SiteInfo& info, const Page& page) {
  Json data = layout_data(info, page);
  const bool has_charts = data.at("has_charts").get<bool>();
  data["inlined"] = true;
  data["policy"] = policy(has_charts ? hash_source("charts.js") : "'none'", hash_source("style.css"));
  data["has_navigation"] = false;
  data["has_steps"] = false;
  data["style"] = asset("style.css");
  if (has_charts) {
    data["script"] = asset("charts.js");
  }
  return render_template("layout", data);
}

}  // namespace vernier
