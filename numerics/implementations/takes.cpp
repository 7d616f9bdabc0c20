#include "numerics/implementations/takes.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "reference/input_error.hpp"
#include "reference/word_list.hpp"

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

struct Word {
  std::string_view word;
  bool Takes::*says;
};
constexpr std::array known_words{Word{"contiguous", &Takes::contiguous_only},
                                 Word{"one-length", &Takes::one_length},
                                 Word{"batched-positions", &Takes::batched_positions},
                                 Word{"gradients", &Takes::gradients},
                                 Word{"float32-positions", &Takes::float32_positions},
                                 Word{"float64-positions", &Takes::float64_positions}};

/// \return whether there is such a word
bool add(Takes& takes, std::string_view word) {
  const auto found = std::ranges::find(known_words, word, &Word::word);
  if (found != known_words.end()) {
    takes.*found->says = true;
  }
  return found != known_words.end();
}

}  // namespace

ElementType Takes::position_type() const {
  return float32_positions   ? ElementType::float32
         : float64_positions ? ElementType::float64
                             : ElementType::int64;
}

std::vector<std::string> words_of_takes() {
  std::vector<std::string> words;
  std::ranges::transform(known_words, std::back_inserter(words),
                         [](const Word& word) { return std::string(word.word); });
  return words;
}

Takes operator|(const Takes& one, const Takes& other) {
  return {.contiguous_only = one.contiguous_only || other.contiguous_only,
          .one_length = one.one_length || other.one_length,
          .batched_positions = one.batched_positions || other.batched_positions,
          .in_place = one.in_place || other.in_place,
          .strides = one.strides || other.strides,
          .gradients = one.gradients || other.gradients,
          .float32_positions = one.float32_positions || other.float32_positions,
          .float64_positions = one.float64_positions || other.float64_positions};
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
      throw InputError("{}: found \"{}\", expected {}", option, word,
                       joined(known_words, &Word::word, " or "));
    }
  }
  return takes;
}

}  // namespace vernier
