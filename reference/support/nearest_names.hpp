#pragma once

#include <cstddef>
#include <optional>
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

/// The likeliest of them, if it is near: half of the word's letters are wrong at most, or as much is left
/// out.
std::optional<std::string> near_name(std::string_view word, std::span<const std::string> names);

}  // namespace vernier
