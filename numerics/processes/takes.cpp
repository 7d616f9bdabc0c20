#include "numerics/processes/takes.hpp"

#include <algorithm>
#include <array>

#include "numerics/plugin/vernier_plugin.h"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

std::vector<std::string_view> split(std::string_view words) {
  constexpr std::string_view separators = ", ";
  std::vector<std::string_view> result;
  while (!words.empty()) {
    const auto length = std::min(words.find_first_of(separators), words.size());
    if (length > 0) {
      result.push_back(words.substr(0, length));
    }
    words.remove_prefix(std::min(length + 1, words.size()));
  }
  return result;
}

/// One of the things that may be said.
struct Saying {
  bool Takes::*says;
  std::string_view word;     ///< empty: it is about memory, which only a plug-in shares
  std::uint64_t capability;  ///< of a plug-in
};
constexpr std::array sayings{
    Saying{&Takes::contiguous_only, "contiguous", VERNIER_TAKES_CONTIGUOUS_ONLY},
    Saying{&Takes::one_length, "one-length", VERNIER_TAKES_ONE_LENGTH},
    Saying{&Takes::batched_positions, "batched-positions", VERNIER_TAKES_BATCHED_POSITIONS},
    Saying{&Takes::gradients, "gradients", VERNIER_ROTATES_GRADIENTS},
    Saying{&Takes::float32_positions, "float32-positions", VERNIER_TAKES_FLOAT32_POSITIONS},
    Saying{&Takes::float64_positions, "float64-positions", VERNIER_TAKES_FLOAT64_POSITIONS},
    Saying{&Takes::in_place, "", VERNIER_ROTATES_IN_PLACE},
    Saying{&Takes::strides, "", VERNIER_TAKES_STRIDES}};

/// \return whether there is such a word
bool add(Takes& takes, std::string_view word) {
  const auto found = std::ranges::find(sayings, word, &Saying::word);
  if (found != sayings.end()) {
    takes.*found->says = true;
  }
  return found != sayings.end();
}

}  // namespace

std::vector<std::string> words_of_takes() {
  return mapped(filtered(sayings, [](const Saying& saying) { return !saying.word.empty(); }),
                [](const Saying& saying) { return std::string(saying.word); });
}

Takes operator|(const Takes& one, const Takes& other) {
  auto either = one;
  for (const auto& saying : sayings) {
    either.*saying.says |= other.*saying.says;
  }
  return either;
}

Takes takes_of_capabilities(std::uint64_t capabilities) {
  Takes takes;
  for (const auto& saying : sayings) {
    takes.*saying.says = (capabilities & saying.capability) != 0;
  }
  return takes;
}

Takes takes_of(std::string_view words) {
  Takes takes;
  for (const auto word : split(words)) {
    add(takes, word);
  }
  return takes;
}

Takes parse_takes(std::string_view words, std::string_view option) {
  Takes takes;
  for (const auto word : split(words)) {
    if (!add(takes, word)) {
      throw InputError("{}: found \"{}\", expected {}", option, word, joined(words_of_takes(), " or "));
    }
  }
  return takes;
}

}  // namespace vernier
