#pragma once

#include "numerics/audit/audit_report.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// What an audit found, as JSON that reads back to the bit: all of it but the bands, which are for pictures.
/// Numbers that are not whole are texts: the shortest decimals that name the double, "inf", "nan"; sums are
/// those of ExactSum::text.
OrderedJson audit_state(const AuditReport& report);

/// The report of which this is the state. \throws InputError for anything else
AuditReport read_audit_state(ObjectReader reader);

}  // namespace vernier
