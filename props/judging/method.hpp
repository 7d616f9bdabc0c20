#pragma once

#include <array>
#include <string_view>

namespace vernier {

/// How a computation establishes what it says.
enum class Method {
  exact,       ///< arithmetic on integers or rationals, or a theorem whose hypotheses are checked so
  interval,    ///< enclosures of real numbers
  exhaustive,  ///< every member of a finite range
  search       ///< a counterexample found, or a maximum over a sample
};

inline constexpr std::array<std::string_view, 4> method_names{"exact", "interval", "exhaustive", "search"};

inline std::string_view name_of(Method method) {
  return method_names[static_cast<std::size_t>(method)];
}

}  // namespace vernier
