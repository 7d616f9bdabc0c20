#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "numerics/diagnosis/damage/failing_tensor.hpp"
#include "numerics/diagnosis/description_length.hpp"

namespace vernier {
namespace {

/// Whether the column is the negative of what is predicted wherever it fails.
bool is_negated(const FailingTensor& tensor, std::size_t column) {
  return std::ranges::all_of(tensor.columns.at(column), [](const PredictedElement* one) {
    return std::fabs(one->got + one->predicted) <= one->allowed;
  });
}

std::optional<std::size_t> equal_column(const FailingTensor& tensor, std::size_t column) {
  for (std::size_t other = 0; other < tensor.width(); ++other) {
    bool equal = other != column;
    for (std::size_t row = 0; equal && row < tensor.suspect.rows(); ++row) {
      equal = tensor.at(row, column) == tensor.at(row, other);
    }
    if (equal && !tensor.columns.contains(other)) {
      return other;
    }
  }
  return std::nullopt;
}

/// Of two columns that were exchanged each holds what is predicted of the other.
std::optional<std::size_t> swapped_column(const FailingTensor& tensor, std::size_t column) {
  const auto& here = tensor.columns.at(column);
  for (const auto& [other, there] : tensor.columns) {
    if (other == column) {
      continue;
    }
    std::map<std::size_t, const PredictedElement*> by_row;
    for (const auto* one : there) {
      by_row[one->row] = one;
    }
    std::size_t compared = 0;
    bool fits = true;
    for (const auto* one : here) {
      if (const auto found = by_row.find(one->row); found != by_row.end()) {
        ++compared;
        fits = fits && std::fabs(one->got - found->second->predicted) <= found->second->allowed;
      }
    }
    if (fits && 2 * compared > here.size()) {
      return other;
    }
  }
  return std::nullopt;
}

}  // namespace

bool explain_columns(const FailingTensor& tensor, Damage& damage) {
  const auto failing = FailingTensor::keys(tensor.columns);
  if (failing.size() > a_few(tensor.width()) || tensor.suspect.rows() < 8) {
    return false;
  }
  Damage here;
  for (const auto column : failing) {
    if (is_negated(tensor, column)) {
      tell(here, fault_kind("damage/column-sign"),
           fmt::format("column {} of {} has the opposite sign", column, tensor.role), damaged_bits);
      continue;
    }
    if (const auto other = swapped_column(tensor, column)) {
      if (column < *other) {
        tell(here, fault_kind("damage/columns-swapped"),
             fmt::format("columns {} and {} of {} are exchanged", column, *other, tensor.role), damaged_bits);
      }
      continue;
    }
    const auto other = equal_column(tensor, column);
    if (!other) {
      return false;
    }
    tell(here, fault_kind("damage/column-copy"),
         fmt::format("column {} of {} is a copy of column {}", column, tensor.role, *other), damaged_bits);
  }
  append(std::move(here), damage);
  return true;
}

}  // namespace vernier
