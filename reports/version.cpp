#include "reports/version.hpp"

#include <fmt/core.h>

namespace vernier {

std::string_view version() {
  return VERNIER_VERSION;
}

std::string build_description() {
#ifdef __clang__
  const std::string compiler = "Clang " __clang_version__;
#else
  const std::string compiler = "GCC " __VERSION__;
#endif
  return fmt::format("{} ({}{})", version(),
                     std::string_view(VERNIER_COMMIT).empty() ? "" : "commit " VERNIER_COMMIT ", ", compiler);
}

}  // namespace vernier
