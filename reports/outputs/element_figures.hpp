#pragma once

#include <cstddef>
#include <string>

#include "reference/json.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// Whether a check has something to look at: the rest is folded.
bool is_shown(const Check& check);

bool is_same(const ElementWitness& a, const ElementWitness& b);

/// The bits of the worst element of a check, as they should be and as they are. \pre it has a worst element
/// whose correctly rounded value is known \param index of the check: figures have names of their own
std::string bits_figure(const Check& check, std::size_t index);

/// Where the errors lie of the checks that do not pass.
OrderedJson maps_json(const Verdict& verdict);

/// Where all pass, the errors of the tensor that uses most of a budget: it stands beside the verdict, so that
/// a pass is one screen. Empty where something does not pass.
std::string map_of_passes(const Verdict& verdict);

}  // namespace vernier
