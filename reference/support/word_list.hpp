#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vernier {

/// The words in one line: "a, b or c". \param last_separator " or ", " and "
std::string joined(const std::vector<std::string>& words, std::string_view last_separator = ", ");

/// The same of what `word` makes of each thing: text or a whole number.
template <class Things, class Word = std::identity>
requires std::invocable<Word&, const typename Things::value_type&> std::string joined(
    const Things& things, Word word = {}, std::string_view last_separator = ", ") {
  std::vector<std::string> words;
  for (const auto& thing : things) {
    if constexpr (std::integral<std::remove_cvref_t<std::invoke_result_t<Word&, decltype(thing)>>>) {
      words.push_back(std::to_string(std::invoke(word, thing)));
    } else {
      words.emplace_back(std::invoke(word, thing));
    }
  }
  return joined(words, last_separator);
}

}  // namespace vernier
