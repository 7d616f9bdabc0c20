#pragma once

#include <string>

#include "reference/json/json.hpp"
#include "reports/measures/tolerances/tolerance_study.hpp"

namespace vernier {

/// The tolerance, the finding first, its derivation in words, and the bounds octave by octave; ends with a
/// line break.
std::string tolerance_text(const ToleranceQuestion& question, const ToleranceStudy& study);

/// The same as data.
OrderedJson tolerance_json(const ToleranceQuestion& question, const ToleranceStudy& study);

/// "atol=0.0157, rtol=0.00391", each rounded up.
std::string text_of(const Tolerance& tolerance);

}  // namespace vernier
