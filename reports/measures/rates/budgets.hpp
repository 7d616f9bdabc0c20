#pragma once

#include <cstdint>
#include <vector>

#include "reports/measures/rates/design.hpp"

namespace vernier::rates {

/// What the contract of a design allows the larger of a pair's cosine and sine to be off by, and its phase.
/// \pre the encoding has a table of one position
double element_budget(const Design& design, std::int64_t position, std::size_t pair);
double phase_budget(const Design& design, std::int64_t position, std::size_t pair);

/// The greatest error of a faulty design: of its tables and rotated vectors, |value - truth| as a share of
/// the element's budget, truth being computed in long double from the certified frequencies; of other
/// tensors, the difference from the honest design as a share of four ulp. Looked at are the first and last
/// positions of the context, some between, and those that tell most; infinite where a value is no number.
double size_of(const Design& faulty, const Design& honest, const std::vector<std::int64_t>& telling);

}  // namespace vernier::rates
