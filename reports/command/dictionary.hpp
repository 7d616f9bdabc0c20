#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// What a word means to Vernier.
struct WordMeaning {
  std::string word;
  std::string kind;  ///< "glossary", "role of a tensor", "key of rope, xpos"
  std::string sentence;
  std::string command;  ///< that says or does more
};

/// Every meaning of every word: of the glossary, contracts, recipes, roles of tensors, keys of specs, models
/// of the catalogue, commands and options.
const std::vector<WordMeaning>& dictionary();

/// The meanings of a word, a key also by the last part of its path; hyphens, underscores and blanks are one,
/// and so are large and small letters.
std::vector<WordMeaning> meanings_of(std::string_view word);

}  // namespace vernier
