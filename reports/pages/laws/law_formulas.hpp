#pragma once

#include <string_view>
#include <vector>

namespace vernier {

/// What a property says, in the notation of formula(); none where words say it better.
std::vector<std::string_view> law_formulas(std::string_view property);

}  // namespace vernier
