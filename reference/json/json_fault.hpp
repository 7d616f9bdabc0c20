#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// A place in a text, as editors count: from 1, columns in characters of UTF-8.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// The place of the byte `offset`, or of the end.
TextPlace place_of(std::string_view text, std::size_t offset);

/// Why a text is not JSON: what its first piece is that JSON does not have there, and what it has there.
struct JsonFault {
  TextPlace place = {};
  std::string found = {};     ///< in words: "the end", "the string \"factor\"", "\"NaN\""
  std::string expected = {};  ///< in words: "a comma or a closing brace"
};

/// The first fault of a text; nothing if it is JSON (RFC 8259).
std::optional<JsonFault> json_fault(std::string_view text);

}  // namespace vernier
