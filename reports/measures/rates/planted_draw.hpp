#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reports/measures/rates/draw.hpp"
#include "reports/measures/rates/planted.hpp"

namespace vernier::rates {

/// Where the thresholds of drawn faults lie.
enum class Distribution {
  covering,  ///< at and beside powers of two, at small multiples of them, and anywhere
  own        ///< at round decimal numbers, products and anywhere; of up to three conditions, many on history
};
/// \throws InputError for another word
Distribution parse_distribution(std::string_view word);

struct DrawnFault {
  PlantedKernel kernel;
  std::size_t least_vectors = 0;  ///< of a question that shows it
  bool is_of_one_value = false;   ///< of a size, an index, a position or a row
};

/// A fault that some question of at most 131,072 vectors shows.
DrawnFault draw_fault(Draw& draw, Distribution distribution);

/// Conditions that may never hold.
Predicate draw_conditions(Draw& draw, Distribution distribution);

/// A kernel without fault that takes some questions only, or computes otherwise.
PlantedKernel draw_honest_kernel(Draw& draw);

}  // namespace vernier::rates
