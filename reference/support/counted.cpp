#include "reference/support/counted.hpp"

#include <fmt/core.h>

namespace vernier {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace vernier
