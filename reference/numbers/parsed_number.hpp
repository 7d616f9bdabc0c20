#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace vernier {

/// The whole text as a number of this type; nothing for one that does not fit or has something around it.
template <class Number>
std::optional<Number> parsed_number(std::string_view text) {
  Number value{};
  const auto* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

}  // namespace vernier
