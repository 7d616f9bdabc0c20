#include "numerics/asking/covering/fault_knowledge.hpp"

#include <algorithm>
#include <set>

namespace vernier {
namespace {

/// Of a condition that is so simple that a boundary is not told before it was seen not to matter: all kinds
/// and histories (2 bits), bounds of six binary digits, multiples of four.
constexpr double simple_cost = 3.5;

}  // namespace

const Observation& FaultKnowledge::observe(const Composition& asked, const Marked& marked) {
  const auto count = asked.sequence.back().count();
  auto& observation = observations_.emplace_back(Observation{asked, std::vector<bool>(count)});
  for (const auto& [vector, pairs] : marked.wrong) {
    if (vector < count) {
      observation.is_wrong[vector] = true;
    }
  }
  // The ends, what it was asked for, neighbours that differ, and a few more.
  constexpr std::size_t few = 6;
  std::set<std::size_t> chosen{0, asked.focus, count - 1};
  for (std::size_t i = 1; i < count && chosen.size() < 2 * few; ++i) {
    if (observation.is_wrong[i] != observation.is_wrong[i - 1]) {
      chosen.insert({i - 1, i});
    }
  }
  for (std::size_t i = 0; i < few; ++i) {
    chosen.insert(composer_->dice().below(count));
  }
  for (const auto i : chosen) {
    learn(observation, i);
  }
  return observation;
}

void FaultKnowledge::learn(Observation& observation, std::size_t vector) {
  const auto evidence = observation.asked.at(vector);
  observation.learned.push_back(vector);
  space_.add(evidence, observation.is_wrong[vector], leading().predicts_wrong(evidence));
}

/// Whether there is a vector that is not as the leading hypothesis says.
bool FaultKnowledge::learn_contradictions() {
  constexpr int enough = 8;
  int found = 0;
  for (auto i = observations_.size(); i > checked_ && found < enough; --i) {
    auto& one = observations_[i - 1];
    const bool may_be_met = may_hold(leading().predicate, one.asked.values);
    for (std::size_t at = 0; at < one.is_wrong.size(); ++at) {
      if (one.is_wrong[at] != (may_be_met && leading().predicts_wrong(one.asked.at(at)))) {
        learn(one, at);
        ++found;
        break;
      }
    }
  }
  checked_ = found > 0 ? checked_ : observations_.size();
  return found > 0;
}

void FaultKnowledge::explain(bool is_anew) {
  constexpr int most_rounds = 16;
  constexpr std::size_t most_moved = 12;
  for (int round = 0; round < most_rounds; ++round) {
    const auto before = leading();
    std::erase_if(explanations_, [&](const FaultHypothesis& one) { return !space_.agrees(one); });
    if (is_anew || explanations_.empty() || explanations_.front() != before) {
      explanations_ = space_.explanations();
    }
    has_exceptions_ = explanations_.empty();
    if (has_exceptions_) {
      explanations_ = {space_.attempt()};
    }
    if (leading() != before) {
      checked_ = 0;
      unasked_.clear();
      is_swept_ = false;
    }
    if (has_exceptions_ || !learn_contradictions()) {
      break;
    }
  }
  hypotheses_ = explanations_;
  for (std::size_t i = 0; i < std::min(explanations_.size(), most_moved) && !has_exceptions_; ++i) {
    const auto moved = space_.with_other_bounds(explanations_[i]);
    hypotheses_.insert(hypotheses_.end(), moved.begin(), moved.end());
  }
  is_searched_ = is_anew;
  open_.clear();
  for (const auto& [atom, cost, excluded] : space_.candidates()) {
    if (cost <= simple_cost && std::ranges::find(unasked_, atom) == unasked_.end()) {
      open_.push_back(atom);
    }
  }
}

void FaultKnowledge::leave_out(const Atom& atom) {
  unasked_.push_back(atom);
  std::erase(open_, atom);
}

bool FaultKnowledge::is_needed(std::size_t condition) const {
  const auto& atom = leading().predicate[condition];
  // A few vectors that are right are more likely such as do not show an effect.
  const auto enough = is_exception(atom) && traits(atom.coordinate).kind == CoordinateKind::element ? 4 : 2;
  const auto others = without(leading(), condition);
  return enough <= std::ranges::count_if(observations_, [&](const Observation& one) {
           return std::ranges::any_of(one.learned, [&](std::size_t vector) {
             return !one.is_wrong[vector] && others.predicts_wrong(one.asked.at(vector));
           });
         });
}

bool FaultKnowledge::is_decided() const {
  bool result = !has_exceptions_ && checked_ == observations_.size() && with_other_bounds().empty();
  for (std::size_t i = 0; i < leading().predicate.size(); ++i) {
    result = result && is_needed(i);
  }
  return result;
}

}  // namespace vernier
