#include "reports/html/search_entry.hpp"

#include "reports/html/charts/chart.hpp"

namespace vernier {

std::string search_index_json(std::span<const SearchEntry> entries) {
  std::string list;
  for (const auto& entry : entries) {
    list += (list.empty() ? "\n" : ",\n") +
            script_safe_json(Json::array({entry.kind, entry.title, entry.address, entry.about}));
  }
  return "[" + list + "\n]";
}

std::string search_index_script(std::span<const SearchEntry> entries) {
  return "window.vernierIndex = " + search_index_json(entries) + ";\n";
}

}  // namespace vernier
