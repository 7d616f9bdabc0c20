#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/studies/accuracy_study.hpp"
#include "reports/html/charts/line_chart.hpp"

namespace vernier {

/// The bands of a study's positions, without 0, which every recipe gets exactly; and where they end.
std::set<int> bands_of(const TableStudy& study);
std::vector<double> ends_of(const TableStudy& study, const std::set<int>& bands);

/// A measure of a band.
double greatest_error(const BandReport& band);
/// A measure of an audit, band by band; NaN where nothing finite is.
Series series_of(const AuditReport& report, const std::set<int>& bands, std::string label,
                 double (*measure)(const BandReport&));

/// A chart of errors against positions, with what errors are compared with. \param name, id as of
/// described_chart()
LineChart error_chart(const std::string& name, const std::string& id = {});

/// By how many elements break a contract or cannot show that they keep it: "kept", "broken" or "kept where
/// conclusive".
std::string_view kept_text(std::uint64_t failing, std::uint64_t inconclusive);

}  // namespace vernier
