#include "reference/support/word_list.hpp"

namespace vernier {

std::string joined(const std::vector<std::string>& words, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? std::string(last_separator) : ", ") + words[i];
  }
  return text;
}

}  // namespace vernier
