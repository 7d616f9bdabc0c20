#pragma once

#include <utility>

#include <fmt/core.h>

#include "reference/support/input_error.hpp"

namespace vernier {

/// Refuses bad input: throws InputError with this sentence if the condition holds. The parts of the sentence
/// are evaluated in either case, so what costs time, or is there only in one case, is not for here.
template <class... Parts>
void refuse_if(bool condition, fmt::format_string<Parts...> sentence, Parts&&... parts) {
  if (condition) {
    throw InputError(fmt::format(sentence, std::forward<Parts>(parts)...));
  }
}

}  // namespace vernier
