#include "numerics/live/third_party_text.hpp"

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

}  // namespace vernier
