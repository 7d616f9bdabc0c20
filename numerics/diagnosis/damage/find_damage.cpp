#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/damage/damage_kinds.hpp"
#include "numerics/diagnosis/damage/failing_tensor.hpp"
#include "numerics/diagnosis/description_length.hpp"

namespace vernier {
namespace {

struct Failing {
  std::vector<PredictedElement> numbers;
  std::vector<PredictedElement> no_numbers;
  Prediction all;
};

constexpr std::size_t most_kept = 1 << 18;

Failing failing_elements(const Suspect& suspect, const Computation& computation) {
  Failing result;
  const Predictor predictor(suspect, computation);
  for (std::size_t row = 0; row < suspect.rows(); ++row) {
    predictor.visit(row, [&](const PredictedElement& one) {
      ++result.all.elements;
      result.all.conclusive += one.conclusive ? 1 : 0;
      const bool is_number = std::isfinite(one.got);
      if (!is_number && std::isfinite(one.predicted)) {
        result.no_numbers.push_back(one);
      } else if (one.fails()) {
        ++result.all.failing;
        result.numbers.push_back(one);
      } else if (one.conclusive) {
        result.all.largest_budget_ratio = std::max(result.all.largest_budget_ratio, one.ratio());
      }
    });
    if (result.numbers.size() + result.no_numbers.size() > most_kept) {
      break;
    }
  }
  return result;
}

/// The findings of several tensors, each sentence once, with the roles of the tensors it is told of.
void tell_once(const std::vector<std::pair<std::string, Finding>>& by_role, std::vector<Finding>& out) {
  std::vector<std::pair<Finding, std::string>> told;
  for (const auto& [role, finding] : by_role) {
    const auto same =
        std::ranges::find_if(told, [&](const auto& one) { return one.first.sentence == finding.sentence; });
    if (same == told.end()) {
      told.emplace_back(finding, role);
    } else {
      same->second += " and " + role;
    }
  }
  for (auto& [finding, roles] : told) {
    if (const auto at = finding.sentence.find(FailingTensor::role); at != std::string::npos) {
      finding.sentence.replace(at, FailingTensor::role.size(), roles);
    }
    out.push_back(std::move(finding));
  }
}

void tell_no_numbers(const Suspect& suspect, const std::vector<PredictedElement>& elements, Damage& damage) {
  const auto& first = elements.front();
  tell(damage, damage_non_finite,
       elements.size() == 1
           ? fmt::format("column {} of {} of {} is {}", first.column, position_words(suspect, first.row),
                         role_of(suspect, first.tensor), first.got)
           : fmt::format("{} elements are no numbers, the first {} in column {} of {} of {}", elements.size(),
                         first.got, first.column, position_words(suspect, first.row),
                         role_of(suspect, first.tensor)),
       damaged_bits);
}

}  // namespace

std::optional<Damage> find_damage(const Suspect& suspect, const Computation& computation) {
  const auto failing = failing_elements(suspect, computation);
  if (failing.numbers.size() + failing.no_numbers.size() > most_kept ||
      (failing.numbers.empty() && failing.no_numbers.empty())) {
    return std::nullopt;
  }
  Damage damage;
  damage.rest = failing.all;
  damage.rest.failing = 0;
  damage.rest.conclusive -= failing.all.failing;
  if (!failing.no_numbers.empty()) {
    tell_no_numbers(suspect, failing.no_numbers, damage);
  }
  const Predictor predictor(suspect, computation);
  std::vector<std::pair<std::string, Finding>> by_role;
  for (std::size_t tensor = 0; tensor < suspect.tensors(); ++tensor) {
    std::vector<const PredictedElement*> of_tensor;
    for (const auto& one : failing.numbers) {
      if (one.tensor == tensor) {
        of_tensor.push_back(&one);
      }
    }
    if (of_tensor.empty()) {
      continue;
    }
    Damage here{.findings = {}, .rest = damage.rest};
    if (!explain({suspect, predictor, tensor, std::move(of_tensor)}, here)) {
      return std::nullopt;
    }
    damage.bits += here.bits;
    for (auto& finding : here.findings) {
      by_role.emplace_back(role_of(suspect, tensor), std::move(finding));
    }
  }
  tell_once(by_role, damage.findings);
  return damage;
}

}  // namespace vernier
