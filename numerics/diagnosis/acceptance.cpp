#include "numerics/diagnosis/acceptance.hpp"

#include <algorithm>

#include "numerics/diagnosis/consequence.hpp"
#include "numerics/diagnosis/control.hpp"
#include "numerics/diagnosis/description_length.hpp"

namespace vernier {
namespace {

constexpr std::size_t more_screened_rows = 512;

/// Whether errors that such an edit takes away may be honest: those of frequencies are off by one number a
/// pair, which another base comes near to.
bool may_follow_errors(const Finding& finding) {
  return finding.kind->stage == Stage::frequency;
}

}  // namespace

Acceptance::Acceptance(const Suspect& suspect, const std::vector<Candidate>& singles, unsigned threads)
    : suspect_(suspect),
      singles_(singles),
      threads_(threads),
      more_rows_(telling_rows(suspect, more_screened_rows)) {}

void Acceptance::accept_all(std::span<const Candidate> candidates) {
  std::vector<const Candidate*> by_bits;
  for (const auto& candidate : candidates) {
    by_bits.push_back(&candidate);
  }
  std::ranges::stable_sort(by_bits, {}, &Candidate::bits);
  for (const auto* candidate : by_bits) {
    judge(*candidate);
  }
}

bool Acceptance::is_worth_more_than(double bits) const {
  return std::ranges::all_of(accepted_, [&](const Explanation& one) { return one.bits > bits; });
}

void Acceptance::judge(const Candidate& candidate) {
  if (candidate.screen.failing > 0 || is_outdone(candidate)) {
    return;
  }
  const Predictor predictor(suspect_, candidate.computation);
  // Most of what passes the screen fails somewhere else, the most where others did.
  if (predictor.compare(refusing_rows_, 0).failing > 0 || !may_be_proved(predictor.compare(more_rows_, 0))) {
    return;
  }
  const auto whole = predictor.compare_all(threads_, 1);
  if (whole.failing > 0) {
    refusing_rows_.push_back(whole.worst_row);
  }
  if (whole.is_proved() && needs_its_edits(candidate)) {
    auto findings = candidate.findings;
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) { return finding.kind->stage; });
    accepted_.push_back({std::move(findings), whole, candidate.bits,
                         consequence_of(suspect_, candidate.computation),
                         std::make_shared<Computation>(candidate.computation)});
  }
}

/// Whether what is accepted already is so much likelier that the candidate would not be told beside it.
bool Acceptance::is_outdone(const Candidate& candidate) const {
  return std::ranges::any_of(
      accepted_, [&](const Explanation& one) { return candidate.bits > one.bits + equally_likely_bits; });
}

/// Whether a computation may hold of the tensors, given what it says of some rows: were all the others
/// conclusive.
bool Acceptance::may_be_proved(Prediction some) const {
  const auto all = static_cast<std::uint64_t>(suspect_.rows() * suspect_.width());
  some.conclusive += all - some.elements;
  some.elements = all;
  return some.is_proved();
}

bool Acceptance::needs_its_edits(const Candidate& candidate) const {
  const auto& findings = candidate.findings;
  const Control control(suspect_, candidate.computation, threads_);
  if (!control.is_called_for() && std::ranges::none_of(findings, is_of_phases)) {
    return true;
  }
  // Of noise the allowance is the edit.
  const bool is_combined = findings.size() > 1;
  if (!control.is_needed_beside(suspect_.declared(), is_combined, may_follow_errors(findings.back()))) {
    return false;
  }
  return !is_combined || std::ranges::all_of(findings, [&](const Finding& finding) {
    const auto* alone = single_of(finding);
    const bool is_first = &finding == &findings.front();
    return alone == nullptr ||
           control.is_needed_beside(alone->computation, !is_first,
                                    may_follow_errors(is_first ? findings.back() : findings.front()));
  });
}

/// The candidate that has this one of the findings; null if none was tried.
const Candidate* Acceptance::single_of(const Finding& finding) const {
  const auto found = std::ranges::find_if(singles_, [&](const Candidate& one) {
    const auto& only = one.findings.front();
    return one.findings.size() == 1 && only.kind == finding.kind && only.sentence == finding.sentence;
  });
  return found == singles_.end() ? nullptr : &*found;
}

}  // namespace vernier
