#pragma once

#include <concepts>
#include <string>

#include "reference/support/input_error.hpp"

namespace vernier {

/// The sentence with which `work` refuses its input; empty if it does not.
template <std::invocable Work>
std::string refusal_of(Work work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace vernier
