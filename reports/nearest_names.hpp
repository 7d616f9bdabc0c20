#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// The `count` names that somebody who wrote `word` most likely meant, the likeliest first, for an error
/// sentence. A letter left out counts a third of a wrong or superfluous one, as people shorten names:
/// "llama-3.1" is nearer to "llama-3.1-8b" than to "llama-7b". \param names at least `count`
std::vector<std::string> nearest_names(std::string_view word, std::span<const std::string> names,
                                       std::size_t count);

/// That a word is none of some names, and which was most likely meant: `found "nexo", expected half or
/// interleaved; did you mean half?` Of very many names the three nearest alone are told.
std::string not_among(std::string_view word, std::span<const std::string> names);

/// What `name` makes of each thing.
template <class Things, class Name>
std::vector<std::string> names_of(const Things& things, Name name) {
  std::vector<std::string> names;
  for (const auto& thing : things) {
    names.emplace_back(std::invoke(name, thing));
  }
  return names;
}

}  // namespace vernier
