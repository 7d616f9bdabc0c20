#pragma once

#include "reference/registry.hpp"
#include "reports/html/page.hpp"
#include "reports/report_data.hpp"

namespace vernier {

/// Every page of the report, in the order of the navigation. A new one is a file here, which defines its
/// function, its template in web/templates, and a line here.
VERNIER_REGISTRY(page_makers, Page<ReportData>,
                 overview_page,    // overview.cpp
                 sinusoidal_page,  // sinusoidal.cpp
                 figures_page,     // figures.cpp
                 decay_page,       // decay.cpp
                 accuracy_page,    // accuracy.cpp
                 field_page,       // field.cpp
                 league_page,      // league.cpp
                 laws_page,        // laws.cpp
                 rates_page,       // rates.cpp
                 matrix_page,      // matrix.cpp
                 claims_page,      // claims.cpp
                 methods_page      // methods.cpp
);

}  // namespace vernier
