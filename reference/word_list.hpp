#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// The words in one line: "a, b or c". \param last_separator " or ", " and "
std::string joined(const std::vector<std::string>& words, std::string_view last_separator);

}  // namespace vernier
