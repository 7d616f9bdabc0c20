#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/damage/failing_tensor.hpp"
#include "numerics/diagnosis/description_length.hpp"
#include "reference/told_apart.hpp"

namespace vernier {
namespace {

/// Where an element is, and what it is.
constexpr double element_bits = 2.5 * damaged_bits;

/// Zero where little is meant is what flushing leaves.
bool is_lost(const PredictedElement* one) {
  return one->got == 0 && std::fabs(one->predicted) < 0x1p-10;
}

/// Whether all that fails is one pair of one row, and nothing else comes near to failing as much.
bool is_one_pair(const FailingTensor& tensor, double largest_of_others) {
  const auto& first = *tensor.failing.front();
  const auto is_beside = [&](const PredictedElement* one) {
    return one->row == first.row && one->pair == first.pair && one->pair >= 0;
  };
  double greatest = 0;
  for (const auto* one : tensor.failing) {
    greatest = std::max(greatest, one->ratio());
  }
  return std::ranges::all_of(tensor.failing, is_beside) && greatest >= least_gap * largest_of_others;
}

}  // namespace

bool explain_elements(const FailingTensor& tensor, Damage& damage) {
  const auto& failing = tensor.failing;
  const auto is_overwritten = [](const PredictedElement* one) { return one->ratio() >= least_error_ratio; };
  if (failing.size() > 4 || std::ranges::all_of(failing, is_lost)) {
    return false;
  }
  const bool is_dispersed = tensor.rows.size() > 1 || failing.size() <= 2;
  const bool are_overwritten = failing.size() == 1 || std::ranges::all_of(failing, is_overwritten);
  if (!(is_dispersed && are_overwritten) && !is_one_pair(tensor, damage.rest.largest_budget_ratio)) {
    return false;
  }
  for (const auto* one : failing) {
    tell(damage, fault_kind("damage/element"),
         fmt::format("column {} of {} of {} is {}", one->column, position_words(tensor.suspect, one->row),
                     tensor.role, one_not_other(one->got, one->predicted, 9)),
         element_bits);
  }
  return true;
}

}  // namespace vernier
