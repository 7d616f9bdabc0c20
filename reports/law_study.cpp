#include "reports/law_study.hpp"

#include <algorithm>

#include "props/broken/broken.hpp"

namespace vernier {

bool LawStudy::as_it_should_be() const {
  const auto all = [](const std::vector<LawResult>& results, CheckStatus status) {
    return std::ranges::all_of(results, [&](const LawResult& result) { return result.status == status; });
  };
  return all(honest, CheckStatus::holds) && all(broken, CheckStatus::fails);
}

std::vector<LawStudy> study_laws(const CheckOptions& options, const PhaseListener& progress) {
  std::vector<LawStudy> studies;
  const auto honest = subjects();
  progress.begin("trying the laws", laws().size());
  for (const auto& law : laws()) {
    LawStudy study{&law, {}, {}};
    for (const auto& subject : honest) {
      if (applies(law, subject)) {
        study.honest.push_back(run_law(law, subject, options));
      }
    }
    for (const auto& broken : broken_implementations()) {
      if (std::ranges::count(broken.caught_by, law.id) > 0) {
        study.broken.push_back(run_law(law, subject_of(broken), options));
      }
    }
    studies.push_back(std::move(study));
    progress.advance(1);
  }
  return studies;
}

}  // namespace vernier
