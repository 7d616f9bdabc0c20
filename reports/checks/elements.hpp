#pragma once

#include <string>
#include <utility>
#include <vector>

#include "numerics/elementwise_report.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// Appends what was expected of an element and got, how far off that is, and what it was allowed.
void tell(const JudgedElement& element, Format format,
          std::vector<std::pair<std::string, std::string>>& text);

/// Sets a check's status and reason from the elements judged.
void conclude(Check& check, const ElementwiseReport& report);

}  // namespace vernier
