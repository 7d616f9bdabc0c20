#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "numerics/diagnosis/damage/failing_tensor.hpp"
#include "numerics/diagnosis/description_length.hpp"

namespace vernier {
namespace {

/// Whether the row should be zero, as that of padding.
bool is_padding(const FailingTensor& tensor, std::size_t row) {
  const auto should_be_zero = [](const PredictedElement* one) { return one->predicted == 0; };
  return tensor.suspect.is_zero_row(tensor.tensor, row) &&
         std::ranges::all_of(tensor.rows.at(row), should_be_zero);
}

void tell_padding(const FailingTensor& tensor, std::size_t row, Damage& damage) {
  tell(
      damage, fault_kind("mapping/padding"),
      fmt::format("{} of {}, that of padding, is not zero", position_words(tensor.suspect, row), tensor.role),
      damaged_bits);
}

/// Whether a row has the numbers that are predicted of another.
bool holds(const FailingTensor& tensor, std::size_t row, std::size_t other) {
  bool fits = true;
  tensor.predictor.visit(other, [&](const PredictedElement& one) {
    fits = fits && (one.tensor != tensor.tensor ||
                    std::fabs(tensor.at(row, one.column) - one.predicted) <= one.allowed);
  });
  return fits;
}

bool equal_rows(const FailingTensor& tensor, std::size_t row, std::size_t other) {
  for (std::size_t c = 0; c < tensor.width(); ++c) {
    if (tensor.at(row, c) != tensor.at(other, c)) {
      return false;
    }
  }
  return true;
}

/// Another row whose numbers the row has: one that fails as well, else the nearest.
std::optional<std::size_t> held_row(const FailingTensor& tensor, std::size_t row,
                                    const std::set<std::size_t>& failing) {
  for (const auto other : failing) {
    if (other != row && holds(tensor, row, other)) {
      return other;
    }
  }
  for (std::size_t distance = 1; distance < tensor.suspect.rows(); ++distance) {
    for (const auto other : {row - distance, row + distance}) {
      if (other < tensor.suspect.rows() && !failing.contains(other) && equal_rows(tensor, row, other)) {
        return other;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool explain_rows(const FailingTensor& tensor, Damage& damage) {
  const auto failing = FailingTensor::keys(tensor.rows);
  if (failing.size() > a_few(tensor.suspect.rows())) {
    return false;
  }
  Damage here;
  for (const auto row : failing) {
    if (is_padding(tensor, row)) {
      tell_padding(tensor, row, here);
      continue;
    }
    const auto other = held_row(tensor, row, failing);
    if (!other) {
      return false;
    }
    const bool is_exchange = failing.contains(*other) && holds(tensor, *other, row);
    if (is_exchange && *other < row) {
      continue;  // told with the other
    }
    tell(here, is_exchange ? fault_kind("damage/rows-exchanged") : fault_kind("damage/row-copy"),
         is_exchange ? fmt::format("rows {} and {} of {} are exchanged", row, *other, tensor.role)
                     : fmt::format("{} of {} is a copy of row {}", position_words(tensor.suspect, row),
                                   tensor.role, *other),
         damaged_bits);
  }
  append(std::move(here), damage);
  return true;
}

bool explain_beside_padding(const FailingTensor& tensor, Damage& damage) {
  const auto padding =
      std::ranges::find_if(tensor.rows, [&](const auto& line) { return is_padding(tensor, line.first); });
  if (padding == tensor.rows.end() || tensor.rows.size() == 1) {
    return false;
  }
  std::vector<const PredictedElement*> others;
  std::ranges::copy_if(tensor.failing, std::back_inserter(others),
                       [&](const PredictedElement* one) { return one->row != padding->first; });
  const FailingTensor rest(tensor.suspect, tensor.predictor, tensor.tensor, std::move(others));
  Damage beside{.findings = {}, .rest = damage.rest};
  if (!explain(rest, beside)) {
    return false;
  }
  tell_padding(tensor, padding->first, damage);
  append(std::move(beside), damage);
  return true;
}

}  // namespace vernier
