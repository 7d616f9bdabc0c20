#include "numerics/implementations/covering/boundary.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "numerics/implementations/covering/composition.hpp"
#include "numerics/implementations/covering/hypotheses.hpp"

namespace vernier {
namespace {

using enum Coordinate;

constexpr std::size_t few_vectors = 300;
constexpr std::size_t many_vectors = 8'192;

/// What an answer showed.
struct Observation {
  std::vector<QuestionPoint> sequence;
  Coordinates values;
  std::vector<bool> is_wrong;
  std::vector<Coordinates> learned = {};

  bool has_wrong() const { return std::ranges::find(is_wrong, true) != is_wrong.end(); }
  Coordinates at(std::size_t vector) const { return with_vector(values, sequence.back(), vector); }
};

std::size_t vectors_of(const std::vector<QuestionPoint>& sequence) {
  return std::transform_reduce(sequence.begin(), sequence.end(), std::size_t{0}, std::plus(),
                               [](const QuestionPoint& one) { return one.count(); });
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

/// The first vector that is not as the predicate says.
/// Whether nothing can be seen of a fault: at position 0 nothing is turned, so that most faults show nothing.
bool tells_nothing(const Coordinates& vector, bool is_wrong) {
  return !is_wrong && vector[Coordinate::position] == 0;
}

std::optional<std::size_t> contradiction(const Predicate& predicate, const Observation& observation) {
  const bool may_be_met = may_hold(predicate, observation.values);
  for (std::size_t i = 0; i < observation.is_wrong.size(); ++i) {
    const auto vector = observation.at(i);
    if ((may_be_met && holds(predicate, vector)) != observation.is_wrong[i] &&
        !tells_nothing(vector, observation.is_wrong[i])) {
      return i;
    }
  }
  return std::nullopt;
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
  const Observation* ask(const std::vector<QuestionPoint>& sequence);
  const Observation& observe(const std::vector<QuestionPoint>& sequence, const Marked& marked);
  void learn(Observation& observation, std::size_t vector);
  bool learn_contradictions();
  bool shows_failure(const std::vector<QuestionPoint>& failing);

  void explain();
  std::optional<Composition> dividing(std::size_t most_vectors);
  double gain(const Composition& composition);
  bool agrees(const Predicate& conditions, std::size_t times = 1);
  bool is_confirmed();
  bool is_seen(const Predicate& conditions) const;
  void tell_pairs(Boundary& boundary);
  void tell_examples(Boundary& boundary) const;

  const BoundaryLimits* limits_;
  const AskSequence* ask_;
  Composer composer_;
  std::mt19937_64 bits_{3};
  VersionSpace space_{[](const CoordinateTraits& one) { return one.coordinate != pair; }};
  VersionSpace refusals_{[](const CoordinateTraits& one) { return one.kind != CoordinateKind::element; }};
  std::vector<Observation> observations_;
  std::vector<FaultHypothesis> hypotheses_;
  Predicate leading_;  ///< the simplest explanation
  std::optional<Predicate> refused_where_;
  bool was_contradicted_ = false;
  bool has_exceptions_ = false;           ///< no conjunction holds of all that is wrong and of nothing else
  std::vector<std::size_t> wrong_pairs_;  ///< of how many vectors each pair is wrong
  std::size_t vectors_with_pairs_ = 0;
  bool are_pairs_of_main_ = false;
  std::size_t questions_ = 0;
  std::size_t vectors_ = 0;
};

const Observation* BoundarySearch::ask(const std::vector<QuestionPoint>& sequence) {
  const auto marked = (*ask_)(sequence);
  ++questions_;
  vectors_ += vectors_of(sequence);
  const auto values = coordinates_of(sequence, *limits_);
  refusals_.add(values, !marked.was_answered, !refused_where_ || holds(*refused_where_, values));
  if (marked.was_answered) {
    return &observe(sequence, marked);
  }
  const auto explained = refusals_.explanations(bits_);
  refused_where_ = explained.empty() ? std::nullopt : std::optional(explained.front().predicate);
  return nullptr;
}

const Observation& BoundarySearch::observe(const std::vector<QuestionPoint>& sequence, const Marked& marked) {
  const auto count = sequence.back().count();
  auto& observation = observations_.emplace_back(
      Observation{sequence, coordinates_of(sequence, *limits_), std::vector<bool>(count)});
  for (const auto& [vector, pairs] : marked.wrong) {
    if (vector >= count) {
      continue;
    }
    observation.is_wrong[vector] = true;
    // Of a coarser type than the main one, a fault may show in some pairs only.
    const bool is_of_main = sequence.back().type == limits_->types.front();
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
  // The ends, neighbours that differ, and a few more.
  constexpr std::size_t few = 10;
  std::set<std::size_t> chosen{0, count - 1};
  for (std::size_t i = 1; i < count && chosen.size() < few; ++i) {
    if (observation.is_wrong[i] != observation.is_wrong[i - 1]) {
      chosen.insert({i - 1, i});
    }
  }
  for (std::size_t i = 0; i < few; ++i) {
    chosen.insert(bits_() % count);
  }
  for (const auto i : chosen) {
    learn(observation, i);
  }
  return observation;
}

void BoundarySearch::learn(Observation& observation, std::size_t vector) {
  const auto values = observation.at(vector);
  if (tells_nothing(values, observation.is_wrong[vector])) {
    return;
  }
  observation.learned.push_back(values);
  space_.add(values, observation.is_wrong[vector], holds(leading_, values));
}

/// Whether there is a vector that is not as the leading hypothesis says.
bool BoundarySearch::learn_contradictions() {
  constexpr int enough = 4;
  int found = 0;
  for (auto one = observations_.rbegin(); one != observations_.rend() && found < enough; ++one) {
    if (const auto at = contradiction(leading_, *one)) {
      learn(*one, *at);
      ++found;
    }
  }
  return found > 0;
}

void BoundarySearch::explain() {
  constexpr int most_rounds = 16;
  constexpr std::size_t most_widened = 12;
  for (int round = 0; round < most_rounds; ++round) {
    hypotheses_ = space_.explanations(bits_);
    has_exceptions_ = hypotheses_.empty();
    hypotheses_ = has_exceptions_ ? space_.attempts() : hypotheses_;
    leading_ = hypotheses_.front().predicate;
    if (has_exceptions_ || !learn_contradictions()) {
      break;
    }
  }
  for (std::size_t i = 0, count = std::min(hypotheses_.size(), most_widened); i < count && !has_exceptions_;
       ++i) {
    const auto wider = space_.widened(hypotheses_[i]);
    hypotheses_.insert(hypotheses_.end(), wider.begin(), wider.end());
  }
}

/// What share of the hypotheses an answer refutes, as is to be expected.
double BoundarySearch::gain(const Composition& composition) {
  const auto& question = composition.sequence.back();
  const auto count = question.count();
  std::vector<Coordinates> sample;
  const auto add = [&](std::size_t at) {
    sample.push_back(with_vector(composition.values, question, at % count));
  };
  for (const auto at : {composition.focus, composition.focus + 1, composition.focus + count - 1, count - 1,
                        std::size_t{0}, composition.focus + question.rows}) {
    add(at);
  }
  while (sample.size() < std::min<std::size_t>(24, 6 + count)) {
    add(bits_());
  }
  std::map<std::uint64_t, double> classes;
  double sum = 0;
  for (const auto& [predicate, weight] : hypotheses_) {
    std::uint64_t predicted = 0;
    if (may_hold(predicate, composition.values)) {
      for (std::size_t i = 0; i < sample.size(); ++i) {
        predicted |= std::uint64_t{holds(predicate, sample[i])} << i;
      }
    }
    classes[predicted] += weight;
    sum += weight;
  }
  double same = 0;
  for (const auto& [predicted, weight] : classes) {
    same += weight * weight / (sum * sum);
  }
  // Of what is predicted to be wrong a few vectors, and one for what is the same in all.
  constexpr std::size_t few = 8;
  std::erase_if(sample, [&](const Coordinates& vector) { return !holds(leading_, vector); });
  double refuted = 0, all = 1;
  for (const auto& [atom, weight, excluded] : space_.candidates()) {
    const auto compared = traits(atom.coordinate).kind == CoordinateKind::element ? few : 1;
    const auto begin = sample.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(compared, sample.size()));
    all += weight;
    refuted +=
        std::all_of(begin, end, [&](const Coordinates& vector) { return atom.holds(vector); }) ? 0 : weight;
  }
  const auto unvaried = count > few_vectors ? 0 : 2 * refuted / all * (1 - refuted / all);
  const auto divided = classes.size() < 2 ? 0 : std::max(1 - same, 1e-9);
  return divided + (1 - divided) * unvaried;
}

/// A question whose answer refutes some of the hypotheses, or shows that what was not yet varied matters.
std::optional<Composition> BoundarySearch::dividing(std::size_t most_vectors) {
  constexpr double least_gain = 0.02, cost_of_question = 600;
  constexpr int enough = 16, most_draws = 64;
  std::optional<Composition> best;
  double best_score = 0;
  const auto pick = [&](const auto& all) -> const auto& {
    return all[bits_() % all.size()];
  };
  const auto& unvaried = space_.candidates();
  for (int i = 0, useful = 0; i < most_draws && useful < enough; ++i) {
    auto conditions = i % 2 == 0 ? leading_ : pick(hypotheses_).predicate;
    auto missed = i % 2 == 0 ? pick(hypotheses_).predicate : leading_;
    if (!unvaried.empty() && i % 4 == 0) {
      missed = {pick(unvaried).atom};
    }
    std::erase_if(missed,
                  [&](const Atom& atom) { return std::ranges::find(conditions, atom) != conditions.end(); });
    const auto add_opposite = [&](const Atom& atom) {
      const auto opposite = opposite_of(atom);
      conditions.insert(conditions.end(), opposite.begin(), opposite.end());
    };
    if (!missed.empty()) {
      add_opposite(pick(missed));
    }
    const auto required = conditions;
    for (auto extra = composer_.below(10); extra > 0 && !unvaried.empty(); --extra) {
      const auto& atom = pick(unvaried).atom;
      if (std::ranges::find(conditions, atom.coordinate, &Atom::coordinate) == conditions.end()) {
        add_opposite(atom);
      }
    }
    auto composed = composer_.compose(conditions, most_vectors);
    composed = composed ? composed : composer_.compose(required, most_vectors);
    if (!composed || !may_ask(composed->sequence) ||
        (i % 8 != 0 && refused_where_ && holds(*refused_where_, composed->values))) {
      continue;
    }
    const auto gained = gain(*composed);
    const auto score = gained / (cost_of_question * static_cast<double>(composed->sequence.size()) +
                                 static_cast<double>(vectors_of(composed->sequence)));
    useful += gained > least_gain ? 1 : 0;
    if (gained > least_gain && score > best_score) {
      best_score = score;
      best = composed;
    }
  }
  return best;
}

/// Whether the leading hypothesis holds in so many questions with a vector that meets the conditions.
bool BoundarySearch::agrees(const Predicate& conditions, std::size_t times) {
  auto seen = static_cast<std::size_t>(std::ranges::count_if(observations_, [&](const Observation& one) {
    return std::ranges::any_of(one.learned,
                               [&](const Coordinates& vector) { return holds(conditions, vector); });
  }));
  for (; seen < times; ++seen) {
    // The smallest of several, as not every draw meets what it should.
    constexpr int draws = 4;
    std::optional<Composition> composed;
    for (int i = 0; i < 2 * draws && !(composed && composed->sequence.back().count() <= few_vectors); ++i) {
      auto one = composer_.compose(conditions, i < draws ? few_vectors : many_vectors);
      if (one && (!composed || one->sequence.back().count() < composed->sequence.back().count())) {
        composed = std::move(one);
      }
    }
    if (!composed || (refused_where_ && holds(*refused_where_, composed->values))) {
      return true;
    }
    if (!may_ask(composed->sequence)) {
      return false;
    }
    const auto* observation = ask(composed->sequence);
    was_contradicted_ = observation != nullptr && contradiction(leading_, *observation).has_value();
    if (was_contradicted_) {
      return false;
    }
  }
  return true;
}

/// Whether a vector was judged that meets the conditions.
bool BoundarySearch::is_seen(const Predicate& conditions) const {
  return std::ranges::any_of(observations_, [&](const Observation& one) {
    bool is_met = false;
    for (std::size_t i = 0; may_hold(conditions, one.values) && i < one.is_wrong.size() && !is_met; ++i) {
      is_met = holds(conditions, one.at(i));
    }
    return is_met;
  });
}

bool BoundarySearch::is_confirmed() {
  was_contradicted_ = false;
  const auto with = [&](const Predicate& more) {
    auto conditions = leading_;
    conditions.insert(conditions.end(), more.begin(), more.end());
    return conditions;
  };
  for (std::size_t i = 0; i < leading_.size(); ++i) {
    auto others = leading_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    // What cannot be asked, for its size, is not confirmed by that.
    const auto agrees_beside = [&](Predicate conditions, std::size_t times) {
      conditions.insert(conditions.end(), others.begin(), others.end());
      return agrees(conditions, times) && is_seen(conditions);
    };
    const auto& [coordinate, relation, value, modulus] = leading_[i];
    if (relation == Relation::at_least || relation == Relation::at_most) {
      const auto outside = value + (relation == Relation::at_least ? -1 : 1);
      if (!agrees_beside({{coordinate, Relation::equal, value}}, 1) ||
          !agrees_beside({{coordinate, Relation::equal, outside}}, 1)) {
        return false;
      }
    }
    if (!agrees_beside(opposite_of(leading_[i]), 2)) {
      return false;
    }
  }
  // Every kind of a question and every history are seen not to matter.
  const auto unvaried = space_.candidates();
  for (const auto& one : unvaried) {
    const auto kind = traits(one.atom.coordinate).kind;
    if ((kind == CoordinateKind::kind || kind == CoordinateKind::history) &&
        !agrees(with(opposite_of(one.atom)))) {
      return false;
    }
  }
  // Sizes that kernels treat apart, a multiple of most of them, and as many as can be.
  constexpr std::array<std::pair<Coordinate, std::int64_t>, 3> sizes{
      {{rows, many_vectors}, {heads, 512}, {batches, 256}}};
  return std::ranges::all_of(sizes, [&](const auto& one) {
    auto [size, least] = one;
    while (least > 1 && !composer_.compose(with({{size, Relation::at_least, least}}), many_vectors)) {
      least = least * 3 / 4;
    }
    constexpr std::array usual{2, 4, 8, 16, 32, 128, 720};
    return std::ranges::all_of(usual,
                               [&](std::int64_t count) {
                                 return agrees(with({{size, Relation::equal, count}}));
                               }) &&
           agrees(with({{size, Relation::at_least, least}}));
  });
}

/// True also if that may not be asked.
bool BoundarySearch::shows_failure(const std::vector<QuestionPoint>& failing) {
  const auto shows = [&](const std::vector<QuestionPoint>& sequence) {
    const auto* observation = may_ask(sequence) ? ask(sequence) : &observations_.front();
    return observation != nullptr && observation->has_wrong();
  };
  return shows({failing.back()}) || (failing.size() > 1 && limits_->starts_afresh && shows(failing));
}

void BoundarySearch::tell_pairs(Boundary& boundary) {
  VersionSpace space([](const CoordinateTraits& one) { return one.coordinate == pair; });
  // A pair of zeros is right in any case: each is wrong in most vectors, or in none.
  bool is_clear = true;
  for (std::size_t i = 0; i < wrong_pairs_.size(); ++i) {
    Coordinates values;
    values[pair] = static_cast<std::int64_t>(i);
    space.add(values, wrong_pairs_[i] > 0, true);
    is_clear = is_clear && (wrong_pairs_[i] == 0 || 2 * wrong_pairs_[i] > vectors_with_pairs_);
  }
  const auto explained = space.explanations(bits_);
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
    return vectors_of(one.sequence) + few_vectors * one.sequence.size();
  });
  const auto* right =
      nearest(false, [&](const Observation& one) { return dissimilarity(one.values, shortest->values); });
  boundary.shortest = shortest->sequence;
  boundary.nearest = right == nullptr ? std::vector<QuestionPoint>() : right->sequence;
}

Boundary BoundarySearch::find(const std::vector<QuestionPoint>& failing, const Marked& marked) {
  constexpr std::size_t large = 1024, most_exceptions = 24, patience = 10;
  Boundary boundary;
  boundary.is_reproducible = false;
  boundary.shortest = failing;
  if (failing.empty() || !observe(failing, marked).has_wrong()) {
    return boundary;
  }
  refusals_.add(observations_.front().values, false, false);
  // A large question is asked again only if smaller ones do not show the failure.
  const bool is_large = vectors_of(failing) > large;
  const auto is_reproduced = [&] {
    return std::any_of(observations_.begin() + 1, observations_.end(),
                       [](const Observation& one) { return one.has_wrong(); });
  };
  boundary.is_reproducible = is_large || shows_failure(failing);
  explain();
  for (std::size_t exceptions = 0; boundary.is_reproducible && exceptions < most_exceptions;) {
    auto next = dividing(few_vectors);
    if (!is_reproduced() && (!next || questions_ >= patience) && !shows_failure(failing)) {
      boundary.is_reproducible = false;
      break;
    }
    for (const auto most : {many_vectors, 2 * failing.back().count()}) {
      next = next || hypotheses_.size() < 2 || most < many_vectors ? next : dividing(most);
    }
    exceptions += has_exceptions_ ? 1 : 0;
    if (next) {
      ask(next->sequence);
    } else if (has_exceptions_ || is_confirmed()) {
      boundary.is_confirmed = !has_exceptions_ && limits_->starts_afresh && is_reproduced();
      break;
    } else if (!was_contradicted_) {
      break;
    }
    explain();
  }
  boundary.wrong_where = leading_;
  if (has_exceptions_) {
    // A single vector that is right is more likely an effect that does not show.
    std::erase_if(boundary.wrong_where, [](const Atom& atom) {
      return atom.relation == Relation::unequal && traits(atom.coordinate).kind == CoordinateKind::element;
    });
  }
  if (std::ranges::find(wrong_pairs_, std::size_t{0}) != wrong_pairs_.end()) {
    tell_pairs(boundary);
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
