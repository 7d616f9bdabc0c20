#pragma once

#include <string>

#include "reference/json/json.hpp"
#include "reports/measures/rates/design.hpp"
#include "reports/measures/rates/faults/names.hpp"

namespace vernier::rates {

/// What a row of the catalogue does to a design: a stage of the computation, and the formula that takes its
/// place. \return whether such a design can have it \param value of the key, as the catalogue has it
using Edit = bool (*)(const OrderedJson& value, FaultNames& names, Design& design);

/// The edit of a key: "place"; null where it is none.
Edit edit_called(const std::string& key);

}  // namespace vernier::rates
