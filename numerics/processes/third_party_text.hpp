#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vernier {

/// The most that is kept of why an implementation says that it gives no answer.
inline constexpr std::size_t longest_reason = 400;

/// Somebody else's text, fit for one line of a terminal and for every document: whatever is not printable
/// ASCII shown as '?' (terminals take commands from some of it, and not all of it is UTF-8), runs of white
/// space as one space. \param most bytes that are kept, of the end
std::string third_party_text(std::string_view text, std::size_t most = 200);

/// The last line with anything on it of what an implementation printed, likewise.
std::string last_line(std::string_view printed);

}  // namespace vernier
