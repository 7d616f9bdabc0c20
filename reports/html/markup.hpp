#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// Text for the content and the attributes of HTML, SVG, MathML and XML. \param text without
/// control characters, which XML cannot hold
std::string as_markup(std::string_view text);

/// A formula as HTML, whose scripts every font sets, from a notation near to how it is typed: letters are
/// variables, known words (sin, cos, code ...) functions, `_` and `^` scripts of what stands before, `{...}`
/// groups, `"..."` words. Throws std::logic_error for a group that does not end and a script of nothing.
std::string formula(std::string_view notation);

/// What the manual's glossary says of a term: "ulp"; nothing if it has no such term.
std::optional<std::string_view> definition_of(std::string_view term);

/// The page with its terms explained: `<dfn>ulp</dfn>` gets the glossary's definition as its title. Throws
/// std::logic_error for a term without a definition.
std::string with_terms(std::string_view html);

}  // namespace vernier
