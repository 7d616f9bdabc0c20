#pragma once

#include "reference/registry.hpp"
#include "reports/html/page.hpp"
#include "reports/report_data.hpp"

namespace vernier {

/// Every page of the report, in the order of the navigation. A new one is a file here, which defines its
/// function, its template in web/templates, and a line here.
// clang-format off
VERNIER_REGISTRY(page_makers, Page<ReportData>,
    overview_page,
    sinusoidal_page,
    figures_page,
    decay_page,
    accuracy_page,
    field_page,
    implementations_page,
    laws_page,
    rates_page,
    kill_matrix_page,
    tolerances_page,
    matrix_page,
    claims_page,
    methods_page);
// clang-format on

}  // namespace vernier
