#pragma once

#include <string>

#include "reference/json/json.hpp"
#include "reports/tolerances/tolerance_judgement.hpp"

namespace vernier {

/// The tolerance, the finding first, its derivation in words, and the bounds octave by octave; ends with a
/// line break.
std::string tolerance_text(const ToleranceQuestion& question, const ToleranceStudy& study);
/// The same as data.
OrderedJson tolerance_json(const ToleranceQuestion& question, const ToleranceStudy& study);

/// What a tolerance is worth: the finding, then what slips through and what is rejected; ends with a line
/// break.
std::string judgement_text(const ToleranceJudgement& judgement);
OrderedJson judgement_json(const ToleranceJudgement& judgement);

}  // namespace vernier
