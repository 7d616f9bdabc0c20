#pragma once

#include <string>

namespace vernier {

/// What a mark's colour and form say: a green disc, a red diamond, a grey ring.
enum class MarkTone { good, bad, neutral };

/// The style sheet's class of marks of this tone.
std::string tone_class(MarkTone tone);

/// The path of a mark around a place: forms differ as well as colours.
std::string mark_path(MarkTone tone, double x, double y, double radius);

}  // namespace vernier
