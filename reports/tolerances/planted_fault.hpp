#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/json/json.hpp"
#include "reports/tolerances/sine_program.hpp"

namespace vernier {

/// The kinds of fault that people ship, grouped by the stage that each spoils: the rows of faults.json, whose
/// formulas take the place of stages. "id" is "positions/offset", "what" the fault as its author would put
/// it.
const OrderedJson& program_faults();

/// A program with a fault.
struct FaultyProgram {
  SineProgram program;
  std::string words = {};                  ///< the parameters: "by 3 from position 714 on"
  std::vector<std::int64_t> telling = {};  ///< positions at which it shows most, if only some show it
};

/// Plants a fault with drawn parameters; nothing if the program cannot have it.
std::optional<FaultyProgram> plant(const OrderedJson& fault, const ToleranceQuestion& question,
                                   const SineProgram& honest, ProgramDraw& draw);

}  // namespace vernier
