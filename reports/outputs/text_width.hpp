#pragma once

#include <string_view>

namespace vernier {

/// How wide a text is in a font like Helvetica, in ems. The widths of ASCII's characters are those of
/// Helvetica's metrics, which Arial and Liberation Sans share, without kerning; any other character counts as
/// one em, which is more than most take. Another font sets the text narrower or wider: whoever draws it says
/// how wide it is to be.
double text_width(std::string_view text);

}  // namespace vernier
