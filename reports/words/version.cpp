#include "reports/words/version.hpp"

#include <boost/version.hpp>
#include <fmt/core.h>
#include <gmp.h>
#include <mpfi.h>
#include <mpfr.h>
#include <sys/utsname.h>

#include "numerics/recipes/c_library.hpp"

namespace vernier {
namespace {

std::string boost_version() {
  return fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
}

std::string machine() {
  utsname names{};
  return uname(&names) == 0 ? fmt::format("{} {}", names.sysname, names.machine) : "unknown";
}

}  // namespace

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

std::vector<EnvironmentFact> environment() {
  return {
      {"Vernier", std::string(version())},
      {"System", machine()},
      {"C library (the recipes' sin, cos, exp, pow)", c_library()},
      {"Compiler", std::string("GCC ") + __VERSION__},
      {"MPFR (every proof)", mpfr_get_version()},
      {"MPFI (intervals)", mpfi_get_version()},
      {"GMP", gmp_version},
      {"Boost.Multiprecision", boost_version()},
  };
}

}  // namespace vernier
