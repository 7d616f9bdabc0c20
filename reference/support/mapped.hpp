#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace vernier {

/// What `make` makes of each thing, in their order.
template <class Things, class Make>
auto mapped(Things&& things, const Make& make) {
  std::vector<std::remove_cvref_t<std::invoke_result_t<const Make&, decltype(*std::begin(things))>>> result;
  for (auto&& thing : things) {
    result.push_back(std::invoke(make, thing));
  }
  return result;
}

/// The things of which `holds` holds, in their order.
template <class Things, class Holds>
auto filtered(const Things& things, const Holds& holds) {
  std::vector<std::remove_cvref_t<decltype(*std::begin(things))>> result;
  for (const auto& thing : things) {
    if (std::invoke(holds, thing)) {
      result.push_back(thing);
    }
  }
  return result;
}

/// The same as pointers. \pre the things outlive them
template <class Things, class Holds>
auto pointers_to(const Things& things, const Holds& holds) {
  return filtered(mapped(things, [](const auto& thing) { return &thing; }),
                  [&](const auto* thing) { return static_cast<bool>(std::invoke(holds, *thing)); });
}

/// The sum of what `value` makes of each thing, that starts at 0.
template <class Things, class Value>
auto sum_of(const Things& things, const Value& value) {
  std::remove_cvref_t<std::invoke_result_t<const Value&, decltype(*std::begin(things))>> sum = 0;
  for (const auto& thing : things) {
    sum += std::invoke(value, thing);
  }
  return sum;
}

/// Adds a thing behind others, unless it is among them.
template <class Things, class Thing>
void add_once(Things& things, Thing&& thing) {
  if (std::ranges::find(things, thing) == things.end()) {
    things.push_back(std::forward<Thing>(thing));
  }
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
