#include "reference/json/json_fault.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/json/json.hpp"

namespace vernier {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view whitespace = " \t\r\n";
constexpr std::string_view ends_of_words = " \t\r\n{}[]:,\"";
constexpr std::string_view signs = "{}[]:,";

/// What a document may go on with.
enum class Next {
  document,
  value,
  element,         ///< after a comma
  element_or_end,  ///< after an opening bracket
  key,             ///< after a comma
  key_or_end,      ///< after an opening brace
  colon,
  comma_or_brace,
  comma_or_bracket,
  nothing,
};

struct Rule {
  std::string_view kinds;  ///< of pieces that may stand there
  std::string_view expected;
};

/// In the order of Next. A piece's kind is its sign, '"' of a string, 'w' of a word or a number.
constexpr std::array<Rule, 10> fault_rules{{{"{[\"w", "a JSON document"},
                                            {"{[\"w", "a value"},
                                            {"{[\"w", "a value after the comma"},
                                            {"{[\"w]", "a value or a closing bracket"},
                                            {"\"", "a key in double quotes after the comma"},
                                            {"\"}", "a key in double quotes or a closing brace"},
                                            {":", "a colon"},
                                            {",}", "a comma or a closing brace"},
                                            {",]", "a comma or a closing bracket"},
                                            {"", "nothing more"}}};

bool has(std::string_view characters, char one) {
  return characters.find(one) != std::string_view::npos;
}

/// Where the string that begins at `begin` is closed; npos if its line ends first.
std::size_t closing_quote(std::string_view text, std::size_t begin) {
  for (auto at = begin + 1; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') {
      return at;
    }
    const bool escapes = text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n';
    at += escapes ? 1 : 0;
  }
  return std::string_view::npos;
}

/// The piece of a document that begins at `begin`: a sign, a string, or else all up to the next of them.
std::string_view piece_at(std::string_view text, std::size_t begin) {
  if (text[begin] == '"') {
    const auto quote = closing_quote(text, begin);
    const auto end = quote == std::string_view::npos ? text.find('\n', begin) : quote + 1;
    return text.substr(begin, end - begin);
  }
  if (has(signs, text[begin])) {
    return text.substr(begin, 1);
  }
  return text.substr(begin, std::min(text.find_first_of(ends_of_words, begin), text.size()) - begin);
}

char kind_of(std::string_view piece) {
  return piece.front() == '"' || has(signs, piece.front()) ? piece.front() : 'w';
}

bool is_closed(std::string_view string) {
  return closing_quote(string, 0) != std::string_view::npos;
}

/// A string that is no JSON may hold anything.
std::string expected_of_string(std::string_view string) {
  if (!is_closed(string)) {
    return "a double quote that closes it in its line";
  }
  if (std::ranges::any_of(string, [](char one) { return static_cast<unsigned char>(one) < ' '; })) {
    return "no control character in it; a tab is written \\t";
  }
  const bool has_escapes = has(string, '\\');
  return has_escapes ? "UTF-8, and no escapes but JSON's, such as \\n, \\\\ and \\u00e9" : "UTF-8";
}

std::string found_of(std::string_view piece) {
  if (kind_of(piece) != '"') {
    return in_quotes(piece);
  }
  const auto inner = piece.substr(1, piece.size() - (is_closed(piece) ? 2 : 1));
  return "the string " + in_quotes(inner);
}

/// Follows a document piece by piece.
class Follower {
 public:
  Next next() const { return next_; }

  /// What may stand after a piece that may stand here.
  void pass(char kind) {
    switch (kind) {
      case '{':
        open_.push_back(kind);
        next_ = Next::key_or_end;
        return;
      case '[':
        open_.push_back(kind);
        next_ = Next::element_or_end;
        return;
      case ':':
        next_ = Next::value;
        return;
      case ',':
        next_ = open_.back() == '{' ? Next::key : Next::element;
        return;
      case '}':
      case ']':
        open_.pop_back();
        break;
      default:
        if (next_ == Next::key || next_ == Next::key_or_end) {
          next_ = Next::colon;
          return;
        }
    }
    next_ = open_.empty()         ? Next::nothing
            : open_.back() == '{' ? Next::comma_or_brace
                                  : Next::comma_or_bracket;
  }

 private:
  std::vector<char> open_;
  Next next_ = Next::document;
};

}  // namespace

TextPlace place_of(std::string_view text, std::size_t offset) {
  auto before = text.substr(0, offset);
  before.remove_prefix(before.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
  const auto line = before.substr(before.rfind('\n') + 1);  // rfind: npos + 1 is 0
  const auto continues = [](char one) { return (static_cast<unsigned char>(one) & 0xC0U) == 0x80U; };
  return {1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          1 + line.size() - static_cast<std::size_t>(std::ranges::count_if(line, continues))};
}

std::optional<JsonFault> json_fault(std::string_view text) {
  Follower document;
  auto at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while ((at = text.find_first_not_of(whitespace, at)) != std::string_view::npos) {
    const auto piece = piece_at(text, at);
    const auto kind = kind_of(piece);
    const auto& rule = fault_rules[static_cast<std::size_t>(document.next())];
    if (!has(rule.kinds, kind)) {
      return JsonFault{place_of(text, at), found_of(piece), std::string(rule.expected)};
    }
    if ((kind == '"' || kind == 'w') && !nlohmann::json::accept(piece)) {
      return JsonFault{place_of(text, at), found_of(piece),
                       kind == '"' ? expected_of_string(piece) : std::string(rule.expected)};
    }
    document.pass(kind);
    at += piece.size();
  }
  if (document.next() == Next::nothing) {
    return std::nullopt;
  }
  const auto end = text.find_last_not_of(whitespace) + 1;
  return JsonFault{place_of(text, end), "the end",
                   std::string(fault_rules[static_cast<std::size_t>(document.next())].expected)};
}

}  // namespace vernier
