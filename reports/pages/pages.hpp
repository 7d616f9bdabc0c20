#pragma once

#include "reports/html/page.hpp"
#include "reports/report_data.hpp"

namespace vernier {

// Each page is one file here, one template of the same name in web/templates, and one line in report.cpp.
Page<ReportData> overview_page();
Page<ReportData> accuracy_page();
Page<ReportData> field_page();
Page<ReportData> sinusoidal_page();
Page<ReportData> figures_page();
Page<ReportData> decay_page();
Page<ReportData> league_page();
Page<ReportData> laws_page();
Page<ReportData> rates_page();
Page<ReportData> matrix_page();
Page<ReportData> claims_page();
Page<ReportData> methods_page();

}  // namespace vernier
