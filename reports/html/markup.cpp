#include "reports/html/markup.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "reports/html/assets.hpp"
#include "reports/html/template.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 8> functions{"sin", "cos", "code", "score",
                                                    "det", "PE",  "base", "max"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string element(std::string_view name, std::string_view content) {
  return fmt::format("<{0}>{1}</{0}>", name, content);
}

/// Reads the notation from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  /// Up to the end, or to the brace that closes a group.
  std::string row() {
    std::vector<std::string> atoms;
    for (auto space = spaces(); !rest_.empty() && rest_.front() != '}'; space = spaces()) {
      const char next = rest_.front();
      if (next == '_' || next == '^') {
        if (atoms.empty()) {
          throw std::logic_error("formula: a script of nothing");
        }
        atoms.back() = scripted(atoms.back());
      } else {
        atoms.push_back((atoms.empty() ? std::string() : space) + atom());
      }
    }
    return fmt::format("{}", fmt::join(atoms, ""));
  }

  bool at_end() const { return rest_.empty(); }

 private:
  /// One space that no line breaks at for as many as there are; none for none.
  std::string spaces() {
    return take_while([](char c) { return c == ' '; }).empty() ? "" : "\u00a0";
  }

  std::string_view take(std::size_t length) {
    const auto taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  template <class Is>
  std::string_view take_while(Is is) {
    return take(static_cast<std::size_t>(std::ranges::find_if_not(rest_, is) - rest_.begin()));
  }

  /// Both scripts, where both stand, in either order.
  std::string scripted(const std::string& base) {
    std::string below;
    std::string above;
    while (!rest_.empty() && (rest_.front() == '_' || rest_.front() == '^')) {
      auto& script = take(1) == "_" ? below : above;
      script = atom();
    }
    return base + (below.empty() ? below : element("sub", below)) +
           (above.empty() ? above : element("sup", above));
  }

  std::string group() {
    take(1);
    auto inner = row();
    if (rest_.empty()) {
      throw std::logic_error("formula: a group does not end");
    }
    take(1);
    return inner;
  }

  std::string words() {
    take(1);
    const auto text = take_while([](char c) { return c != '"'; });
    take(1);
    return as_markup(text);
  }

  std::string letters() {
    for (const auto name : functions) {
      if (rest_.starts_with(name)) {
        return std::string(take(name.size()));
      }
    }
    return element("i", take(1));
  }

  std::string atom() {
    spaces();
    if (rest_.empty()) {
      throw std::logic_error("formula: a script is missing");
    }
    const char next = rest_.front();
    if (next == '{') {
      return group();
    }
    if (next == '"') {
      return words();
    }
    if (is_digit(next)) {
      return std::string(take_while(is_digit));
    }
    if (is_letter(next)) {
      return letters();
    }
    const auto tail = std::ranges::find_if_not(rest_.substr(1), is_continuation) - rest_.begin();
    const auto symbol = take(static_cast<std::size_t>(tail));
    const bool is_greek = symbol.front() == '\xCE' || symbol.front() == '\xCF';
    return is_greek ? element("i", symbol) : as_markup(symbol);
  }

  std::string_view rest_;
};

const std::map<std::string, std::string, std::less<>>& glossary() {
  static const auto terms =
      Json::parse(asset("glossary.json")).get<std::map<std::string, std::string, std::less<>>>();
  return terms;
}

constexpr std::array<std::pair<char, std::string_view>, 5> entities{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'"', "&quot;"}, {'>', "&gt;"}, {'\'', "&apos;"}}};

/// With the first so many of these.
std::string with_entities(std::string_view text, std::size_t count) {
  std::string result;
  for (const char c : text) {
    const auto* const end = entities.begin() + count;
    const auto* const entity =
        std::find_if(entities.begin(), end, [c](const auto& e) { return e.first == c; });
    result += entity == end ? std::string_view(&c, 1) : entity->second;
  }
  return result;
}

}  // namespace

std::string as_markup(std::string_view text) {
  return with_entities(text, entities.size());
}

std::string formula(std::string_view notation) {
  Reader reader(notation);
  auto row = reader.row();
  if (!reader.at_end()) {
    throw std::logic_error(fmt::format("formula '{}': a brace closes nothing", notation));
  }
  return row;
}

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
    result += fmt::format(R"(<dfn title="{}">{}</dfn>)", with_entities(*definition, 3), term);
    html.remove_prefix(term.size() + close.size());
  }
}

}  // namespace vernier
