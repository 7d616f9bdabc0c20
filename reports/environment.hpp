#pragma once

#include <string>
#include <vector>

namespace vernier {

/// One thing the numbers of a report may depend on.
struct EnvironmentFact {
  std::string name;
  std::string value;
};

/// The program's version, the compiler, the libraries the proofs rest on, and the C library whose sin, cos,
/// exp and pow the recipes use. No dates, paths or machine names: they change no number.
std::vector<EnvironmentFact> environment();

}  // namespace vernier
