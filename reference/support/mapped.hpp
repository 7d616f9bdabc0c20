#pragma once

#include <functional>
#include <iterator>
#include <map>
#include <type_traits>
#include <vector>

namespace vernier {

/// What `make` makes of each thing, in their order.
template <class Things, class Make>
auto mapped(const Things& things, const Make& make) {
  std::vector<std::remove_cvref_t<std::invoke_result_t<const Make&, decltype(*std::begin(things))>>> result;
  for (auto&& thing : things) {
    result.push_back(std::invoke(make, thing));
  }
  return result;
}

/// The things by what `key` makes of each, in their order.
template <class Things, class Key>
auto grouped(const Things& things, const Key& key) {
  using Thing = std::remove_cvref_t<decltype(*std::begin(things))>;
  std::map<std::remove_cvref_t<std::invoke_result_t<const Key&, const Thing&>>, std::vector<Thing>> result;
  for (const auto& thing : things) {
    result[std::invoke(key, thing)].push_back(thing);
  }
  return result;
}

}  // namespace vernier
