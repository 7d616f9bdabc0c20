#include "numerics/implementations/takes.hpp"

#include <algorithm>
#include <vector>

#include "reference/input_error.hpp"

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

/// \return whether there is such a word
bool add(Takes& takes, std::string_view word) {
  if (word == "contiguous") {
    takes.contiguous_only = true;
    return true;
  }
  if (word == "one-length") {
    takes.one_length = true;
    return true;
  }
  if (word == "batched-positions") {
    takes.batched_positions = true;
    return true;
  }
  return false;
}

}  // namespace

Takes operator|(const Takes& one, const Takes& other) {
  return {.contiguous_only = one.contiguous_only || other.contiguous_only,
          .one_length = one.one_length || other.one_length,
          .batched_positions = one.batched_positions || other.batched_positions,
          .in_place = one.in_place || other.in_place,
          .strides = one.strides || other.strides};
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
      throw InputError("{}: found \"{}\", expected contiguous, one-length or batched-positions", option,
                       word);
    }
  }
  return takes;
}

}  // namespace vernier
