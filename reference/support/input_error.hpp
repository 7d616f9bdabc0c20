#pragma once

#include <stdexcept>
#include <utility>

#include <fmt/core.h>

namespace vernier {

/// Bad input from outside: a file, a specification, a command line. `what()` is one whole sentence that names
/// the file, the key or tensor, what was found and what was expected. Thrown anywhere, caught once in main,
/// which exits with 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The sentence with what was found and expected in its places: "{}: found {}, expected {}".
  template <class First, class... Rest>
  explicit InputError(fmt::format_string<First, Rest...> sentence, First&& first, Rest&&... rest)
      : std::runtime_error(fmt::format(sentence, std::forward<First>(first), std::forward<Rest>(rest)...)) {}
};

}  // namespace vernier
