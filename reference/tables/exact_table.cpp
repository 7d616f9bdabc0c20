#include "reference/tables/exact_table.hpp"

#include <cassert>
#include <cmath>

#include "reference/support/input_error.hpp"

namespace vernier {

void ExactTable::require(std::int64_t position) const {
  if (defined(position)) {
    return;
  }
  const auto from = first_position ? " from " + std::to_string(*first_position) : std::string();
  const auto to = last_position ? " up to " + std::to_string(*last_position) : std::string();
  throw InputError(std::string("found the position ") + std::to_string(position) +
                   ", expected one at which the encoding is defined:" + from + to);
}

ComputedReal ExactTable::computed_entry(std::int64_t position, std::size_t column) const {
  auto number = computed(position, column);
  const auto exact = factor(position, column);
  if (exact == 1) {
    return number;
  }
  const double scale = approximately(exact);
  const double estimate = scale * number.estimate;
  return {[exact, value = number.value] { return Interval(enclose(exact) * value()); }, estimate,
          [scale, estimate, error = number.error](double roundoff) {
            const double before = error ? std::fabs(scale) * error(roundoff) : 0;
            return before + (std::fabs(estimate) + before) * roundoff;
          }};
}

Real ExactTable::entry(std::int64_t position, std::size_t column) const {
  assert(column < columns && position >= -largest_position && position <= largest_position);
  require(position);
  if (computed) {
    return computed_entry(position, column).value;
  }
  const auto exact = factor(position, column);
  if (!sines) {
    return [exact] { return enclose(exact); };
  }
  return [exact, sine = sines->entry(sine_position(position), column)] {
    return Interval(enclose(exact) * sine());
  };
}

}  // namespace vernier
