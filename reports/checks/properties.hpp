#pragma once

#include <vector>

#include "props/properties/property.hpp"
#include "reports/checks/check_kind.hpp"

namespace vernier {

/// Appends the check of a property, "property/<scheme>/<its id>", if the scheme has it and the tensors of the
/// case say anything of it.
void judge_property(const Property& property, const AuditedCase& audited, std::vector<Check>& out);

}  // namespace vernier
