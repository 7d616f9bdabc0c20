#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

/// A registry: declares functions without arguments that each make one `Kind`, and lists them, so that an
/// entry is one line. VERNIER_REGISTRY(shapes, Shape, circle, square) is
///     Shape circle();
///     Shape square();
///     inline constexpr std::array shapes{circle, square};
/// No entry registers itself: the linker may drop such an object from a library, and the order would be its.
#define VERNIER_REGISTRY(makers, Kind, ...) \
  std::type_identity_t<Kind()> __VA_ARGS__; \
  inline constexpr std::array makers {      \
    __VA_ARGS__                             \
  }

namespace vernier {

/// What the functions of a registry make, in its order.
template <class Kind, std::size_t count>
std::vector<Kind> make_all(const std::array<Kind (*)(), count>& makers) {
  std::vector<Kind> all;
  all.reserve(count);
  for (const auto make : makers) {
    all.push_back(make());
  }
  return all;
}

/// The same where each function makes several: those of all.
template <class Kinds, std::size_t count>
std::vector<typename Kinds::value_type> make_all_groups(const std::array<Kinds (*)(), count>& makers) {
  std::vector<typename Kinds::value_type> all;
  for (const auto make : makers) {
    const auto some = make();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace vernier
