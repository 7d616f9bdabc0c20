#include "numerics/implementations/covering/hypotheses.hpp"

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

constexpr std::array<std::int64_t, 32> moduli{2,  3,  4,  5,   6,   7,   8,   9,   10,   11,  12,
                                              13, 14, 15, 16,  20,  24,  28,  32,  40,   48,  56,
                                              64, 80, 96, 100, 112, 128, 256, 512, 1024, 4096};
constexpr std::int64_t greatest_modulus = 4096;
constexpr int greatest_power = 17;

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

double cost_of(const Atom& atom) {
  const bool is_number = is_counted(atom.coordinate) || atom.coordinate == rank;
  const auto of_value = is_number ? 0.25 * length_of(atom.value) : 0;
  const auto of_modulus = 0.25 * length_of(atom.modulus) + (atom.value == 0 ? 0 : 1);
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
  return 3;
}

double simplicity_of(const Atom& atom) {
  return std::exp2(-cost_of(atom));
}

FaultHypothesis weighed(Predicate predicate) {
  double weight = 1;
  for (const auto& atom : predicate) {
    weight *= simplicity_of(atom);
  }
  return {std::move(predicate), weight};
}

std::int64_t rest_modulo(std::int64_t x, std::int64_t modulus) {
  return (x % modulus + modulus) % modulus;
}

}  // namespace

VersionSpace::VersionSpace(const std::function<bool(const CoordinateTraits&)>& is_considered) {
  for (const auto& one : all_coordinates()) {
    if (!is_considered(one)) {
      continue;
    }
    const auto coordinate = one.coordinate;
    considered_.push_back(coordinate);
    if (!is_counted(coordinate)) {
      const bool is_binary =
          one.kind == CoordinateKind::history || coordinate == apart || coordinate == own_positions;
      for (std::int64_t value = 0; value < (is_binary ? 2 : coordinate == rank ? 4 : 16); ++value) {
        consider({coordinate, Relation::equal, value});
        if (!is_binary) {
          consider({coordinate, Relation::unequal, value});
        }
        if (coordinate == rank && value > 0) {
          consider({coordinate, Relation::at_least, value});
          consider({coordinate, Relation::at_most, value - 1});
        }
      }
      continue;
    }
    const auto consider_bound = [&](std::int64_t value) {
      consider({coordinate, Relation::at_least, value});
      consider({coordinate, Relation::at_most, value - 1});
    };
    for (int power = 0; power <= greatest_power; ++power) {
      consider_bound(std::int64_t{1} << power);
      consider_bound((std::int64_t{1} << power) + 1);
      consider_bound(std::int64_t{3} << power);
    }
    for (const auto modulus : moduli) {
      consider({coordinate, Relation::not_multiple, 0, modulus});
      if (coordinate == from_end && std::has_single_bit(static_cast<std::uint64_t>(modulus))) {
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
      !std::ranges::all_of(wrong_, [&](const Coordinates& vector) { return atom.holds(vector); })) {
    return;
  }
  Candidate candidate{atom, simplicity_of(atom), {}};
  std::ranges::transform(right_, std::back_inserter(candidate.excluded),
                         [&](const Coordinates& vector) { return !atom.holds(vector); });
  candidates_.insert(
      std::ranges::upper_bound(candidates_, candidate.weight, std::ranges::greater(), &Candidate::weight),
      std::move(candidate));
}

/// By the divisors of a number, and its remainders by usual moduli.
void VersionSpace::consider_remainders(Coordinate coordinate, std::int64_t x, Relation relation) {
  for (std::int64_t divisor = 1; divisor * divisor <= x; ++divisor) {
    for (const auto modulus : {divisor, x / divisor}) {
      if (x % divisor == 0 && modulus > 1 && modulus <= greatest_modulus) {
        consider({coordinate, relation, 0, modulus});
      }
    }
  }
  for (const auto modulus : moduli) {
    if (relation == Relation::multiple || modulus <= 16) {
      consider({coordinate, relation, rest_modulo(x, modulus), modulus});
    }
  }
}

void VersionSpace::add(const Coordinates& vector, bool is_wrong, bool is_surprise) {
  (is_wrong ? wrong_ : right_).push_back(vector);
  if (is_wrong) {
    std::erase_if(candidates_, [&](const Candidate& one) { return !one.atom.holds(vector); });
  } else {
    for (auto& one : candidates_) {
      one.excluded.push_back(!one.atom.holds(vector));
    }
  }
  for (const auto coordinate : considered_) {
    if (!is_counted(coordinate)) {
      continue;
    }
    const auto x = vector[coordinate];
    if (is_wrong) {
      consider({coordinate, Relation::at_least, x});
      consider({coordinate, Relation::at_most, x});
      std::int64_t divisor = 0;
      for (const auto& one : wrong_) {
        divisor = std::gcd(divisor, one[coordinate] - x);
      }
      if (wrong_.size() == 1) {
        consider({coordinate, Relation::equal, x});
        consider_remainders(coordinate, x, Relation::multiple);
      } else if (divisor > 1 && divisor <= greatest_modulus) {
        consider({coordinate, Relation::multiple, rest_modulo(x, divisor), divisor});
      }
    } else if (is_surprise) {
      consider({coordinate, Relation::unequal, x});
      consider_remainders(coordinate, x, Relation::not_multiple);
    }
  }
}

/// Conditions that together exclude what is left: one of those that exclude a vector of it, and others.
void VersionSpace::cover(const Predicate& chosen, const std::vector<std::size_t>& remaining, std::size_t most,
                         std::mt19937_64& bits, std::size_t& steps, std::vector<Predicate>& found) const {
  // The vector that the fewest conditions exclude leaves the fewest ways to go on.
  std::vector<const Candidate*> excluding;
  for (int i = 0; i < (most > 1 ? 8 : 1); ++i) {
    const auto at = remaining[bits() % remaining.size()];
    std::vector<const Candidate*> some;
    for (const auto& one : candidates_) {
      if (one.excluded[at]) {
        some.push_back(&one);
      }
    }
    if (i == 0 || some.size() < excluding.size()) {
      excluding = std::move(some);
    }
  }
  constexpr int enough_last = 4;
  for (int last = 0; const auto* one : excluding) {
    const bool is_last = std::ranges::all_of(remaining, [&](std::size_t i) { return one->excluded[i]; });
    if (last == enough_last) {
      return;
    }
    if (!is_last && (most == 1 || steps == 0)) {
      continue;
    }
    auto longer = chosen;
    longer.push_back(one->atom);
    if (is_last) {
      found.push_back(std::move(longer));
      last += most == 1 ? 1 : 0;
    } else {
      --steps;
      auto rest = remaining;
      std::erase_if(rest, [&](std::size_t i) { return one->excluded[i]; });
      cover(longer, rest, most - 1, bits, steps, found);
    }
  }
}

std::vector<FaultHypothesis> VersionSpace::explanations(std::mt19937_64& bits) const {
  if (right_.empty()) {
    return {{{}, 1}};
  }
  constexpr std::size_t most_explanations = 48;
  constexpr std::array<std::size_t, 2> most_steps{400, 800};
  std::vector<std::size_t> all(right_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Predicate> found;
  for (std::size_t i = 0; i < most_steps.size() && found.empty(); ++i) {
    auto steps = most_steps[i];
    cover({}, all, i + 2, bits, steps, found);
  }
  std::vector<FaultHypothesis> result;
  for (auto& predicate : found) {
    std::ranges::sort(predicate, {}, [](const Atom& atom) {
      return std::tuple(atom.coordinate, atom.relation, atom.value, atom.modulus);
    });
    result.push_back(weighed(std::move(predicate)));
  }
  std::ranges::stable_sort(result, std::ranges::greater(), &FaultHypothesis::weight);
  const auto same = std::ranges::unique(result, {}, &FaultHypothesis::predicate);
  result.erase(same.begin(), same.end());
  result.resize(std::min(result.size(), most_explanations));
  return result;
}

std::vector<FaultHypothesis> VersionSpace::attempts() const {
  constexpr std::size_t most_single = 64;
  constexpr double cost_of_unexplained = 6;
  auto order = candidates_;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const Candidate& one) { return std::ranges::count(one.excluded, true); });
  order.resize(std::min(order.size(), most_single));
  // Weights as powers of two, less those that the best has.
  std::vector<FaultHypothesis> result;
  const auto add = [&](const Predicate& predicate) {
    const auto unexplained =
        std::ranges::count_if(right_, [&](const Coordinates& vector) { return holds(predicate, vector); });
    result.push_back({predicate, std::log2(weighed(predicate).weight) -
                                     cost_of_unexplained * static_cast<double>(unexplained)});
  };
  add({});
  for (std::size_t i = 0; i < order.size(); ++i) {
    add({order[i].atom});
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      add({order[i].atom, order[j].atom});
    }
  }
  std::ranges::stable_sort(result, std::ranges::greater(), &FaultHypothesis::weight);
  result.resize(std::min(result.size(), most_single));
  const auto greatest = result.front().weight;
  for (auto& one : result) {
    one.weight = std::exp2(one.weight - greatest);
  }
  return result;
}

std::vector<FaultHypothesis> VersionSpace::widened(const FaultHypothesis& explanation) const {
  std::vector<FaultHypothesis> result;
  for (std::size_t i = 0; i < explanation.predicate.size(); ++i) {
    const auto& atom = explanation.predicate[i];
    const bool is_lower = atom.relation == Relation::at_least;
    if (!is_lower && atom.relation != Relation::at_most) {
      continue;
    }
    // The vectors that this condition alone excludes bound how far it may be moved.
    auto others = explanation.predicate;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    std::int64_t limit = is_lower ? 0 : std::int64_t{1} << greatest_power;
    for (const auto& vector : right_) {
      if (holds(others, vector)) {
        const auto x = vector[atom.coordinate];
        limit = is_lower ? std::max(limit, x + 1) : std::min(limit, x - 1);
      }
    }
    for (const auto value : {limit, std::midpoint(limit, atom.value)}) {
      if (value != atom.value) {
        auto predicate = explanation.predicate;
        predicate[i].value = value;
        result.push_back(weighed(std::move(predicate)));
      }
    }
  }
  return result;
}

}  // namespace vernier
