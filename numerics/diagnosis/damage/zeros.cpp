#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/damage/failing_tensor.hpp"
#include "numerics/diagnosis/description_length.hpp"

namespace vernier {
namespace {

bool is_run(const std::set<std::size_t>& numbers) {
  return *numbers.rbegin() - *numbers.begin() + 1 == numbers.size();
}

double bits_of(const std::set<std::size_t>& lines) {
  return is_run(lines) ? damaged_bits : damaged_bits * static_cast<double>(lines.size());
}

}  // namespace

bool explain_zeros(const FailingTensor& tensor, Damage& damage) {
  const auto is_zero = [](const PredictedElement* one) { return one->got == 0; };
  // Where no normal number is lost, subnormal ones are flushed: that is no damage.
  const double least_normal = traits(tensor.suspect.stored(tensor.tensor)).smallest_normal();
  if (std::ranges::all_of(tensor.failing, [=](const PredictedElement* one) {
        return std::fabs(one->predicted) < least_normal;
      })) {
    return false;
  }
  // What passes through and does not has a name of its own.
  if (tensor.suspect.vectors() != nullptr &&
      std::ranges::all_of(tensor.failing, [](const PredictedElement* one) { return one->pair < 0; })) {
    return false;
  }
  if (tensor.failing.size() < 2 || !std::ranges::all_of(tensor.failing, is_zero)) {
    return false;
  }
  const auto rows = FailingTensor::keys(tensor.rows);
  const auto columns = FailingTensor::keys(tensor.columns);
  const auto width = tensor.width();
  const auto height = tensor.suspect.rows();
  const bool whole_rows = std::ranges::all_of(rows, [&](std::size_t row) {
    for (std::size_t c = 0; c < width; ++c) {
      if (tensor.at(row, c) != 0) {
        return false;
      }
    }
    return true;
  });
  if (whole_rows && (rows.size() <= a_few(height) || is_run(rows))) {
    tell(damage, fault_kind("damage/row-zero"),
         rows.size() == 1
             ? fmt::format("{} of {} is zero", position_words(tensor.suspect, *rows.begin()), tensor.role)
             : fmt::format("rows {} of {} are zero", some_of(rows), tensor.role),
         bits_of(rows));
    return true;
  }
  const bool whole_columns = std::ranges::all_of(columns, [&](std::size_t column) {
    for (std::size_t r = 0; r < height; ++r) {
      if (tensor.at(r, column) != 0) {
        return false;
      }
    }
    return true;
  });
  if (whole_columns && (columns.size() <= a_few(width) || is_run(columns))) {
    tell(damage, fault_kind("damage/column-zero"),
         columns.size() == 1 ? fmt::format("column {} of {} is zero", *columns.begin(), tensor.role)
                             : fmt::format("columns {} of {} are zero", some_of(columns), tensor.role),
         bits_of(columns));
    return true;
  }
  return false;
}

}  // namespace vernier
