#include "numerics/asking/covering/boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "numerics/asking/covering/composition.hpp"
#include "numerics/asking/covering/fault_knowledge.hpp"
#include "numerics/asking/covering/hypotheses.hpp"
#include "numerics/asking/covering/wrong_pairs.hpp"

namespace vernier {
namespace {

using enum Coordinate;

constexpr std::size_t few_vectors = 300;
constexpr std::size_t many_vectors = 8'192;
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

class BoundarySearch {
 public:
  BoundarySearch(const BoundaryLimits& limits, const AskSequence& ask)
      : limits_(&limits), ask_(&ask), composer_(limits, 1), wrong_pairs_(limits.types.front()) {}

  Boundary find(const std::vector<QuestionPoint>& failing, const Marked& marked);

 private:
  bool may_ask(const std::vector<QuestionPoint>& sequence) const {
    return questions_ < limits_->most_questions && vectors_ + vectors_of(sequence) <= limits_->most_vectors;
  }
  bool is_refused(const Composition& asked) const {
    return refused_where_ && holds(*refused_where_, asked.values);
  }
  const FaultHypothesis& leading() const { return known_.leading(); }
  const Observation* ask(const Composition& asked);
  const Observation& observe(const Composition& asked, const Marked& marked);
  bool shows_failure(const std::vector<QuestionPoint>& failing);

  double gain(const Composition& composition);
  std::optional<Composition> dividing(std::size_t most_vectors);
  std::optional<Composition> telling(const FaultHypothesis& other, std::size_t most_vectors);
  std::optional<Composition> remaining(std::size_t most_vectors);
  void tell_examples(Boundary& boundary) const;

  const BoundaryLimits* limits_;
  const AskSequence* ask_;
  Composer composer_;
  VersionSpace refusals_{[](const CoordinateTraits& one) { return one.kind != CoordinateKind::element; }};
  FaultKnowledge known_{composer_};
  WrongPairs wrong_pairs_;
  std::optional<Predicate> refused_where_;
  bool was_main_type_asked_ = false;  ///< for the pairs
  std::size_t questions_ = 0;
  std::size_t vectors_ = 0;
};

const Observation& BoundarySearch::observe(const Composition& asked, const Marked& marked) {
  for (const auto& [vector, pairs] : marked.wrong) {
    if (vector < asked.sequence.back().count()) {
      wrong_pairs_.count(asked.sequence.back(), pairs);
    }
  }
  return known_.observe(asked, marked);
}

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
    add(composer_.dice().below(count));
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
  for (const auto& one : known_.hypotheses()) {
    weigh(one.cost - leading().cost, predicted(one) != of_leading);
  }
  // Of what is predicted to be wrong a few vectors.
  constexpr std::size_t few = 8;
  std::erase_if(sample, [&](const VectorEvidence& vector) { return !leading().predicts_wrong(vector); });
  sample.resize(std::min(sample.size(), few));
  for (const auto& atom : known_.open()) {
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
    return composer_.dice().of(all);
  };
  const auto drawn = [&](int i) {
    const auto most = i % 4 == 1 ? few_vectors : most_vectors;
    const auto& other = pick(known_.hypotheses()).predicate;
    auto conditions = i % 2 == 0 ? leading().predicate : other;
    auto missed = i % 2 == 0 ? other : leading().predicate;
    if (!known_.open().empty() && i % 4 == 0) {
      missed = {pick(known_.open())};
    }
    std::erase_if(missed,
                  [&](const Atom& atom) { return std::ranges::find(conditions, atom) != conditions.end(); });
    if (!missed.empty()) {
      conditions = both_of(conditions, opposite_of(pick(missed)));
    }
    const auto required = conditions.size();
    for (auto extra = composer_.dice().below(10); extra > 0 && !known_.open().empty(); --extra) {
      const auto& atom = pick(known_.open());
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
    const auto* found = &pick(known_.observations());
    for (; !found->has_wrong(); found = &pick(known_.observations())) {
    }
    return found->asked;
  };
  // Where nothing was wrong of late, what is near a question that showed the failure tells more.
  const bool is_lost =
      known_.observations().size() > 2 &&
      std::ranges::none_of(std::span(known_.observations()).last(2), &Observation::has_wrong);
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
  for (const auto& one : known_.with_other_bounds()) {
    if (auto told = telling(one, most_vectors)) {
      return told;
    }
  }
  for (std::size_t i = 0; i < leading().predicate.size(); ++i) {
    if (auto told = known_.is_needed(i) ? std::nullopt : telling(without(leading(), i), most_vectors)) {
      return told;
    }
  }
  // What no question shows is left out at first, and then each is asked for that was not met by chance.
  const bool was_swept = known_.is_swept();
  known_.set_swept();
  for (auto i = known_.open().size(); i > 0; --i) {
    const auto atom = known_.open()[i - 1];
    auto told = telling(with(leading(), atom), many_vectors);
    if (!told) {
      known_.leave_out(atom);
    } else if (was_swept) {
      return told;
    }
  }
  if (!was_swept) {
    return dividing(many_vectors);
  }
  std::optional<Composition> told;
  for (std::size_t i = 1; i < std::min<std::size_t>(known_.hypotheses().size(), 16) && !told; ++i) {
    told = telling(known_.hypotheses()[i], most_vectors);
  }
  return told;
}

/// True also if that may not be asked.
bool BoundarySearch::shows_failure(const std::vector<QuestionPoint>& failing) {
  const auto shows = [&](const std::vector<QuestionPoint>& sequence) {
    const auto* observation =
        may_ask(sequence) ? ask(composition_of(sequence, *limits_)) : &known_.observations().front();
    return observation != nullptr && observation->has_wrong();
  };
  return shows({failing.back()}) || (failing.size() > 1 && limits_->starts_afresh && shows(failing));
}

void BoundarySearch::tell_examples(Boundary& boundary) const {
  const auto nearest = [&](bool is_wrong, const auto& distance) {
    const Observation* result = nullptr;
    for (const auto& one : known_.observations()) {
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
  refusals_.add({known_.observations().front().asked.values, {}}, false, false);
  const bool is_large = vectors_of(failing) > large;
  const auto is_reproduced = [&] {
    return std::ranges::any_of(std::span(known_.observations()).subspan(1), &Observation::has_wrong);
  };
  boundary.is_reproducible = is_large || shows_failure(failing);
  known_.explain(true);
  for (std::size_t exceptions = 0; boundary.is_reproducible && exceptions < most_exceptions;) {
    auto next = dividing(known_.is_swept() ? many_vectors : few_vectors);
    if (!is_reproduced() && (!next || questions_ >= patience) && !shows_failure(failing)) {
      boundary.is_reproducible = false;
      break;
    }
    const auto most = std::max(many_vectors, 2 * failing.back().count());
    for (int i = 0; i < 2 && !known_.has_exceptions(); ++i) {
      next = next ? next : remaining(most);
    }
    next = next || known_.is_swept() ? next : dividing(many_vectors);
    exceptions += known_.has_exceptions() ? 1 : 0;
    if (!next && !known_.is_searched()) {
      known_.explain(true);
      continue;
    }
    if (!next && wrong_pairs_.are_some_right() && !wrong_pairs_.are_of_main_type() &&
        !std::exchange(was_main_type_asked_, true)) {
      const auto main_type = static_cast<std::int64_t>(limits_->types.front());
      next = composer_.compose(both_of(leading().predicate, {{type, Relation::equal, main_type}}), most);
    }
    if (!next || !may_ask(next->sequence)) {
      boundary.is_confirmed = !next && limits_->starts_afresh && is_reproduced() && known_.is_decided();
      break;
    }
    ask(*next);
    known_.explain(false);
  }
  boundary.wrong_where = told_of(leading());
  boundary.masked = leading().masking;
  if (wrong_pairs_.are_some_right()) {
    wrong_pairs_.tell(boundary);
  } else if (wrong_pairs_.are_unknown() && is_about(leading().predicate, not_finite)) {
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
