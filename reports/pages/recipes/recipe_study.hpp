#pragma once

#include <set>
#include <string>
#include <vector>

#include "numerics/searches/accuracy_study.hpp"
#include "reports/html/charts/line_chart.hpp"

namespace vernier {

/// The bands of a study's positions, without 0, which every recipe gets exactly; and where they end.
std::set<int> bands_of(const TableStudy& study);
std::vector<double> ends_of(const TableStudy& study, const std::set<int>& bands);

/// A measure of an audit, band by band; NaN where nothing finite is.
Series series_of(const AuditReport& report, const std::set<int>& bands, std::string label,
                 double (*measure)(const BandReport&));

/// The axes of errors against positions, and what errors are compared with.
LineChart error_chart(std::string id, std::string title, std::string caption);

/// "kept", "broken" or "kept where it says anything".
std::string kept_text(const AuditReport& report);

/// "12.3 %" of the elements.
std::string share_text(std::uint64_t part, std::uint64_t whole);

}  // namespace vernier
