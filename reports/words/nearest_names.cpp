#include "reports/words/nearest_names.hpp"

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {

std::string not_among(std::string_view word, std::span<const std::string> names) {
  constexpr std::size_t most_told = 32;  // two lines or three; there are fewer commands
  constexpr std::size_t suggestions = 3;
  const auto found = fmt::format("found \"{}\", expected", one_line(word));
  if (names.size() > most_told) {
    return fmt::format("{} one of {} names; the nearest are {}", found, names.size(),
                       joined(nearest_names(word, names, suggestions), " and "));
  }
  return fmt::format("{} {}; did you mean {}?", found,
                     joined(std::vector(names.begin(), names.end()), " or "),
                     nearest_names(word, names, 1).front());
}

}  // namespace vernier
