#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// How wide `text` is at most when it is set in `size` px: by the widths of DejaVu Sans, which is wider than
/// the other fonts that the style sheet names.
double text_width(std::string_view text, double size);

/// `text` broken at its spaces into at most `most_lines` lines no wider than `width`. What does not fit is
/// cut and ends in "…".
std::vector<std::string> wrapped_text(std::string_view text, double size, double width,
                                      std::size_t most_lines);

}  // namespace vernier
