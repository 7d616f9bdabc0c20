#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Text for the content and the attributes of HTML, SVG, MathML and XML. \param text without
/// control characters, which XML cannot hold
std::string as_markup(std::string_view text);

/// What the manual's glossary says of a term: "ulp"; nothing if it has no such term.
std::optional<std::string_view> definition_of(std::string_view term);

/// The page with its terms explained: `<dfn>ulp</dfn>` gets the glossary's definition as its title. Throws
/// std::logic_error for a term without a definition.
std::string with_terms(std::string_view html);

}  // namespace vernier
