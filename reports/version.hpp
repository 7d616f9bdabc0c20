#pragma once

#include <string>
#include <string_view>

namespace vernier {

/// The program's version, as the build gives it: "0.2.0".
std::string_view version();

/// What was built, and by what: "0.2.0 (commit 3f2c81d09a4e, GCC 12.2.0)".
std::string build_description();

}  // namespace vernier
