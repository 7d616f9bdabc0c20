#pragma once

#include <string>

namespace vernier {

/// The word as a POSIX shell reads it back.
std::string shell_word(const std::string& word);

}  // namespace vernier
