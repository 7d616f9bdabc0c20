#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "numerics/computation/finding.hpp"
#include "reports/measures/kill_matrix/mutant.hpp"

namespace vernier::kill_matrix {

/// What a diagnosis says of an implementation whose faults are known.
enum class Naming {
  named,         ///< every fault is named, every tensor that fails is explained, and nothing else is said
  in_part,       ///< nothing untrue is said, and something of it
  unexplained,   ///< nothing is said
  falsely_named  ///< something is said that is none of the faults, and no equally likely explanation is true
};

/// The ids of what the likeliest explanations say: one explanation of each diagnosis.
std::vector<std::string_view> told_ids(std::span<const Diagnosis> diagnosis);

/// Those of the ids that name none of the faults.
std::vector<std::string_view> untrue_ids(std::span<const std::string_view> told,
                                         std::span<const PlantedFault> faults);

Naming naming_of(std::span<const Diagnosis> diagnosis, std::span<const PlantedFault> faults);

}  // namespace vernier::kill_matrix
