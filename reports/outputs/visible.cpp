#include "reports/outputs/visible.hpp"

#include "reports/value_text.hpp"

namespace vernier {
namespace {

template <class... Texts>
void show(Texts&... texts) {
  ((texts = one_line(texts)), ...);
}

void show(Check& check) {
  show(check.id, check.reason, check.required);
  for (auto& [name, value] : check.counterexample) {
    show(name, value);
  }
  for (auto* evidence : {&check.first_failing, &check.worst}) {
    if (*evidence) {
      show((*evidence)->role, (*evidence)->truth);
    }
  }
  if (check.waiver) {
    show(check.waiver->reason, check.waiver->issue, check.waiver->failure);
  }
}

/// Its keys are Vernier's own; its texts may be a model's.
void show(OrderedJson& json) {
  if (json.is_string()) {
    json = one_line(json.get<std::string>());
  } else if (json.is_structured()) {
    for (auto& element : json) {
      show(element);
    }
  }
}

void show(std::vector<Explanation>& explanations) {
  for (auto& explanation : explanations) {
    show(explanation.consequence);
    for (auto& finding : explanation.findings) {
      show(finding.sentence);
      show(finding.edit);
    }
  }
}

}  // namespace

Verdict visible(Verdict verdict) {
  show(verdict.name, verdict.producer, verdict.encoding, verdict.source, verdict.reproduce);
  show(verdict.spec);
  for (auto& use : verdict.contracts) {
    show(use.role, use.stored, use.id, use.meaning, use.budget);
  }
  for (auto& check : verdict.checks) {
    show(check);
  }
  for (auto& waiver : verdict.stale_waivers) {
    show(waiver.check, waiver.issue, waiver.problem);
  }
  for (auto& coverage : verdict.asking.coverage) {
    show(coverage.roles);
  }
  for (auto& note : verdict.asking.notes) {
    show(note);
  }
  for (auto& diagnosis : verdict.diagnosis) {
    show(diagnosis.roles, diagnosis.rest);
    show(diagnosis.explanations);
    show(diagnosis.partial);
  }
  return verdict;
}

}  // namespace vernier
