#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "props/judging/property.hpp"
#include "reports/verdict/checks/checks.hpp"

namespace vernier {

/// What a check of a property requires: its name, statement and citation.
std::string requirement_of(const Property& property);

/// The check of a property of tensors, not yet judged.
Check property_check(const Property& property, std::string_view scheme);

/// Appends the check of a property, "property/<scheme>/<its id>", if the scheme has it and the tensors of the
/// case say anything of it.
void judge_property(const Property& property, const AuditedCase& audited, std::vector<Check>& out);

/// constant-norm of tables of one position, by the norms of all their points (norms.cpp). \returns whether
/// the case has such tables
bool judge_constant_norm_of_tables(const AuditedCase& audited, std::vector<Check>& out);

/// The same of biases alone. \pre the property has a judge of biases
void judge_property_of_biases(const Property& property, std::string_view scheme, const RowView& biases,
                              std::vector<Check>& out);

}  // namespace vernier
