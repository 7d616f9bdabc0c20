#pragma once

#include <string>

#include "numerics/implementations/request.hpp"
#include "numerics/implementations/response.hpp"

namespace vernier {

/// By which rule the rows of an answer are those of other positions than were asked for, as a clause:
/// "positions are not read: row r holds position r". Of the rows of which the whole answer holds what the
/// rule says, all have its bits, and several have not those of their own position. Empty where no rule is
/// obeyed, of vectors, whose rows differ with the vector, of biases, and of tokens with several positions.
/// \pre both requests want the same tensors, the whole one at positions that ascend
std::string rule_of_held_rows(const Request& whole, const Response& whole_answer, const Request& request,
                              const Response& answer);

}  // namespace vernier
