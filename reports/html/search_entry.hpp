#pragma once

#include <span>
#include <string>
#include <vector>

namespace vernier {

/// Something that the search box of a site finds.
struct SearchEntry {
  std::string kind;     ///< "model", "recipe", "claim" ...: shown beside the title
  std::string title;    ///< what a reader types some of
  std::string address;  ///< "claims.html#S1-07"
  std::string about;    ///< one sentence; its words are found too
};

/// The index as JSON that can stand inside a script element: an array of kind, title, address and sentence.
std::string search_index_json(std::span<const SearchEntry> entries);

/// A script that gives the index to the page that loads it: the site works from the file system, where
/// scripts may be loaded but no data.
std::string search_index_script(std::span<const SearchEntry> entries);

}  // namespace vernier
