#include "numerics/diagnosis/control.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "numerics/identification/pair_signal.hpp"

namespace vernier {
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
         (!may_follow_errors && share_taken(control) >= least_taken);
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

}  // namespace vernier
