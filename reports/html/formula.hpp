#pragma once

#include <string>
#include <string_view>

namespace vernier {

/// A formula as MathML, from a notation near to how it is typed: letters are variables, known words (sin,
/// cos, code ...) functions, `_` and `^` scripts of what stands before, `{...}` groups, `"..."` words. Throws
/// std::logic_error for a group that does not end and a script of nothing.
std::string formula(std::string_view notation);

}  // namespace vernier
