#include "reports/html/glossary.hpp"

#include <map>
#include <stdexcept>

#include <fmt/core.h>

#include "reports/html/assets.hpp"
#include "reports/html/template.hpp"

namespace vernier {
namespace {

const std::map<std::string, std::string, std::less<>>& glossary() {
  static const auto terms =
      Json::parse(asset("glossary.json")).get<std::map<std::string, std::string, std::less<>>>();
  return terms;
}

std::string as_attribute(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '"' ? "&quot;" : c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  }
  return result;
}

}  // namespace

std::optional<std::string_view> definition_of(std::string_view term) {
  const auto found = glossary().find(term);
  return found == glossary().end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::string with_terms(std::string_view html) {
  constexpr std::string_view open = "<dfn>";
  constexpr std::string_view close = "</dfn>";
  std::string result;
  while (true) {
    const auto at = html.find(open);
    result += html.substr(0, at);
    if (at == std::string_view::npos) {
      return result;
    }
    html.remove_prefix(at + open.size());
    const auto term = html.substr(0, html.find(close));
    const auto definition = definition_of(term);
    if (!definition) {
      throw std::logic_error(fmt::format("the glossary has no '{}'", term));
    }
    result += fmt::format(R"(<dfn title="{}">{}</dfn>)", as_attribute(*definition), term);
    html.remove_prefix(term.size() + close.size());
  }
}

}  // namespace vernier
