#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/support/mapped.hpp"
#include "reference/support/nearest_names.hpp"

namespace vernier {

/// That a word is none of some names, and which was most likely meant: `found "nexo", expected half or
/// interleaved; did you mean half?` Of very many names the three nearest alone are told.
std::string not_among(std::string_view word, std::span<const std::string> names);

/// What `name` makes of each thing.
template <class Things, class Name>
std::vector<std::string> names_of(const Things& things, Name name) {
  return mapped(things, [&](const auto& thing) { return std::string(std::invoke(name, thing)); });
}

}  // namespace vernier
