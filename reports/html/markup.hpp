#pragma once

#include <string>
#include <string_view>

namespace vernier {

/// Text for the content and the attributes of HTML, SVG, MathML and XML. \param text without
/// control characters, which XML cannot hold
std::string as_markup(std::string_view text);

}  // namespace vernier
