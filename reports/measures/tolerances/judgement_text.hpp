#pragma once

#include <string>

#include "reports/measures/tolerances/tolerance_judgement.hpp"

namespace vernier {

/// What a tolerance is worth.
struct JudgedTolerance {
  const ToleranceQuestion& question;
  const ToleranceStudy& study;
  /// Of two tolerances: the judged one, and the smallest one that no honest implementation exceeds.
  const ToleranceJudgement& judgement;

  const Tolerance& judged() const { return judgement.tolerances.front(); }
  /// Whether no honest implementation exceeds it, by the bound.
  bool holds() const { return holds_of_all_honest(judged(), question, study); }
  /// The faults that it lets through and the smallest one does not.
  std::vector<const JudgedFault*> avoidable() const;
  /// Whether it holds of all honest ones and lets no more through than it must.
  bool is_as_good_as_can_be() const {
    return holds() && judgement.rejected(0).empty() && avoidable().empty();
  }
};

/// The finding, then what slips through and what is rejected; ends with a line break.
std::string judgement_text(const JudgedTolerance& judged);
OrderedJson judgement_json(const JudgedTolerance& judged);

}  // namespace vernier
