#include "numerics/processes/third_party_text.hpp"

namespace vernier {

std::string third_party_text(std::string_view text, std::size_t most) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
    if (!is_space) {
      line += c > ' ' && c <= '~' ? c : '?';
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (line.ends_with(' ')) {
    line.pop_back();
  }
  return line.size() <= most ? line : "..." + line.substr(line.size() - most);
}

std::string last_line(std::string_view printed) {
  constexpr std::string_view blank = " \t\r\n";
  const auto last = printed.find_last_not_of(blank);
  if (last == std::string_view::npos) {
    return {};
  }
  printed = printed.substr(0, last + 1);
  const auto line_feed = printed.find_last_of('\n');
  return third_party_text(line_feed == std::string_view::npos ? printed : printed.substr(line_feed + 1));
}

}  // namespace vernier
