#include "numerics/diagnosis/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/recovery.hpp"
#include "numerics/cost/consequence.hpp"
#include "numerics/decoding/pair_signal.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_coherent = 4;
constexpr std::size_t most_predicting = 2;
/// An edit that is one of two leaves no more than this share of the failing elements.
constexpr double most_left = 0.75;

struct Near {
  const Candidate* candidate;
  double nearness;
};

/// The nearest of them; of those that are as near one, the shortest.
void keep_nearest(std::vector<Near>& near, std::size_t most) {
  std::ranges::stable_sort(near, [](const Near& a, const Near& b) {
    return std::pair(-a.nearness, a.candidate->bits) < std::pair(-b.nearness, b.candidate->bits);
  });
  const auto same = std::ranges::unique(near, {}, &Near::nearness);
  near.erase(same.begin(), same.end());
  near.resize(std::min(near.size(), most));
}

}  // namespace

std::vector<const Candidate*> nearest_candidates(const Suspect& suspect, std::span<const std::size_t> rows,
                                                 const Candidate& declared,
                                                 std::span<const Candidate> singles) {
  // In steps, so that computations of the same points are equally near.
  const auto coherence_with = [&](const Candidate& one) {
    return std::round(coherence_of(suspect, one.computation, rows).of_pairs * 0x1p20) * 0x1p-20;
  };
  std::vector<Near> coherent(singles.size());
  oneapi::tbb::parallel_for(std::size_t{0}, coherent.size(), [&](std::size_t i) {
    coherent[i] = {&singles[i], coherence_with(singles[i])};
  });
  // Halfway at least from where the declared computation is.
  const double least = 0.5 + coherence_with(declared) / 2;
  std::erase_if(coherent, [&](const Near& one) {
    return !(one.nearness >= least) || one.candidate->bits > 2 * likely_bits;
  });
  keep_nearest(coherent, most_coherent);

  std::vector<Near> predicting;
  for (const auto& one : singles) {
    if (one.bits <= 2 * likely_bits && one.failing_share() <= most_left * declared.failing_share()) {
      predicting.push_back({&one, -one.failing_share()});
    }
  }
  keep_nearest(predicting, most_predicting);

  std::vector<const Candidate*> result;
  for (const auto* list : {&coherent, &predicting}) {
    for (const auto& one : *list) {
      if (std::ranges::find(result, one.candidate) == result.end()) {
        result.push_back(one.candidate);
      }
    }
  }
  return result;
}

namespace {

constexpr std::size_t most_control_rows = 1024;
constexpr std::size_t few_control_rows = 32;
/// An edit that takes away so much of the squared errors is their cause, or most of it.
constexpr double least_taken = 0.25;

}  // namespace

Control::Control(const Suspect& suspect, const Computation& edited, unsigned threads)
    : suspect_(suspect),
      edited_(edited),
      threads_(threads),
      is_allowed_more_(edited.allows_more_than(suspect.declared())) {
  if (is_allowed_more_) {
    auto strict = edited;
    if (edited.pairs() == suspect.declared().pairs()) {  // else its errors are those of its own pairs
      strict.parameters = suspect.declared().parameters;
    }
    strict.rounded_places = Computation::RoundedPlaces::none;
    strict.trigonometry_error = 0;
    strict.reduced_rounding = 0;
    is_allowed_more_ = !Predictor(suspect, strict).compare_all(threads, 1).is_proved();
  }
}

bool Control::is_needed_beside(const Computation& without, bool allows_noise, bool may_follow_errors) const {
  auto control = without;
  control.reach_as_far_as(edited_);
  if (is_allowed_more_) {
    control.allow_as_much_as(edited_);
  }
  if (!allows_noise) {
    control.trigonometry_error = without.trigonometry_error;
    control.reduced_rounding = without.reduced_rounding;
  }
  const Predictor predictor(suspect_, control);
  // A few rows say so in most cases.
  return predictor
                 .compare(telling_rows(suspect_, few_control_rows), std::numeric_limits<std::uint64_t>::max())
                 .largest_budget_ratio > clear_failure ||
         predictor.compare_all(threads_, clear_failure).largest_budget_ratio > clear_failure ||
         (!may_follow_errors && edited_.rounded_places == Computation::RoundedPlaces::none &&
          share_taken(control) >= least_taken);
}

double Control::share_taken(const Computation& without) const {
  const Predictor of_without(suspect_, without);
  const Predictor of_edited(suspect_, edited_);
  std::vector<double> allowed;
  double errors = 0;
  double left = 0;
  const auto add = [](double& sum, const PredictedElement& element, double budget) {
    const double error = ((element.got - element.predicted) - element.rest) / budget;
    sum += element.conclusive && element.pair >= 0 && budget > 0 && std::isfinite(error) ? error * error : 0;
  };
  for (const auto row : spread_rows(suspect_.rows(), most_control_rows)) {
    allowed.clear();
    of_without.visit(row, [&](const PredictedElement& element) {
      allowed.push_back(element.allowed);
      add(errors, element, element.allowed);
    });
    std::size_t i = 0;
    of_edited.visit(row, [&](const PredictedElement& element) { add(left, element, allowed[i++]); });
  }
  return errors > 0 ? 1 - left / errors : 0;
}

bool is_of_phases(const Finding& finding) {
  const auto stage = finding.kind->stage;
  return stage == Stage::frequency || stage == Stage::position || stage == Stage::phase ||
         stage == Stage::trigonometry;
}

bool is_needed_beside_damage(const Suspect& suspect, const Computation& edited, unsigned threads) {
  auto control = suspect.declared();
  control.allow_as_much_as(edited);
  return Predictor(suspect, control).compare_all(threads).clearly_failing >
         Predictor(suspect, edited).compare_all(threads).clearly_failing;
}

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
  // Of numbers beyond the greatest of a format nothing is said: that is the finding.
  const bool leaves_open = candidate.stage == Stage::storage;
  if (whole.is_proved() && (leaves_open || !whole.says_less_than(declared())) && needs_its_edits(candidate)) {
    auto findings = candidate.findings;
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) { return finding.kind->stage; });
    const auto part = std::ranges::find(findings, &fault_kind("mapping/rotary-part"), &Finding::kind);
    if (part != findings.end() && candidate.findings.back().kind == &fault_kind("frequency/zero")) {
      part->sentence.replace(part->sentence.find("rotate"), 6, "are paired");  // by zero they do not rotate
    }
    accepted_.push_back({std::move(findings), whole, candidate.bits,
                         consequence_of(suspect_, candidate.computation),
                         std::make_shared<Computation>(candidate.computation)});
  }
}

const Prediction& Acceptance::declared() {
  if (!declared_) {
    declared_ = Predictor(suspect_, suspect_.declared()).compare_all(threads_);
  }
  return *declared_;
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
