#include "numerics/searches/contract_proof.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "reference/numbers/interval.hpp"

namespace vernier {
namespace {

constexpr unsigned precision_bits = 192;
/// What a share may be wrong by, of a few roundings in binary64.
constexpr double proof_slack = 1 + 0x1p-24;
/// Positions at which a witness is looked for: each so many times the one before.
constexpr double step_of_witnesses = 1.01;

bool multiplies_exactly(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

/// The frequency that a recipe uses, as exactly as it does.
Interval used_frequency(const PhaseRule& phases, int pair) {
  const auto& factors = phases.seeds().factors;
  const double divisor = phases.divisor(pair);
  const Interval factor = phases.is_recursive() ? Interval(pow(enclose(factors.front()), pair))
                                                : enclose(factors[static_cast<std::size_t>(pair)]);
  return std::isinf(divisor) ? enclose(0.0) : Interval(factor / enclose(divisor));
}

/// How often a phase of the pair is rounded once its position is.
int phase_roundings(const PhaseRule& phases, int pair) {
  const double divisor = phases.divisor(pair);
  const bool divides = std::isfinite(divisor) && !multiplies_exactly(divisor);
  const int steps = phases.is_recursive()                                                        ? pair
                    : multiplies_exactly(phases.seeds().factors[static_cast<std::size_t>(pair)]) ? 0
                                                                                                 : 1;
  return steps + (divides ? 1 : 0);
}

/// What is needed of a recipe's formats.
bool formats_suffice(const Recipe& recipe, const PhaseSeeds& seeds, Format stored,
                     const BudgetModel& budget) {
  const auto& allowed = budget.parameters();
  const auto holds = [&](Format format) {
    return traits(format).precision >= traits(allowed.compute).precision &&
           traits(format).emax >= traits(allowed.compute).emax;
  };
  const bool is_rounded_to_store = stored != recipe.compute();
  return holds(recipe.compute()) && holds(seeds.positions) && allowed.trig_ulps >= 2 &&
         allowed.trig_roundoffs >= 2 && (!is_rounded_to_store || allowed.storage_ulps >= 0.5);
}

/// An element of the pair that is beyond its budget, if one is soon found.
std::optional<ErrorPlace> witness_in(const RecipeTable& elements, const PhaseRule& phases,
                                     const TrigTable& table, const BudgetModel& budget, int pair) {
  const PhaseTurns turns = [&] {
    const WorkingPrecision precision(precision_bits);
    return PhaseTurns(table.frequencies.at(pair));
  }();
  const double amplitude = budget.amplitude();
  double at = 1;
  while (at < static_cast<double>(largest_position)) {
    const auto position = static_cast<std::int64_t>(at);
    at = std::max(at + 1, at * step_of_witnesses);
    const double phase = used_phase(phases, position, pair);
    const auto truth = turns.at(position);
    for (const auto component : {Component::cosine, Component::sine}) {
      const double value = amplitude * truth.at(component);
      const double partner =
          amplitude * truth.at(component == Component::cosine ? Component::sine : Component::cosine);
      const auto allowed = budget.at(position, pair, value, partner);
      const double error = std::fabs(elements.element(component, phase) - value);
      if (!budget.inconclusive(allowed) &&
          !(error <= allowed.total() * proof_slack + 2 * amplitude * PhaseTurns::error)) {
        return ErrorPlace{position, pair, component};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

ContractProof prove_contract(const Recipe& recipe, const TrigTable& table, Format stored,
                             const Contract& contract) {
  const auto phases = recipe.prepare(table.frequencies);
  const auto budget = contract.bind(table, stored);
  const double u = traits(recipe.compute()).unit_roundoff();
  bool keeps = formats_suffice(recipe, phases.seeds(), stored, budget);
  std::vector<int> doubtful;
  ContractProof proof;
  {
    const WorkingPrecision precision(precision_bits);
    const auto frequencies = table.frequencies.enclosures();
    for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
      const auto index = static_cast<std::size_t>(pair);
      const double allowed = budget.parameters().frequency_error[index];
      const auto& wanted = frequencies[index];
      const auto used = used_frequency(phases, pair);
      const double error = contains_zero(wanted)
                               ? greatest_magnitude(used) == 0 ? 0 : std::numeric_limits<double>::infinity()
                               : greatest_magnitude(Interval((used - wanted) / wanted));
      // Of a frequency that is exact nothing but the width of the enclosures is left.
      const bool is_exact = error < std::ldexp(1.0, -static_cast<int>(precision_bits) + 16);
      const double share = is_exact ? 0 : error / allowed;
      if (share > proof.frequency_share) {
        proof.frequency_share = share;
        proof.pair = pair;
      }
      const double rounded = std::expm1(phase_roundings(phases, pair) * std::log1p(u));
      if (!(share * proof_slack <= 1) ||
          !(rounded <= budget.parameters().phase_rounding[index] * proof_slack)) {
        doubtful.push_back(pair);
      }
    }
  }
  keeps = keeps && doubtful.empty();
  if (keeps) {
    proof.fate = ContractFate::kept;
    return proof;
  }
  if (doubtful.empty()) {
    for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
      doubtful.push_back(pair);
    }
  }
  const RecipeTable elements(recipe, phases, table, stored);
  for (const int pair : doubtful) {
    if (const auto witness = witness_in(elements, phases, table, budget, pair)) {
      proof.fate = ContractFate::broken;
      proof.witness = witness;
      return proof;
    }
  }
  return proof;
}

}  // namespace vernier
