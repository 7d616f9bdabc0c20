#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vernier {

/// "1 check passes", "5 checks pass".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace vernier
