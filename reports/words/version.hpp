#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// The program's version, as the build gives it: "0.2.0".
std::string_view version();

/// What was built, and by what: "0.2.0 (commit 3f2c81d09a4e, GCC 12.2.0)".
std::string build_description();

/// One thing the numbers of a report may depend on.
struct EnvironmentFact {
  std::string name;
  std::string value;
};

/// The program's version, the compiler, the libraries the proofs rest on, and the C library whose sin, cos,
/// exp and pow the recipes use. No dates, paths or machine names: they change no number.
std::vector<EnvironmentFact> environment();

}  // namespace vernier
