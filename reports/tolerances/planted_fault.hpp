#pragma once

#include <optional>

#include "reference/json/json.hpp"
#include "reports/tolerances/sine_program.hpp"

namespace vernier {

/// The kinds of fault that people ship, grouped by the stage that each spoils: the rows of faults.json, whose
/// formulas take the place of stages. "id" is "positions/offset", "what" the fault as its author would put
/// it.
const OrderedJson& program_faults();

/// Plants a fault with drawn parameters; nothing if the program cannot have it. \param honest outlives the
/// result
std::optional<SineProgram> plant(const OrderedJson& fault, const ToleranceQuestion& question,
                                 const SineProgram& honest, SeededDraws& draw);

}  // namespace vernier
