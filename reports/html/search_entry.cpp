#include "reports/html/search_entry.hpp"

#include "reports/html/chart.hpp"

namespace vernier {

std::string search_index_script(std::span<const SearchEntry> entries) {
  std::string script = "window.vernierIndex = [\n";
  for (const auto& entry : entries) {
    script += script_safe_json(Json::array({entry.kind, entry.title, entry.address, entry.about})) + ",\n";
  }
  return script + "];\n";
}

}  // namespace vernier
