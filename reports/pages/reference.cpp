#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

Json reference_content(const ReportData& data) {
  return {{"laws", data.laws.size()},
          {"schemes", data.matrix.size()},
          {"properties", matrix_properties().size()},
          {"mutants", data.kills.mutants.size()},
          {"tolerances", data.tolerances.size()}};
}

}  // namespace

Page<ReportData> reference_page() {
  return {"reference.html", "Reference", "Reference", "reference", reference_content};
}

}  // namespace vernier
