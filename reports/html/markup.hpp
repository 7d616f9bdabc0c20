#pragma once

#include <string>
#include <string_view>

namespace vernier {

/// Text for the content and the attributes, in double quotes, of HTML, SVG and XML. \param text without
/// control characters, which XML cannot hold
std::string as_markup(std::string_view text);

}  // namespace vernier
