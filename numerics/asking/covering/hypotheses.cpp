#include "numerics/asking/covering/hypotheses.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace vernier {
namespace {

using enum Coordinate;

constexpr std::int64_t small_modulus = 64, greatest_modulus = 4096;
constexpr int greatest_power = 17;
constexpr int few_of_relation = 3;  // of conditions that explain the same
constexpr double least_cost = 2;    // of a condition

bool is_counted(Coordinate coordinate) {
  const auto kind = traits(coordinate).kind;
  return kind == CoordinateKind::size || kind == CoordinateKind::element;
}

/// How long a number is to say: its binary digits without the zeros at its end, or those of a neighbour.
double length_of(std::int64_t value) {
  double least = 63;
  for (const auto beside : {0, -1, 1}) {
    const auto x = static_cast<std::uint64_t>(std::abs(value + beside));
    least = std::min(least, static_cast<double>(std::bit_width(x) - (x == 0 ? 0 : std::countr_zero(x))) +
                                (beside == 0 ? 0 : 0.5));
  }
  return least;
}

/// Every small one, and larger round ones.
const std::vector<std::int64_t>& moduli() {
  static const auto all = [] {
    std::vector<std::int64_t> result(small_modulus - 1);
    std::iota(result.begin(), result.end(), std::int64_t{2});
    for (const auto modulus : {72, 80, 96, 100, 112, 120, 128, 192, 200, 256, 512, 1000, 1024, 4096}) {
      result.push_back(modulus);
    }
    return result;
  }();
  return all;
}

/// Whether such a condition or a stricter one is there already.
bool is_told(const Predicate& predicate, const Atom& other) {
  return other.modulus == 1 && std::ranges::any_of(predicate, [&](const Atom& atom) {
           return atom.coordinate == other.coordinate && atom.modulus == 1 &&
                  (atom.relation == Relation::equal || other.relation == Relation::equal ||
                   (atom.relation == other.relation && atom.relation != Relation::unequal));
         });
}

double cost_of(Masking masking) {
  constexpr double as_condition = 3;  // on a number
  return masking == Masking::none ? 0 : masking == Masking::start ? least_cost : as_condition;
}

}  // namespace

double cost_of(const Atom& atom) {
  const bool is_number = is_counted(atom.coordinate) || atom.coordinate == rank;
  const auto of_value = is_number ? 0.25 * length_of(atom.value) : 0;
  const auto of_modulus = 0.25 * length_of(atom.modulus) + (atom.value == 0 ? 0 : 0.5 + of_value);
  switch (atom.relation) {
    case Relation::at_least:
      return 2 + of_value;
    case Relation::equal:
      return (is_number ? 2.5 : 2) + of_value;
    case Relation::at_most:
      return 2.4 + of_value;
    case Relation::unequal:
      return 3.5 + of_value;
    case Relation::multiple:
      return 2.5 + of_modulus;
    case Relation::not_multiple:
      return 3 + of_modulus;
    case Relation::in_tail:
      break;
  }
  return 2.75 + of_modulus;
}

FaultHypothesis with(FaultHypothesis hypothesis, const Atom& atom) {
  hypothesis.predicate.push_back(atom);
  hypothesis.cost += cost_of(atom);
  return hypothesis;
}

FaultHypothesis without(FaultHypothesis hypothesis, std::size_t condition) {
  const auto at = hypothesis.predicate.begin() + static_cast<std::ptrdiff_t>(condition);
  hypothesis.cost -= cost_of(*at);
  hypothesis.predicate.erase(at);
  return hypothesis;
}

VersionSpace::VersionSpace(const std::function<bool(const CoordinateTraits&)>& is_considered) {
  for (const auto& one : all_coordinates()) {
    if (!is_considered(one)) {
      continue;
    }
    const auto coordinate = one.coordinate;
    considered_.push_back(coordinate);
    if (!is_counted(coordinate)) {
      const auto count = one.kind == CoordinateKind::history ? 2 : coordinate == rank ? 4 : 16;
      for (std::int64_t value = 0; value < count; ++value) {
        consider({coordinate, Relation::equal, value});
        if (one.kind == CoordinateKind::kind) {
          consider({coordinate, Relation::unequal, value});
        }
        if (coordinate == rank && value > 0) {
          consider({coordinate, Relation::at_least, value});
          consider({coordinate, Relation::at_most, value - 1});
        }
      }
      continue;
    }
    const auto least = std::int64_t{one.kind == CoordinateKind::size};
    const auto consider_bound = [&](std::int64_t value) {
      if (value > least) {
        consider({coordinate, Relation::at_least, value});
        consider({coordinate, Relation::at_most, value - 1});
      }
    };
    for (int power = greatest_power; power >= 0; --power) {
      consider_bound(std::int64_t{1} << power);
      consider_bound((std::int64_t{1} << power) + 1);
      consider_bound(std::int64_t{3} << power);
      if (one.kind == CoordinateKind::size) {
        consider({coordinate, Relation::unequal, std::int64_t{1} << power});
      }
    }
    for (const auto modulus : moduli()) {
      consider({coordinate, Relation::not_multiple, 0, modulus});
      if (coordinate == from_end) {
        consider({coordinate, Relation::in_tail, 0, modulus});
      }
    }
  }
}

void VersionSpace::consider(const Atom& atom) {
  const auto key =
      ((static_cast<std::uint64_t>(atom.value) << 13 | static_cast<std::uint64_t>(atom.modulus)) << 8 |
       static_cast<std::uint64_t>(atom.coordinate))
          << 3 |
      static_cast<std::uint64_t>(atom.relation);
  const bool is_known = !known_.insert(key).second;
  if (is_known ||
      !std::ranges::all_of(wrong_, [&](const VectorEvidence& vector) { return atom.holds(vector.values); })) {
    return;
  }
  const Candidate candidate{atom, cost_of(atom), right_that([&](const VectorEvidence& vector) {
                              return !atom.holds(vector.values);
                            })};
  candidates_.insert(std::ranges::upper_bound(candidates_, candidate.cost, {}, &Candidate::cost), candidate);
}

/// By the divisors of a number or, of multiples, those of what all wrong ones differ by; and usual moduli.
void VersionSpace::consider_remainders(Coordinate coordinate, std::int64_t x, Relation relation) {
  std::int64_t divided = x;
  if (relation == Relation::multiple && wrong_.size() > 1) {
    divided = 0;
    for (const auto& one : wrong_) {
      divided = std::gcd(divided, one.values[coordinate] - x);
    }
  } else {
    for (const auto modulus : moduli()) {
      consider({coordinate, relation, remainder_of(x, modulus), modulus});
    }
  }
  for (std::int64_t divisor = 1; divisor * divisor <= divided; ++divisor) {
    for (const auto modulus : {divisor, divided / divisor}) {
      if (divided % divisor == 0 && modulus > 1 && modulus <= greatest_modulus) {
        consider({coordinate, relation, remainder_of(x, modulus), modulus});
      }
    }
  }
}

void VersionSpace::add(const VectorEvidence& vector, bool is_wrong, bool is_surprise) {
  if (is_wrong) {
    wrong_.push_back(vector);
    std::erase_if(candidates_, [&](const Candidate& one) { return !one.atom.holds(vector.values); });
  } else if (right_.size() < Vectors().size()) {
    for (auto& one : candidates_) {
      one.excluded[right_.size()] = !one.atom.holds(vector.values);
    }
    right_.push_back(vector);
  }
  for (const auto coordinate : considered_) {
    const auto x = vector.values[coordinate];
    if (!is_counted(coordinate)) {
      continue;
    }
    if (is_wrong) {
      consider({coordinate, Relation::at_least, x});
      consider({coordinate, Relation::at_most, x});
      consider({coordinate, Relation::equal, x});
      consider_remainders(coordinate, x, Relation::multiple);
    } else if (is_surprise) {
      consider({coordinate, Relation::unequal, x});
      consider_remainders(coordinate, x, Relation::not_multiple);
    }
  }
}

/// What was found, and what is left of the search.
struct VersionSpace::Covering {
  std::vector<FaultHypothesis> found = {};
  double most_cost = 24;  ///< less is simpler than telling vectors one by one
  std::size_t most_conditions = 1;
  int steps = 0;
};

/// Adds conditions that together exclude what is left, each of them one vector of it and others.
void VersionSpace::cover(const FaultHypothesis& chosen, const Vectors& remaining, Covering& covering) const {
  constexpr double less_simple = 5;  // by so many bits an explanation is not worth a question
  if (remaining.none()) {
    covering.most_cost = std::min(covering.most_cost, chosen.cost + less_simple);
    covering.found.push_back(chosen);
    return;
  }
  if (chosen.predicate.size() == covering.most_conditions || --covering.steps < 0) {
    return;
  }
  // The vector that the fewest conditions exclude leaves the fewest ways to go on.
  std::array<std::size_t, 4> looked_at{}, ways_from{};
  std::size_t looked = 0;
  for (std::size_t i = 0; i < right_.size() && looked < looked_at.size(); ++i) {
    if (remaining[i]) {
      looked_at[looked++] = i;
    }
  }
  const auto dearest =
      std::ranges::upper_bound(candidates_, covering.most_cost - chosen.cost, {}, &Candidate::cost);
  for (auto one = candidates_.begin(); one != dearest; ++one) {
    for (std::size_t i = 0; i < looked; ++i) {
      ways_from[i] += one->excluded[looked_at[i]] ? 1 : 0;
    }
  }
  const auto at = looked_at[static_cast<std::size_t>(
      std::min_element(ways_from.begin(), ways_from.begin() + static_cast<std::ptrdiff_t>(looked)) -
      ways_from.begin())];
  std::vector<Vectors> simpler;
  std::array<int, static_cast<std::size_t>(Relation::in_tail) + 1> last{};
  for (auto one = candidates_.begin(); one != dearest; ++one) {
    if (!one->excluded[at] || chosen.cost + one->cost > covering.most_cost ||
        is_told(chosen.predicate, one->atom)) {
      continue;
    }
    // What excludes no more than a simpler condition leads to nothing simpler, but of the last ones.
    const auto excluded = one->excluded & remaining;
    const bool is_superfluous =
        excluded == remaining
            ? ++last[static_cast<std::size_t>(one->atom.relation)] > few_of_relation
            : chosen.predicate.size() + 1 == covering.most_conditions ||
                  chosen.cost + one->cost + least_cost > covering.most_cost ||
                  std::ranges::any_of(simpler, [&](const Vectors& of) { return (excluded & ~of).none(); });
    if (is_superfluous) {
      continue;
    }
    simpler.push_back(excluded);
    cover(with(chosen, one->atom), remaining & ~excluded, covering);
  }
}

bool VersionSpace::agrees(const FaultHypothesis& hypothesis) const {
  return std::ranges::all_of(wrong_,
                             [&](const VectorEvidence& one) { return hypothesis.predicts_wrong(one); }) &&
         std::ranges::none_of(right_,
                              [&](const VectorEvidence& one) { return hypothesis.predicts_wrong(one); });
}

/// Adds what explains all with one more condition, a few of each relation.
void VersionSpace::add_others(const FaultHypothesis& incomplete, std::vector<FaultHypothesis>& found) const {
  std::array<int, static_cast<std::size_t>(Relation::in_tail) + 1> of_relation{};
  const auto remaining =
      right_that([&](const VectorEvidence& vector) { return incomplete.predicts_wrong(vector); });
  for (const auto& one : candidates_) {
    auto& count = of_relation[static_cast<std::size_t>(one.atom.relation)];
    if (count < few_of_relation && (remaining & ~one.excluded).none()) {
      ++count;
      found.push_back(with(incomplete, one.atom));
    }
  }
}

std::vector<FaultHypothesis> VersionSpace::explanations() const {
  constexpr std::size_t most_explanations = 48;
  // Long ones are looked for if short ones do not bound their cost, in a few milliseconds.
  constexpr std::size_t most_conditions = 4;
  constexpr int most_steps = 50;
  std::vector<std::pair<FaultHypothesis, Vectors>> begun;
  for (std::size_t i = 0; i < masking_count; ++i) {
    const auto masking = static_cast<Masking>(i);
    if (std::ranges::none_of(wrong_, [&](const VectorEvidence& one) { return one.is_masked(masking); })) {
      const auto remaining =
          right_that([&](const VectorEvidence& vector) { return !vector.is_masked(masking); });
      if (masking == Masking::none || remaining.count() < right_.size()) {
        begun.push_back({{{}, masking, cost_of(masking)}, remaining});
      }
    }
  }
  Covering covering;
  for (; covering.most_conditions <= most_conditions; ++covering.most_conditions) {
    for (const auto& [one, remaining] : begun) {
      covering.steps = most_steps;
      cover(one, remaining, covering);
    }
  }
  auto& found = covering.found;
  if (!found.empty()) {
    const auto simplest = std::ranges::min(found, {}, &FaultHypothesis::cost);
    for (std::size_t i = 0; i < simplest.predicate.size(); ++i) {
      add_others(without(simplest, i), found);
    }
  }
  for (auto& one : found) {
    std::ranges::sort(one.predicate, {}, [](const Atom& atom) {
      return std::tuple(atom.coordinate, atom.relation, atom.value, atom.modulus);
    });
  }
  std::ranges::stable_sort(found, {}, &FaultHypothesis::cost);
  const auto same = std::ranges::unique(found);
  found.erase(same.begin(), same.end());
  found.resize(std::min(found.size(), most_explanations));
  return found;
}

FaultHypothesis VersionSpace::attempt() const {
  constexpr double cost_of_unexplained = 6;  // more than that of most conditions
  FaultHypothesis result;
  auto remaining = right_that([](const VectorEvidence&) { return true; });
  for (;;) {
    const Candidate* best = nullptr;
    double most = 0;
    for (const auto& one : candidates_) {
      const auto gained =
          cost_of_unexplained * static_cast<double>((one.excluded & remaining).count()) - one.cost;
      if (gained > most) {
        most = gained;
        best = &one;
      }
    }
    if (best == nullptr || result.predicate.size() == 3) {
      return result;
    }
    result = with(result, best->atom);
    remaining &= ~best->excluded;
  }
}

std::vector<FaultHypothesis> VersionSpace::with_other_bounds(const FaultHypothesis& explanation) const {
  std::vector<FaultHypothesis> result;
  for (std::size_t i = 0; i < explanation.predicate.size(); ++i) {
    const auto atom = explanation.predicate[i];
    const bool is_lower = atom.relation == Relation::at_least;
    if (atom.relation == Relation::not_multiple) {
      auto rarer = explanation;
      rarer.predicate[i].modulus *= 2;
      if (rarer.predicate[i].modulus <= greatest_modulus && agrees(rarer)) {
        result.push_back(std::move(rarer));
      }
    }
    if (!is_lower && atom.relation != Relation::at_most) {
      continue;
    }
    // What is wrong, and what this condition alone excludes, bound how far it may be moved.
    const auto others = without(explanation, i);
    const auto farthest = std::int64_t{1} << greatest_power;
    auto outer = is_lower ? std::int64_t{0} : farthest, inner = is_lower ? farthest : std::int64_t{0};
    for (const auto& vector : right_) {
      const auto x = vector.values[atom.coordinate];
      if (others.predicts_wrong(vector)) {
        outer = is_lower ? std::max(outer, x + 1) : std::min(outer, x - 1);
      }
    }
    for (const auto& vector : wrong_) {
      const auto x = vector.values[atom.coordinate];
      inner = is_lower ? std::min(inner, x) : std::max(inner, x);
    }
    for (const auto value :
         {outer, std::midpoint(outer, atom.value), std::midpoint(inner, atom.value), inner}) {
      if (value != atom.value) {
        result.push_back(with(others, {atom.coordinate, atom.relation, value}));
      }
    }
  }
  return result;
}

}  // namespace vernier
