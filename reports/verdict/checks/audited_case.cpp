#include <algorithm>

#include <oneapi/tbb/parallel_for.h>

#include "reference/support/threads.hpp"
#include "reports/verdict/checks/checks.hpp"

namespace vernier {

std::vector<const AuditReport*> AuditedCase::audits(const CaseView& viewed) const {
  std::vector<const AuditReport*> result(viewed.view.parts().size());
  for (const auto& tensor : tensors) {
    if (tensor.view == &viewed) {
      result[tensor.index] = tensor.findings.audit.get();
    }
  }
  return result;
}

AuditedCase audited_case(const Case& subject, bool splits_errors) {
  AuditedCase result{.subject = subject,
                     .views = std::make_shared<const std::vector<CaseView>>(views_of(subject)),
                     .tensors = {},
                     .norms = {},
                     .splits_errors = splits_errors};
  const auto& views = *result.views;
  std::vector<ViewFindings> findings(views.size());
  oneapi::tbb::parallel_for(std::size_t{0}, views.size(), [&](std::size_t i) {
    findings[i] = audited(views[i].view, available_threads());
  });
  for (std::size_t i = 0; i < views.size(); ++i) {
    for (std::size_t part = 0; part < findings[i].parts.size(); ++part) {
      result.tensors.push_back({&views[i], part, std::move(findings[i].parts[part])});
    }
    result.norms.push_back(std::move(findings[i].norms));
  }
  std::ranges::stable_sort(result.tensors, {}, [](const AuditedTensor& tensor) {
    return std::ranges::find(tensor_roles(), tensor.part().role);
  });
  return result;
}

}  // namespace vernier
