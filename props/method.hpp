#pragma once

#include <string_view>

namespace vernier {

/// How a computation establishes what it says.
enum class Method {
  exact,       ///< arithmetic on integers or rationals, or a theorem whose hypotheses are checked so
  interval,    ///< enclosures of real numbers
  exhaustive,  ///< every member of a finite range
  search       ///< a counterexample found, or a maximum over a sample
};

/// "exact", "interval", "exhaustive", "search"
std::string_view name_of(Method method);

}  // namespace vernier
