#include "numerics/asking/covering/boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "numerics/asking/covering/composition.hpp"
#include "numerics/asking/covering/hypotheses.hpp"

namespace vernier {
namespace {

using enum Coordinate;

constexpr std::size_t few_vectors = 300;
constexpr std::size_t many_vectors = 8'192;
/// Of a condition that is so simple that a boundary is not told before it was seen not to matter: all kinds
/// and histories (2 bits), bounds of six binary digits, multiples of four.
constexpr double simple_cost = 3.5;

/// What an answer showed.
struct Observation {
  Composition asked;
  std::vector<bool> is_wrong;
  std::vector<std::size_t> learned = {};

  bool has_wrong() const { return std::ranges::find(is_wrong, true) != is_wrong.end(); }
};

std::size_t vectors_of(const std::vector<QuestionPoint>& sequence) {
  return std::transform_reduce(sequence.begin(), sequence.end(), std::size_t{0}, std::plus(),
                               [](const QuestionPoint& one) { return one.count(); });
}

bool is_about(const Predicate& predicate, Coordinate coordinate) {
  return std::ranges::find(predicate, coordinate, &Atom::coordinate) != predicate.end();
}

/// How far apart two questions are: whatever differs, sizes by less if little.
double dissimilarity(const Coordinates& one, const Coordinates& other) {
  double sum = 0;
  for (const auto& [coordinate, kind, name] : all_coordinates()) {
    const auto [least, most] = std::minmax({one[coordinate], other[coordinate]});
    if (kind == CoordinateKind::size) {
      sum += 1 - static_cast<double>(least) / static_cast<double>(most);
    } else if (kind != CoordinateKind::element && least != most) {
      ++sum;
    }
  }
  return sum;
}

Predicate both_of(Predicate conditions, const Predicate& more) {
  conditions.insert(conditions.end(), more.begin(), more.end());
  return conditions;
}

/// With what holds of every vector that is not masked; that position 0 turns nothing goes without saying.
Predicate told_of(const FaultHypothesis& hypothesis) {
  static const std::array<Predicate, masking_count> unmasked{{{},
                                                              {},
                                                              {},
                                                              {{row, Relation::at_least, 1}},
                                                              {{row, Relation::at_least, 1}},
                                                              {{row, Relation::at_least, 1}},
                                                              {{batch, Relation::at_least, 1}},
                                                              {{first, Relation::equal, 0}}}};
  auto told = hypothesis.predicate;
  std::ranges::copy_if(unmasked[static_cast<std::size_t>(hypothesis.masking)], std::back_inserter(told),
                       [&](const Atom& atom) { return !is_about(hypothesis.predicate, atom.coordinate); });
  return told;
}

bool is_exception(const Atom& atom) {
  return atom.relation == Relation::unequal || atom.relation == Relation::not_multiple;
}

bool is_history(const Atom& atom) {
  return traits(atom.coordinate).kind == CoordinateKind::history;
}

class BoundarySearch {
 public:
  BoundarySearch(const BoundaryLimits& limits, const AskSequence& ask)
      : limits_(&limits), ask_(&ask), composer_(limits, 1) {}

  Boundary find(const std::vector<QuestionPoint>& failing, const Marked& marked);

 private:
  bool may_ask(const std::vector<QuestionPoint>& sequence) const {
    return questions_ < limits_->most_questions && vectors_ + vectors_of(sequence) <= limits_->most_vectors;
  }
  bool is_refused(const Composition& asked) const {
    return refused_where_ && holds(*refused_where_, asked.values);
  }
  const FaultHypothesis& leading() const { return explanations_.front(); }
  const Observation* ask(const Composition& asked);
  const Observation& observe(const Composition& asked, const Marked& marked);
  void count_pairs(const QuestionPoint& question, const std::vector<bool>& pairs);
  void learn(Observation& observation, std::size_t vector);
  bool learn_contradictions();
  bool shows_failure(const std::vector<QuestionPoint>& failing);

  void explain(bool is_anew);
  double gain(const Composition& composition);
  std::optional<Composition> dividing(std::size_t most_vectors);
  std::optional<Composition> telling(const FaultHypothesis& other, std::size_t most_vectors);
  std::optional<Composition> remaining(std::size_t most_vectors);
  bool is_needed(std::size_t condition) const;
  bool is_decided() const;
  bool are_some_pairs_right() const;
  void tell_pairs(Boundary& boundary);
  void tell_examples(Boundary& boundary) const;

  const BoundaryLimits* limits_;
  const AskSequence* ask_;
  Composer composer_;
  VersionSpace space_{[](const CoordinateTraits& one) { return one.coordinate != pair; }};
  VersionSpace refusals_{[](const CoordinateTraits& one) { return one.kind != CoordinateKind::element; }};
  std::vector<Observation> observations_;
  std::size_t checked_ = 0;                        ///< observations that the leading hypothesis agrees with
  std::vector<FaultHypothesis> explanations_{{}};  ///< the leading, simplest one first
  std::vector<FaultHypothesis> hypotheses_;        ///< and with other bounds
  bool is_searched_ = false;                       ///< for explanations, since the last answer
  std::vector<Atom> open_;     ///< simple conditions that may be one more of the leading hypothesis
  std::vector<Atom> unasked_;  ///< those of which no question was found that would show it
  bool is_swept_ = false;      ///< whether such questions were looked for
  std::optional<Predicate> refused_where_;
  bool has_exceptions_ = false;           ///< no conjunction holds of all that is wrong and of nothing else
  std::vector<std::size_t> wrong_pairs_;  ///< of how many vectors each pair is wrong
  std::size_t vectors_with_pairs_ = 0;
  bool are_pairs_of_main_ = false;
  bool was_main_type_asked_ = false;  ///< for the pairs
  std::size_t questions_ = 0;
  std::size_t vectors_ = 0;
};

const Observation* BoundarySearch::ask(const Composition& asked) {
  const auto marked = (*ask_)(asked.sequence);
  ++questions_;
  vectors_ += vectors_of(asked.sequence);
  refusals_.add({asked.values, {}}, !marked.was_answered,
                !refused_where_ || holds(*refused_where_, asked.values));
  if (marked.was_answered) {
    return &observe(asked, marked);
  }
  const auto explained = refusals_.explanations();
  refused_where_ = explained.empty() ? std::nullopt : std::optional(explained.front().predicate);
  return nullptr;
}

void BoundarySearch::count_pairs(const QuestionPoint& question, const std::vector<bool>& pairs) {
  // Of a coarser type than the main one, a fault may show in some pairs only.
  const bool is_of_main = question.type == limits_->types.front();
  if (!pairs.empty() && (wrong_pairs_.empty() || is_of_main > are_pairs_of_main_)) {
    wrong_pairs_.assign(pairs.size(), 0);
    vectors_with_pairs_ = 0;
    are_pairs_of_main_ = is_of_main;
  }
  if (pairs.size() == wrong_pairs_.size() && is_of_main == are_pairs_of_main_) {
    ++vectors_with_pairs_;
    std::ranges::transform(pairs, wrong_pairs_, wrong_pairs_.begin(), std::plus<std::size_t>());
  }
}

const Observation& BoundarySearch::observe(const Composition& asked, const Marked& marked) {
  const auto count = asked.sequence.back().count();
  auto& observation = observations_.emplace_back(Observation{asked, std::vector<bool>(count)});
  for (const auto& [vector, pairs] : marked.wrong) {
    if (vector < count) {
      observation.is_wrong[vector] = true;
      count_pairs(asked.sequence.back(), pairs);
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
    chosen.insert(static_cast<std::size_t>(composer_.below(static_cast<std::int64_t>(count))));
  }
  for (const auto i : chosen) {
    learn(observation, i);
  }
  return observation;
}

void BoundarySearch::learn(Observation& observation, std::size_t vector) {
  const auto evidence = observation.asked.at(vector);
  observation.learned.push_back(vector);
  space_.add(evidence, observation.is_wrong[vector], leading().predicts_wrong(evidence));
}

/// Whether there is a vector that is not as the leading hypothesis says.
bool BoundarySearch::learn_contradictions() {
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

/// \param is_anew whether to look for more explanations even if the leading one agrees with what is known
void BoundarySearch::explain(bool is_anew) {
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

/// How likely the answer refutes the leading hypothesis or the others, which are those that were found and
/// the leading one with one more condition.
double BoundarySearch::gain(const Composition& composition) {
  const auto& question = composition.sequence.back();
  const auto count = question.count();
  std::vector<VectorEvidence> sample;
  const auto add = [&](std::size_t at) { sample.push_back(composition.at(at % count)); };
  for (const auto at : {composition.focus, composition.focus + 1, composition.focus + count - 1, count - 1,
                        std::size_t{0}, composition.focus + question.rows}) {
    add(at);
  }
  constexpr std::size_t most = 20;
  while (sample.size() < std::min(most, 6 + count)) {
    add(static_cast<std::size_t>(composer_.below(static_cast<std::int64_t>(count))));
  }
  double refuted = 0, all = 0;
  const auto predicted = [&](const FaultHypothesis& one) {
    std::bitset<most> result;
    for (std::size_t i = 0; i < sample.size() && may_hold(one.predicate, composition.values); ++i) {
      result[i] = one.predicts_wrong(sample[i]);
    }
    return result;
  };
  const auto of_leading = predicted(leading());
  const auto weigh = [&](double cost, bool is_refuted) {
    all += std::exp2(-cost);
    refuted += is_refuted ? std::exp2(-cost) : 0;
  };
  for (const auto& one : hypotheses_) {
    weigh(one.cost - leading().cost, predicted(one) != of_leading);
  }
  // Of what is predicted to be wrong a few vectors.
  constexpr std::size_t few = 8;
  std::erase_if(sample, [&](const VectorEvidence& vector) { return !leading().predicts_wrong(vector); });
  sample.resize(std::min(sample.size(), few));
  for (const auto& atom : open_) {
    weigh(cost_of(atom), !std::ranges::all_of(sample, [&](const VectorEvidence& vector) {
            return atom.holds(vector.values);
          }));
  }
  return refuted / all * (1 - refuted / all);
}

/// A question that tells hypotheses from one another.
std::optional<Composition> BoundarySearch::dividing(std::size_t most_vectors) {
  constexpr double least_gain = 0.01, cost_of_question = 300,
                   cost_of_process = 3000;  // in vectors, as a design
  const int enough = most_vectors > few_vectors ? 6 : 16, most_draws = 3 * enough;
  std::optional<Composition> best;
  double best_score = 0;
  const auto pick = [&](const auto& all) -> const auto& {
    return all[static_cast<std::size_t>(composer_.below(std::ssize(all)))];
  };
  const auto drawn = [&](int i) {
    const auto most = i % 4 == 1 ? few_vectors : most_vectors;
    const auto& other = pick(hypotheses_).predicate;
    auto conditions = i % 2 == 0 ? leading().predicate : other;
    auto missed = i % 2 == 0 ? other : leading().predicate;
    if (!open_.empty() && i % 4 == 0) {
      missed = {pick(open_)};
    }
    std::erase_if(missed,
                  [&](const Atom& atom) { return std::ranges::find(conditions, atom) != conditions.end(); });
    if (!missed.empty()) {
      conditions = both_of(conditions, opposite_of(pick(missed)));
    }
    const auto required = conditions.size();
    for (auto extra = composer_.below(10); extra > 0 && !open_.empty(); --extra) {
      const auto& atom = pick(open_);
      // What was asked before is rarely so in two ways at once.
      const auto is_known = [&](const Atom& known) {
        return is_history(known)
                   ? is_history(atom)
                   : known.coordinate == atom.coordinate &&
                         (known.relation != Relation::multiple || atom.relation != Relation::not_multiple);
      };
      if (std::ranges::none_of(conditions, is_known)) {
        conditions = both_of(conditions, opposite_of(atom));
      }
    }
    auto composed = composer_.compose(conditions, most);
    conditions.resize(required);
    return composed ? composed : composer_.compose(conditions, most);
  };
  const auto pick_wrong = [&]() -> const Composition& {
    const auto* found = &pick(observations_);
    for (; !found->has_wrong(); found = &pick(observations_)) {
    }
    return found->asked;
  };
  // Where nothing was wrong of late, what is near a question that showed the failure tells more.
  const bool is_lost = observations_.size() > 2 &&
                       std::ranges::none_of(std::span(observations_).last(2), &Observation::has_wrong);
  for (int i = 0, useful = 0; i < most_draws && useful < enough; ++i) {
    auto composed = is_lost || i % 4 == 3 ? std::optional(composer_.neighbour(pick_wrong())) : drawn(i);
    if (!composed || !may_ask(composed->sequence) || (i % 8 != 0 && is_refused(*composed))) {
      continue;
    }
    const auto gained = gain(*composed);
    const auto score =
        gained / (cost_of_process + cost_of_question * static_cast<double>(composed->sequence.size()) +
                  static_cast<double>(vectors_of(composed->sequence)));
    useful += gained > least_gain ? 1 : 0;
    if (gained > least_gain && score > best_score) {
      best_score = score;
      best = composed;
    }
  }
  return best;
}

/// A question whose answer is not as both the leading hypothesis and another one predict.
std::optional<Composition> BoundarySearch::telling(const FaultHypothesis& other, std::size_t most_vectors) {
  constexpr int tries = 2;
  const auto is_told = [&](const Composition& one) {
    const auto vector = one.at(one.focus);
    return leading().predicts_wrong(vector) != other.predicts_wrong(vector) && !is_refused(one) &&
           may_ask(one.sequence);
  };
  for (int i = 0; i < 2 * tries; ++i) {
    const auto& [met, missed] = i % 2 == 0 ? std::tie(leading().predicate, other.predicate)
                                           : std::tie(other.predicate, leading().predicate);
    for (const auto& atom : missed) {
      if (std::ranges::find(met, atom) == met.end()) {
        auto composed =
            composer_.compose(both_of(met, opposite_of(atom)), i < 2 ? few_vectors : most_vectors);
        if (composed && is_told(*composed)) {
          return composed;
        }
      }
    }
  }
  return std::nullopt;
}

/// A question about what was not seen to matter, or not to matter, and that was not met by chance.
std::optional<Composition> BoundarySearch::remaining(std::size_t most_vectors) {
  for (const auto& one : space_.with_other_bounds(leading())) {
    if (auto told = telling(one, most_vectors)) {
      return told;
    }
  }
  for (std::size_t i = 0; i < leading().predicate.size(); ++i) {
    if (auto told = is_needed(i) ? std::nullopt : telling(without(leading(), i), most_vectors)) {
      return told;
    }
  }
  // What no question shows is left out at first, and then each is asked for that was not met by chance.
  const bool was_swept = std::exchange(is_swept_, true);
  for (auto i = open_.size(); i > 0; --i) {
    const auto atom = open_[i - 1];
    auto told = telling(with(leading(), atom), many_vectors);
    if (!told) {
      unasked_.push_back(atom);
      std::erase(open_, atom);
    } else if (was_swept) {
      return told;
    }
  }
  if (!was_swept) {
    return dividing(many_vectors);
  }
  std::optional<Composition> told;
  for (std::size_t i = 1; i < std::min<std::size_t>(hypotheses_.size(), 16) && !told; ++i) {
    told = telling(hypotheses_[i], most_vectors);
  }
  return told;
}

/// Whether a condition is needed by the answers to several questions.
bool BoundarySearch::is_needed(std::size_t condition) const {
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

bool BoundarySearch::is_decided() const {
  bool result =
      !has_exceptions_ && checked_ == observations_.size() && space_.with_other_bounds(leading()).empty();
  for (std::size_t i = 0; i < leading().predicate.size(); ++i) {
    result = result && is_needed(i);
  }
  return result;
}

/// True also if that may not be asked.
bool BoundarySearch::shows_failure(const std::vector<QuestionPoint>& failing) {
  const auto shows = [&](const std::vector<QuestionPoint>& sequence) {
    const auto* observation =
        may_ask(sequence) ? ask(composition_of(sequence, *limits_)) : &observations_.front();
    return observation != nullptr && observation->has_wrong();
  };
  return shows({failing.back()}) || (failing.size() > 1 && limits_->starts_afresh && shows(failing));
}

bool BoundarySearch::are_some_pairs_right() const {
  return std::ranges::find(wrong_pairs_, std::size_t{0}) != wrong_pairs_.end();
}

void BoundarySearch::tell_pairs(Boundary& boundary) {
  if (!are_pairs_of_main_) {
    boundary.is_confirmed = false;
    return;
  }
  VersionSpace space([](const CoordinateTraits& one) { return one.coordinate == pair; });
  // A pair of zeros is right in any case: each is wrong in most vectors, or in none.
  bool is_clear = true;
  for (std::size_t i = 0; i < wrong_pairs_.size(); ++i) {
    Coordinates values;
    values[pair] = static_cast<std::int64_t>(i);
    space.add({values, {}}, wrong_pairs_[i] > 0, true);
    is_clear = is_clear && (wrong_pairs_[i] == 0 || 2 * wrong_pairs_[i] > vectors_with_pairs_);
  }
  const auto explained = space.explanations();
  boundary.is_confirmed = boundary.is_confirmed && !explained.empty() && is_clear;
  if (!explained.empty()) {
    const auto& conditions = explained.front().predicate;
    boundary.wrong_where.insert(boundary.wrong_where.end(), conditions.begin(), conditions.end());
  }
}

void BoundarySearch::tell_examples(Boundary& boundary) const {
  const auto nearest = [&](bool is_wrong, const auto& distance) {
    const Observation* result = nullptr;
    for (const auto& one : observations_) {
      if (one.has_wrong() == is_wrong && (result == nullptr || distance(one) < distance(*result))) {
        result = &one;
      }
    }
    return result;
  };
  const auto* shortest = nearest(true, [](const Observation& one) {
    return vectors_of(one.asked.sequence) + few_vectors * one.asked.sequence.size();
  });
  const auto* right = nearest(
      false, [&](const Observation& one) { return dissimilarity(one.asked.values, shortest->asked.values); });
  boundary.shortest = shortest->asked.sequence;
  boundary.nearest = right == nullptr ? std::vector<QuestionPoint>() : right->asked.sequence;
}

Boundary BoundarySearch::find(const std::vector<QuestionPoint>& failing, const Marked& marked) {
  constexpr std::size_t large = 1024;  // more is asked again only where less does not show the failure
  constexpr std::size_t most_exceptions = 24;  // questions in search of a rule, as many as most searches take
  constexpr std::size_t patience = 10;  // other questions before it is asked whether the failure repeats
  Boundary boundary;
  boundary.is_reproducible = false;
  boundary.shortest = failing;
  if (failing.empty() || !observe(composition_of(failing, *limits_), marked).has_wrong()) {
    return boundary;
  }
  refusals_.add({observations_.front().asked.values, {}}, false, false);
  const bool is_large = vectors_of(failing) > large;
  const auto is_reproduced = [&] {
    return std::ranges::any_of(std::span(observations_).subspan(1), &Observation::has_wrong);
  };
  boundary.is_reproducible = is_large || shows_failure(failing);
  explain(true);
  for (std::size_t exceptions = 0; boundary.is_reproducible && exceptions < most_exceptions;) {
    auto next = dividing(is_swept_ ? many_vectors : few_vectors);
    if (!is_reproduced() && (!next || questions_ >= patience) && !shows_failure(failing)) {
      boundary.is_reproducible = false;
      break;
    }
    const auto most = std::max(many_vectors, 2 * failing.back().count());
    for (int i = 0; i < 2 && !has_exceptions_; ++i) {
      next = next ? next : remaining(most);
    }
    next = next || is_swept_ ? next : dividing(many_vectors);
    exceptions += has_exceptions_ ? 1 : 0;
    if (!next && !is_searched_) {
      explain(true);
      continue;
    }
    if (!next && are_some_pairs_right() && !are_pairs_of_main_ &&
        !std::exchange(was_main_type_asked_, true)) {
      const auto main_type = static_cast<std::int64_t>(limits_->types.front());
      next = composer_.compose(both_of(leading().predicate, {{type, Relation::equal, main_type}}), most);
    }
    if (!next || !may_ask(next->sequence)) {
      boundary.is_confirmed = !next && limits_->starts_afresh && is_reproduced() && is_decided();
      break;
    }
    ask(*next);
    explain(false);
  }
  boundary.wrong_where = told_of(leading());
  boundary.masked = leading().masking;
  if (are_some_pairs_right()) {
    tell_pairs(boundary);
  } else if (wrong_pairs_.empty() && is_about(leading().predicate, not_finite)) {
    boundary.is_confirmed = false;  // where numbers are not finite, no answer tells which pairs are wrong
  }
  if (!boundary.is_confirmed) {
    // Vectors that are right here and there are more likely such as do not show an effect.
    boundary.has_exceptions =
        std::erase_if(boundary.wrong_where, [](const Atom& atom) {
          return traits(atom.coordinate).kind == CoordinateKind::element && is_exception(atom);
        }) > 0;
  }
  tell_examples(boundary);
  boundary.questions = questions_;
  return boundary;
}

}  // namespace

Boundary find_boundary(const std::vector<QuestionPoint>& failing, const Marked& marked,
                       const BoundaryLimits& limits, const AskSequence& ask) {
  return BoundarySearch(limits, ask).find(failing, marked);
}

}  // namespace vernier
